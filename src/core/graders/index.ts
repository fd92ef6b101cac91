/** @file Graders turn an answer into a verdict. */
export { createChoiceLetterGrader } from './choice-letter';
export { createMathematicsGrader } from './mathematics';
export { GRADING_PROFILES, type GradingProfile } from './profile';
export { createPuzzleGrader } from './puzzle';
export { createRlprGrader } from './rlpr';
export { createExactGrader, createPatternGrader } from './text-match';
