/** @file Graders turn an answer into a verdict. */
export { createMathematicsGrader } from './mathematics';
export { createPuzzleGrader } from './puzzle';
export { createExactGrader, createPatternGrader } from './text-match';
