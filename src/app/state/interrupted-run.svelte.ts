/** @file A recent run whose page went away in the middle of it: found when the page opens, and heard of from then on. */
import type { RunSummary } from '../../core/contract';
import type { RunServices, StorageServices } from '../services';

/** How many of the newest runs are looked through for one that was interrupted. */
const RECENT = 10;

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'store' | 'notices'>;

export class InterruptedRun {
  readonly #services: Needed;

  /** `null`: there is none, or it was put off. */
  summary: RunSummary | null = $state.raw(null);

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Finds a run to go on with, and hears of those that are interrupted from then on. Call once. */
  async load(): Promise<void> {
    const { runs, store, notices } = this.#services;
    await runs.recover();
    const { summaries } = await store.summaries({ limit: RECENT });
    this.summary = summaries.find((summary) => summary.status === 'interrupted') ?? null;
    runs.listen((runId) => void this.#offer(runId));
    notices.listen((runId) => {
      if (runId === this.summary?.id) void this.#offer(runId);
    });
    notices.listenAll(() => this.summary && void this.#offer(this.summary.id));
  }

  /** Looks for runs whose page has died while nobody told. */
  async look(): Promise<void> {
    try {
      await this.#services.runs.recover();
    } catch {
      // What storage has to say is said where it is needed.
    }
  }

  /** This one goes on: there is nothing to offer of it any more. */
  taken(runId: string): void {
    if (this.summary?.id === runId) this.summary = null;
  }

  /** Offers a run to go on with, if that is how it stands. */
  async #offer(runId: string): Promise<void> {
    const summary = await this.#services.store.summary(runId).catch(() => null);
    if (summary?.status === 'interrupted') this.summary = summary;
    else this.taken(runId);
  }
}
