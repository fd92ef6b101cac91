/**
 * @file Gets the second answers of pairs, and records how the user compares the answers. A call goes on while the user visits other
 * pages.
 */
import { fault, FaultError, isAbort, runLock, type Locks, type Preference, type Run } from '../../contract';
import { askAlone, type AskAloneOptions } from './ask-alone';
import type { Runs } from '../runs';

export interface PairDesk {
  /** Lets the worker alone answer, unless it has. If the call fails, the returned run has the fault. Rejects with an `AbortError` after `compare`. */
  answer(runId: string): Promise<Run>;
  /** Whether the worker is answering now, in this tab. */
  isAnswering(runId: string): boolean;
  /**
   * Records the user's vote, or that the user wants to see the run without one. Stops the worker if it is still answering. If the
   * run is in progress in this tab, waits for its end.
   */
  compare(runId: string, preferred: Preference): Promise<Run>;
}

export interface PairDeskOptions extends Pick<AskAloneOptions, 'workers' | 'clock'> {
  readonly runs: Pick<Runs, 'open' | 'live' | 'addToPair'>;
  readonly locks: Pick<Locks, 'acquire'>;
  /** The ledger of the daily budget for calls under this lock. */
  readonly dayFor: (lockedId: string) => AskAloneOptions['day'];
  readonly isPrivate: () => boolean;
}

interface Answering {
  readonly stop: AbortController;
  readonly done: Promise<Run>;
}

export function createPairDesk({ runs, locks, dayFor, isPrivate, workers, clock }: PairDeskOptions): PairDesk {
  const answering = new Map<string, Answering>();

  async function answer(runId: string, signal: AbortSignal): Promise<Run> {
    const lockedId = `alone:${runId}`;
    const release = await locks.acquire(runLock(lockedId));
    if (!release) throw new FaultError(BUSY);
    try {
      const run = (await runs.open(runId))?.run;
      if (!run) throw new FaultError(MISSING);
      const write: AskAloneOptions['write'] = (body) => runs.addToPair(runId, body);
      return await askAlone(run, { workers, clock, day: dayFor(lockedId), isPrivate: isPrivate(), write }, signal);
    } finally {
      release();
    }
  }

  return {
    answer(runId) {
      const current = answering.get(runId);
      if (current) return current.done;
      const stop = new AbortController();
      const done = answer(runId, stop.signal).finally(() => answering.delete(runId));
      answering.set(runId, { stop, done });
      return done;
    },
    isAnswering: (runId) => answering.has(runId),
    async compare(runId, preferred) {
      const current = answering.get(runId);
      current?.stop.abort();
      await current?.done.catch((thrown: unknown) => {
        if (!isAbort(thrown)) throw thrown;
      });
      await runs.live(runId)?.done;
      return runs.addToPair(runId, { type: 'pair-compared', preferred });
    },
  };
}

const BUSY = fault('run-busy', 'The second answer is being written in another tab.', { retryable: true });
const MISSING = fault('run-missing', 'The run no longer exists.');
