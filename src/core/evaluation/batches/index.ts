/**
 * @file Runs every task of an evaluation with every method, pauses and resumes batches, grades their runs and counts the outcomes.
 */
export { createUnitPlayer, type UnitPlayer, type PlayerDependencies } from './player';
export { createBatchRunner } from './runner';
export { createRemoval } from './removal';
export { baselineMethods, conductorMethod, singleWorkerMethods, type MethodSettings } from './methods';
export type { UnitGraders } from './grading';
