/**
 * @file Runs whose page is gone: finding them here and in other tabs, marking them as interrupted, and booking the money that
 * was set aside for their calls. A run's lock tells whether its page lives.
 */
import { isOver, runLock, type CallKey, type Run, type RunEvent } from '../contract';
import type { RunsDependencies } from './runs';
import { appendTo, readRun, type OpenedRun } from './saved-runs';

export interface RunRecoveryOptions extends Pick<
  RunsDependencies,
  'store' | 'locks' | 'notices' | 'clock' | 'spending'
> {
  /** Whether a run lives in this tab. */
  readonly isLive: (runId: string) => boolean;
  /** Told of each run that was found dead and marked here. */
  readonly marked: (runId: string) => void;
  readonly report: (thrown: unknown) => void;
}

export class RunRecovery {
  readonly #options: RunRecoveryOptions;
  /** Runs at work in other tabs, whose end is waited for. */
  readonly #watched = new Set<string>();

  constructor(options: RunRecoveryOptions) {
    this.#options = options;
  }

  /** Marks every unfinished run whose page is gone, and books what dead runs had set aside. @returns the ids of those marked */
  async recover(): Promise<readonly string[]> {
    const recovered: string[] = [];
    for (const { id } of await this.#options.store.unfinished()) {
      if (await this.#recoverOne(id)) recovered.push(id);
    }
    await this.settleHolds();
    return recovered;
  }

  /** Another tab told of a run: one that is at work there is watched, so that its death is seen at once. */
  async notice(runId: string): Promise<void> {
    try {
      const summary = await this.#options.store.summary(runId);
      if (summary?.status === 'running') this.#watch(runId);
    } catch (thrown) {
      this.#options.report(thrown);
    }
  }

  /** A run whose lock was free, though it looks at work, has lost its page: it is marked so. Only under its lock. */
  async interrupt(opened: OpenedRun): Promise<OpenedRun & { readonly event?: RunEvent }> {
    if (isOver(opened.run.status)) return opened;
    const { store, clock, notices, spending } = this.#options;
    // What its page had set aside for calls under way may have been charged, unless its record says that they never left.
    await spending?.abandon(opened.run.id, (call) => isStillWaiting(opened.run, call));
    const grown = await appendTo(store, opened, { type: 'run-interrupted' }, clock);
    notices.tell(grown.run.id);
    return grown;
  }

  /** Money set aside for runs that are over or gone counts as spent: nobody is left who could say what it came to. Never rejects. */
  async settleHolds(): Promise<void> {
    try {
      for (const runId of (await this.#options.spending?.holders()) ?? []) await this.#settleHoldsOf(runId);
    } catch (thrown) {
      this.#options.report(thrown);
    }
  }

  async #settleHoldsOf(runId: string): Promise<void> {
    const { store, locks, spending, isLive } = this.#options;
    if (isLive(runId)) return;
    const release = await locks.take(runLock(runId));
    if (!release) return;
    try {
      const summary = await store.summary(runId);
      if (!summary || isOver(summary.status)) await spending?.abandon(runId);
    } finally {
      release();
    }
  }

  /** Waits until the lock of a run that is at work elsewhere is free: then it has ended, or its page is gone. */
  #watch(runId: string): void {
    if (this.#watched.has(runId) || this.#options.isLive(runId)) return;
    this.#watched.add(runId);
    void this.#options.locks
      .whenFree(runLock(runId), new AbortController().signal)
      .then(async () => {
        this.#watched.delete(runId);
        const summary = await this.#options.store.summary(runId);
        if (summary?.status === 'running') await this.#recoverOne(runId);
      })
      .catch((thrown: unknown) => this.#options.report(thrown));
  }

  /** Marks an unfinished run if nobody holds its lock, else waits for that. @returns whether it was marked */
  async #recoverOne(runId: string): Promise<boolean> {
    const { store, locks, isLive, marked, report } = this.#options;
    if (isLive(runId)) return false;
    const release = await locks.take(runLock(runId));
    if (!release) {
      this.#watch(runId);
      return false;
    }
    try {
      const opened = await readRun(store, runId);
      if (!opened || (await this.interrupt(opened)) === opened) return false;
    } catch (thrown) {
      // One run that cannot be marked must not keep the others from it; it will be found again.
      report(thrown);
      return false;
    } finally {
      release();
    }
    marked(runId);
    return true;
  }
}

/** Whether a run's record says of a call that it still waited: that it leaves is on record before it does. */
function isStillWaiting({ rounds }: Run, { round: index, step, attempt }: CallKey): boolean {
  const round = rounds[index];
  if (!round) return false;
  if (step === null) {
    const { plan } = round;
    return plan !== null && plan.wait !== null && plan.candidates.length + plan.retries.length === attempt;
  }
  return [...round.steps, ...round.discarded].some(
    ({ index: its, attempts }) =>
      its === step && attempts.some((each) => each.attempt === attempt && each.wait !== null),
  );
}
