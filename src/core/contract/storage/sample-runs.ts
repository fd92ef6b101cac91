/** @file Distinguishes the runs of the sample archive from the user's own. `scripts/sample/` makes the archive. */

/** Prefix of the ids of sample runs. No other run has such an id. */
const PREFIX = 'sample:';

export const SAMPLE_LABEL = 'sample';

/** Id of the sample run with this 1-based number. */
export function sampleRunId(number: number): string {
  return `${PREFIX}${String(number).padStart(2, '0')}`;
}

/** Whether the run with this id is from the sample archive. `false` for a fork of a sample run. */
export function isSampleRun(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Maximum number of runs in the sample archive. */
export const MOST_SAMPLE_RUNS = 60;
