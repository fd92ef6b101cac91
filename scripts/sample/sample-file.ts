/** @file The sample archive as the text of a run file. */
import type { StoredEvent } from '../../src/core/contract';
import { runValue } from '../../src/platform/store/run-file';

/** The text has one line for each run, in order. */
export function sampleFile(runs: readonly (readonly StoredEvent[])[]): string {
  return runs.map((events) => `${JSON.stringify(runValue(events))}\n`).join('');
}
