/**
 * The house, bottom to top. A room may import from any line below its own (a larger index here is higher);
 * rooms on one line are siblings and do not import each other. `main.ts` alone knows everything.
 */
export const CORE_LINES = [
  ['contract'],
  ['tasks', 'analysis'],
  ['policy', 'graders', 'simulation'],
  ['conductor', 'executor'],
  ['runs'],
  ['training', 'evaluation'],
];
export const PLATFORM_ROOMS = ['engine', 'workers', 'store', 'sandbox', 'images'];
export const APP_LINES = [['state'], ['components'], ['pages']];
