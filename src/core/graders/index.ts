/** @file Graders turn an answer into a verdict. */
export { createPuzzleGrader } from './puzzle';
