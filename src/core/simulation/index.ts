/** @file Simulated workers: they read puzzles from the messages they receive and actually solve them. */
export { createSimulatedWorkers } from './client';
export { poolWorkerOf, SIMULATED_WORKERS, simulatedPoolWorkers, skillOf, type SimulatedProfile } from './profiles';
export { workFor, workOn } from './work';
