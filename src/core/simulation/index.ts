/** @file Simulated workers. They read puzzles from the messages they receive, and search for solutions with limited effort. */
export type { Assignment } from './assignment';
export { createSimulatedWorkers } from './client';
export type { Judgement } from './evidence';
export { poolWorkerOf, SIMULATED_WORKERS, simulatedPoolWorkers, skillOf, type SimulatedProfile } from './profiles';
export { workFor, workOn } from './work';
