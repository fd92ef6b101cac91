/** @file Simulated workers: real small work on puzzles, read out of the very messages that were sent. */
export { createSimulatedWorkers, type SimulationOptions } from './client';
export {
  poolWorkerOf,
  SIMULATED_WORKERS,
  simulatedPoolWorkers,
  skillOf,
  type Pace,
  type SimulatedProfile,
} from './profiles';
export type { Assignment, EarlierStep } from './assignment';
export { workFor, workOn, type SimulatedWork } from './work';
