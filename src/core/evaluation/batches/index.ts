/**
 * @file Starts, pauses and resumes batches, grades their runs and counts the outcomes. A batch is one evaluation:
 * it runs every task with every method.
 */
export { createUnitPlayer, type UnitPlayer, type PlayerDependencies } from './player';
export { createBatchRunner } from './runner';
export { createRemoval } from './removal';
export { conductorMethod, type MethodSettings } from './methods';
export type { UnitGraders } from './grading';
