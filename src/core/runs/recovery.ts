/**
 * @file Finds unfinished runs whose page was closed or crashed, and marks them as interrupted. If a call may have been sent, the
 * money reserved for it is recorded as spent. A page holds the lock of its run, so a free lock shows that the page is gone.
 */
import { isOver, runLock, type CallKey, type Run, type RunEvent } from '../contract';
import type { RunsDependencies } from './runs';
import { appendTo, readRun, type OpenedRun } from './saved-runs';

export interface RunRecoveryOptions extends Pick<
  RunsDependencies,
  'store' | 'locks' | 'notices' | 'clock' | 'spending'
> {
  /** Whether a run is running in this tab, or has ended here and is not saved. */
  readonly isLive: (runId: string) => boolean;
  /**
   * Called with the id of each run that is marked as interrupted, either by `recover` or because a watched
   * lock became free.
   */
  readonly marked: (runId: string) => void;
  readonly report: (thrown: unknown) => void;
}

export class RunRecovery {
  readonly #options: RunRecoveryOptions;
  /** Runs in other tabs whose locks are watched. */
  readonly #watched = new Set<string>();

  constructor(options: RunRecoveryOptions) {
    this.#options = options;
  }

  /**
   * Marks every unfinished run whose page is gone as interrupted. Money that is still reserved for ended or deleted runs is
   * recorded as spent.
   * @returns the ids of the marked runs
   */
  async recover(): Promise<readonly string[]> {
    const recovered: string[] = [];
    for (const { id } of await this.#options.store.unfinished()) {
      if (await this.#recoverOne(id)) recovered.push(id);
    }
    await this.settleHolds();
    return recovered;
  }

  /**
   * Handles another tab's notice that a run has changed. If the run is unfinished, watches its lock, so that the run is marked
   * as soon as its page closes.
   */
  async notice(runId: string): Promise<void> {
    try {
      const summary = await this.#options.store.summary(runId);
      if (summary?.status === 'running') this.#watch(runId);
    } catch (thrown) {
      this.#options.report(thrown);
    }
  }

  /**
   * Marks a run as interrupted if it is unfinished. If a call may have been sent, the money reserved for it is recorded as spent.
   * The caller must hold the run's lock.
   */
  async interrupt(opened: OpenedRun): Promise<OpenedRun & { readonly event?: RunEvent }> {
    if (isOver(opened.run.status)) return opened;
    const { store, clock, notices, spending } = this.#options;
    await spending?.abandon(opened.run.id, (call) => isStillWaiting(opened.run, call));
    const grown = await appendTo(store, opened, { type: 'run-interrupted' }, clock);
    notices.notify(grown.run.id);
    return grown;
  }

  /**
   * Records money as spent if it is still reserved for ended or deleted runs, because the actual cost can no longer be known.
   * Never rejects.
   */
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
    const release = await locks.acquire(runLock(runId));
    if (!release) return;
    try {
      const summary = await store.summary(runId);
      if (!summary || isOver(summary.status)) await spending?.abandon(runId);
    } finally {
      release();
    }
  }

  /** Watches the lock of a run in another tab. When the lock becomes free, marks the run if it is unfinished. */
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

  /** Marks an unfinished run if its lock is free. Otherwise watches the lock. @returns whether the run was marked now */
  async #recoverOne(runId: string): Promise<boolean> {
    const { store, locks, isLive, marked, report } = this.#options;
    if (isLive(runId)) return false;
    const release = await locks.acquire(runLock(runId));
    if (!release) {
      this.#watch(runId);
      return false;
    }
    try {
      const opened = await readRun(store, runId);
      if (!opened || (await this.interrupt(opened)) === opened) return false;
    } catch (thrown) {
      // `recover` must continue with the other runs. The next `recover` finds this run again.
      report(thrown);
      return false;
    } finally {
      release();
    }
    marked(runId);
    return true;
  }
}

/**
 * Whether a call was never sent, because the stored run shows that it still waits. If a call waits before it is sent,
 * the end of the wait is stored first.
 */
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
