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
  ['measurement'],
  ['lessons'],
];
/** The rooms of the platform. They don't import each other. From the core, they import only `contract`. */
export const PLATFORM_ROOMS = ['engine', 'workers', 'store', 'sandbox', 'images', 'documents', 'datasets'];
/**
 * The rooms of the app. `CORE_LINES` explains the lines. `ui` knows nothing of what Podium does. `state` holds what several
 * features read, and what goes on while the user visits other pages. `score` draws workflows. `shared` has the components of
 * two or more features. Each room in the line of features has its page, its parts, its state and its words. From the platform, all
 * rooms import only `start-worker`, `worker-link` and `serve-calls`.
 */
export const APP_LINES = [
  ['ui'],
  ['state'],
  ['score'],
  ['shared'],
  ['conduct', 'runs', 'run', 'compare', 'evaluate', 'analyze', 'train', 'workers', 'models', 'settings'],
  ['frame'],
];
