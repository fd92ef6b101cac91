/** @file The content of a file of the format `podium-pool`. The page exports this file, and the command line reads it. */
import type { Preferences, WorkerSetup } from '../worker/setup';

export interface PoolFile {
  /** The name of the pool. Absent: it has none. */
  readonly name?: string;
  /**
   * Ids of the workers that a plan may use, in the order of the pool. They are workers of this file or
   * built-in workers. `null`: all of `workers`, or the simulated workers if `workers` is empty.
   */
  readonly pool: readonly string[] | null;
  /** The workers that the user added, without keys. A worker that is not in `pool` can still be the Conductor. */
  readonly workers: readonly WorkerSetup[];
  /** Id of the Conductor. `null`: Podium chooses the Conductor automatically. */
  readonly conductor: string | null;
  /** The settings of runs. A setting that the file omits has its default. */
  readonly preferences: Preferences;
}
