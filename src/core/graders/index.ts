/** @file Graders: an answer in, a verdict out. */
export { firstVerdict } from './first-verdict';
export { createPuzzleGrader } from './puzzle';
export { createThumbGrader } from './thumb';
