/** @file Batches: run every task of a plan with every method, pause and resume, grade and count. */
export { createUnitPlayer, type UnitPlayer, type PlayerDependencies } from './player';
export { createBatchRunner } from './runner';
export { baselineMethods, conductorMethod, singleWorkerMethods, type MethodSettings } from './methods';
export type { UnitGraders } from './grading';
