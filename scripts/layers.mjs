/**
 * The rooms of the core. A room is a folder inside a layer. Each line of the table lists sibling rooms, from bottom to top. A room
 * may import from the lines with a smaller index. Siblings do not import each other. The tables of the other layers follow the
 * same rules. Only `src/composition/` and `main.ts` know every room.
 */
export const CORE_LINES = [
  ['contract'],
  ['tasks', 'analysis'],
  ['policy', 'graders', 'simulation'],
  ['conductor', 'executor'],
  ['runs'],
  ['training', 'evaluation'],
];
export const PLATFORM_ROOMS = ['engine', 'workers', 'store', 'sandbox', 'images', 'datasets'];
export const APP_LINES = [['state'], ['components'], ['pages']];
/**
 * Rooms inside `app/components/`. All rooms may import the files beside the rooms. Of the rooms, these files import only
 * `markdown`.
 */
export const COMPONENT_LINES = [
  ['form', 'markdown', 'plots'],
  ['score', 'filters', 'share'],
  ['plan', 'steps', 'runs', 'restored'],
  ['conduct', 'run', 'compare', 'keys', 'models', 'settings', 'train', 'workers', 'frame', 'evaluate', 'analyze'],
];
