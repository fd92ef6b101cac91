/** @file The state of the page *Analyze*: totals of the runs that match its filter, and when to update its plots. */
import {
  comparesMeaning,
  isAbort,
  toFault,
  type Fault,
  type Nearness,
  type RunFacets,
  type RunFilter,
  type RunIndex,
  type RunTotals,
} from '../../core/contract';

/** Minimum time between two updates of the plots, ms. While runs are indexed, the index reports changes more often. */
const LEAST_PAUSE = 1000;

export class AnalyzeState {
  /** Totals of the matching runs. `null` until they are counted. */
  totals: RunTotals | null = $state.raw(null);
  facets: RunFacets | null = $state.raw(null);
  /** The result of a search by meaning. `null`: no such search, or no sentence model is available. */
  nearness: Nearness | null = $state.raw(null);
  /** Whether the runs of a new filter are being read. Meanwhile, the results of the previous filter are shown. */
  isReading = $state(true);
  fault: Fault | null = $state.raw(null);
  /** Increases when runs have been added, changed or removed, so that the plots are updated. */
  version = $state(0);
  /** Number of runs that are not indexed yet. */
  behind = $state(0);
  readonly #index: RunIndex;
  readonly #leave: () => void;
  #running = new AbortController();
  /** The filter that the results belong to. */
  #shown: RunFilter | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(index: RunIndex) {
    this.#index = index;
    this.#leave = index.listen(() => this.#changed());
    this.#measure();
  }

  async load(filter: RunFilter): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.isReading = filter !== this.#shown;
    try {
      const [totals, facets, nearness] = await Promise.all([
        this.#index.totals(filter, signal),
        this.#index.facets(signal),
        comparesMeaning(filter) ? this.#index.nearness(filter, signal) : null,
      ]);
      if (signal.aborted) return;
      this.totals = totals;
      this.facets = facets;
      this.nearness = nearness;
      this.#shown = filter;
      this.fault = null;
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      this.fault = toFault(thrown);
    }
    this.isReading = false;
  }

  close(): void {
    this.#leave();
    clearTimeout(this.#timer);
    this.#running.abort();
  }

  #changed(): void {
    this.#measure();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.version += 1;
    }, LEAST_PAUSE);
  }

  #measure(): void {
    const { indexed, of } = this.#index.state();
    this.behind = Math.max(0, of - indexed);
  }
}
