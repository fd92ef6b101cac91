/** @file Reads the runs of an export one by one. Unreadable and confidential runs are left out and reported. */
import { FaultError, type ConfidentialityCheck, type RunStore, type StoredEvent } from '../../core/contract';

/** Number of runs that are listed at a time. */
const PAGE_RUNS = 50;

export interface ExportedRunsOptions {
  readonly signal: AbortSignal;
  /** Called with a sentence for each run that could not be read, and with one sentence for all confidential runs together. */
  readonly leftOut?: (message: string) => void;
  /** Whether a run must not leave this browser. */
  readonly isConfidential: ConfidentialityCheck;
}

/**
 * @param ids `null` for all runs, newest first
 * @yields the events of each run
 */
export async function* exportedRuns(
  store: Pick<RunStore, 'read' | 'summaries'>,
  ids: readonly string[] | null,
  { signal, leftOut = () => {}, isConfidential }: ExportedRunsOptions,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  let confidential = 0;
  for await (const page of ids ? [ids] : allIds(store)) {
    // Reads one run at a time, because a run can be large.
    for (const id of page) {
      signal.throwIfAborted();
      const events = await readEvents(store, id, leftOut);
      const [first] = events;
      if (first && (await isConfidential(first))) confidential += 1;
      else if (first) yield events;
    }
  }
  if (confidential > 0) leftOut(confidentialSentence(confidential));
}

/** @param runs number of confidential runs that are left out */
export function confidentialSentence(runs: number): string {
  return runs === 1
    ? '1 run is left out, because its task must not leave this browser.'
    : `${runs.toLocaleString('en-US')} runs are left out, because their tasks must not leave this browser.`;
}

async function readEvents(
  store: Pick<RunStore, 'read'>,
  id: string,
  leftOut: (message: string) => void,
): Promise<readonly StoredEvent[]> {
  try {
    return await store.read(id);
  } catch (thrown) {
    if (!(thrown instanceof FaultError)) throw thrown;
    leftOut(`The run ${id} is left out. ${thrown.message}`);
    return [];
  }
}

async function* allIds(store: Pick<RunStore, 'summaries'>): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ;) {
    const page = await store.summaries({ limit: PAGE_RUNS, after });
    yield page.summaries.map(({ id }) => id);
    if (page.next === null) return;
    after = page.next;
  }
}
