/** @file Waits for a run that another batch or tab is using. Gives up if the run makes no progress. */
import { fault, FaultError, runLock, unlessAborted, type Clock, type Locks } from '../../contract';
import { MAX_WAIT_FOR_LIMIT } from '../../contract/worker/retry';
import type { Runs } from '../../runs/runs';

export interface RunWait {
  readonly runs: Pick<Runs, 'open'>;
  readonly locks: Pick<Locks, 'whenFree'>;
  readonly clock: Clock;
}

/**
 * Maximum time between two events of the run, in ms. The time is enough for the longest automatic pause after
 * a rate limit and for the call that follows.
 */
const PATIENCE = 2 * MAX_WAIT_FOR_LIMIT;

/**
 * Waits until the lock of a run is free. Rejects with an `AbortError` on abort, and with a `FaultError`
 * (`run-busy`) if the run has no new event for `PATIENCE`. This limit is needed, because a run that waits
 * for the user, or that can't be saved, may never release its lock.
 */
export function whenRunFree(runId: string, wait: RunWait, signal: AbortSignal): Promise<void> {
  return patiently(runId, (over) => wait.locks.whenFree(runLock(runId), over), wait, signal);
}

/** Waits until a run in this tab has ended. Rejects with the same errors as `whenRunFree`. */
export function whenRunEnded(
  live: { readonly id: string; readonly done: Promise<unknown> },
  wait: RunWait,
  signal: AbortSignal,
): Promise<void> {
  return patiently(live.id, (over) => unlessAborted(live.done, over), wait, signal);
}

async function patiently(
  runId: string,
  until: (signal: AbortSignal) => Promise<unknown>,
  { runs, clock }: RunWait,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const reached = until(either).then(() => true);
  // `reached` may reject while the store is read below. This handler prevents an “unhandled rejection”.
  // `Promise.race` still rejects.
  reached.catch(() => undefined);
  try {
    for (;;) {
      const late = clock.sleep(PATIENCE, either).then(() => false);
      if (await Promise.race([reached, late])) return;
      const lastAt = (await runs.open(runId))?.events.at(-1)?.at ?? -Infinity;
      if (clock.now() - lastAt >= PATIENCE) throw new FaultError(fault('run-busy', BUSY, { retryable: true }));
    }
  } finally {
    over.abort();
  }
}

const BUSY = `A run with the same settings has made no progress for ${PATIENCE / 60_000} minutes, here or in another tab. It may be waiting for you, or Podium may be unable to save it. Open it under Runs and resume or stop it, or close its tab. Then resume the batch.`;
