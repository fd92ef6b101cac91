/**
 * The rooms of the core. A room is a folder inside a layer. Each line of the table lists sibling rooms, and the first line is the
 * lowest. A room may import from the lines before its own. Siblings do not import each other. Only `src/composition/` and
 * `main.ts` may import from every room.
 */
export const CORE_LINES = [
  ['contract'],
  ['tasks', 'analysis'],
  ['policy', 'graders', 'simulation'],
  ['conductor', 'executor'],
  ['runs'],
  ['training', 'evaluation'],
];
/** The rooms of the platform, which are siblings. From the core, they import only `contract`. */
export const PLATFORM_ROOMS = ['engine', 'workers', 'store', 'sandbox', 'images', 'datasets'];
/** The rooms of the app, in lines like those of the core. They import no implementation from the platform. */
export const APP_LINES = [['state'], ['components'], ['pages']];
/**
 * The rooms inside `app/components/`, in lines like those of the core. All rooms may import the files that are directly in
 * `app/components/`. These files may import from only one room, `markdown`.
 */
export const COMPONENT_LINES = [
  ['form', 'markdown', 'plots'],
  ['score', 'filters', 'share'],
  ['plan', 'steps', 'runs', 'restored'],
  ['conduct', 'run', 'compare', 'keys', 'models', 'settings', 'train', 'workers', 'frame', 'evaluate', 'analyze'],
];
