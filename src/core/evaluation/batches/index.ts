/** @file Batches: every task of a plan by every method, paused, resumed, graded and counted. */
export { createUnitPlayer, type UnitPlayer, type PlayerDependencies } from './player';
export { createBatchRunner, type BatchRunnerDependencies } from './runner';
export { baselineMethods, conductorMethod, singleWorkerMethods, type Baseline, type MethodSettings } from './methods';
export type { UnitGraders } from './grading';
