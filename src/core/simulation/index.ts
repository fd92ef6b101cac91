/** @file Simulated workers. They read puzzles from the messages they receive, and search for solutions with limited effort. */
export { createSimulatedWorkers } from './client';
export { poolWorkerOf, SIMULATED_WORKERS, simulatedPoolWorkers, skillOf, type SimulatedProfile } from './profiles';
export { workFor, workOn } from './work';
