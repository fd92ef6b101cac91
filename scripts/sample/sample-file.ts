/** @file Makes the text of the sample archive, in the format of run files. */
import type { StoredEvent } from '../../src/core/contract';
import { runValue } from '../../src/platform/store/run-file';

/** Returns one line of JSON for each run, in the order of `runs`. */
export function sampleFile(runs: readonly (readonly StoredEvent[])[]): string {
  return runs.map((events) => `${JSON.stringify(runValue(events))}\n`).join('');
}
