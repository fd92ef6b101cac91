/** @file Makes the text of the sample archive, in the format of run files. */
import type { StoredEvent } from '../../src/core/contract';
import { runValue } from '../../src/platform/store/run-file';

/** The text has one line for each run, in order. */
export function sampleFile(runs: readonly (readonly StoredEvent[])[]): string {
  return runs.map((events) => `${JSON.stringify(runValue(events))}\n`).join('');
}
