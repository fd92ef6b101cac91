/** @file Finds a recent run that was interrupted because its page was closed, and offers to resume it. */
import type { ChangeNotices, RunStore, RunSummary } from '../../core/contract';
import type { Runs } from '../../core/runs/runs';

/** How many of the newest runs are searched. */
const RECENT = 10;

interface Needed {
  readonly runs: Pick<Runs, 'recover' | 'listen'>;
  readonly store: Pick<RunStore, 'summaries' | 'summary'>;
  readonly notices: Pick<ChangeNotices, 'listen' | 'listenAll'>;
}

export class InterruptedRun {
  readonly #services: Needed;

  /** The run that the user may resume. `null` if there is none, or if the user has dismissed it. */
  summary: RunSummary | null = $state.raw(null);

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Searches the recent runs, and listens for runs that are interrupted later. Call once. */
  async load(): Promise<void> {
    const { runs, store, notices } = this.#services;
    await runs.recover();
    // Subscribes before the runs are read, because the page of a run can close during the read. A run that is offered
    // during the read takes precedence over the runs that were read.
    runs.listen((runId) => void this.#offer(runId));
    notices.listen((runId) => {
      if (runId === this.summary?.id) void this.#offer(runId);
    });
    notices.listenAll(() => this.summary && void this.#offer(this.summary.id));
    const { summaries } = await store.summaries({ limit: RECENT });
    this.summary ??= summaries.find((summary) => summary.status === 'interrupted') ?? null;
    // During the read, another tab may have resumed the run.
    if (this.summary) await this.#offer(this.summary.id);
  }

  /** Looks for runs whose page has crashed. Call when the page becomes visible again. */
  async look(): Promise<void> {
    try {
      await this.#services.runs.recover();
    } catch {
      // The fault is not shown here, because every feature that needs storage shows it.
    }
  }

  /** Withdraws the offer. Call when the user doesn't want to resume the run now. */
  dismiss(): void {
    this.summary = null;
  }

  /** Withdraws the offer of this run. Call when the run was resumed. */
  resumed(runId: string): void {
    if (this.summary?.id === runId) this.summary = null;
  }

  /** Offers the run if it is interrupted, else withdraws the offer. */
  async #offer(runId: string): Promise<void> {
    const summary = await this.#services.store.summary(runId).catch(() => null);
    if (summary?.status === 'interrupted') this.summary = summary;
    else this.resumed(runId);
  }
}
