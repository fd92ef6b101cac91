/** @file Simulated workers. They read puzzles from the messages that they receive, and they really solve them. */
export { createSimulatedWorkers } from './client';
export { poolWorkerOf, SIMULATED_WORKERS, simulatedPoolWorkers, skillOf, type SimulatedProfile } from './profiles';
export { workFor, workOn } from './work';
