/** @file The content of a file of the format `podium-pool`. The page exports this file, and the command line reads it. */
import type { Preferences, WorkerSetup } from '../worker/setup';

export interface PoolFile {
  /** Ids of the workers in the pool, in order. They may be in `workers` or built in. `null`: the pool is all of `workers`. */
  readonly pool: readonly string[] | null;
  /** The endpoints, without keys. An endpoint that is not in the pool can still be the Conductor. */
  readonly workers: readonly WorkerSetup[];
  /** Id of the Conductor. `null`: automatic. */
  readonly conductor: string | null;
  /** The settings of runs. Settings that are missing in a file have their defaults. */
  readonly preferences: Preferences;
}
