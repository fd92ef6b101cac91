// The import rules of `src/`. The lint rules in `eslint.config.js` enforce them.

/**
 * The rooms of the core. A room is a folder inside a layer (`core/`, `platform/` or `app/`). A room
 * may import only from rooms in earlier lines of this table, so rooms in the same line don't import
 * each other. `src/composition/` and `main.ts` may import from every room.
 */
export const CORE_LINES = [
  ['contract'],
  ['tasks', 'analysis'],
  ['policy', 'graders', 'simulation'],
  ['conductor', 'executor'],
  ['runs'],
  ['training', 'evaluation'],
];
/** The rooms of the platform. They don't import each other. From the core, they import only `contract`. */
export const PLATFORM_ROOMS = ['engine', 'workers', 'store', 'sandbox', 'images', 'datasets'];
/**
 * The rooms of the app. `CORE_LINES` explains the lines. From the platform, these rooms import only
 * `start-worker` and `worker-reports`.
 */
export const APP_LINES = [['state'], ['components'], ['pages']];
/**
 * The rooms inside `app/components/`. `CORE_LINES` explains the lines. Each of these rooms may also
 * import the files directly in `app/components/`. Those files may import only one of these rooms,
 * `markdown`.
 */
export const COMPONENT_LINES = [
  ['form', 'markdown', 'plots'],
  ['score', 'filters', 'share'],
  ['plan', 'steps', 'runs', 'restored'],
  ['conduct', 'run', 'compare', 'keys', 'models', 'settings', 'train', 'workers', 'frame', 'evaluate', 'analyze'],
];
