/**
 * @file The list of saved runs: read page by page while scrolling, filtered, and updated when runs change here or in other tabs.
 */
import { isAbort, summarize, toFault, type Fault, type RunSummary } from '../../core/contract';
import type { RunServices, StorageServices } from '../services';
import { forgetPlan } from './held-plan-memory';
import { matchesFilter, type RunFilter } from './run-filter';
import { addPage, putSummary, without } from './summaries';

/** Page sizes while scrolling, and while a search reads all runs. */
const PAGE = 100;
const SEARCH_PAGE = 500;

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'store' | 'notices'>;

export class RunList {
  /** All runs read so far, newest first. Replaced, never mutated. */
  summaries: readonly RunSummary[] = $state.raw([]);
  /** How many are stored. `null` until counted. */
  count: number | null = $state(null);
  /** The search words, and which runs to show. */
  filter: RunFilter = $state.raw({ words: '', show: 'all' });
  /** Why the list could not be read, or an action was refused. */
  fault: Fault | null = $state.raw(null);
  /** Whether all runs have been read. */
  isComplete = $state(false);
  /** Ids of runs with an action in progress. */
  busy: readonly string[] = $state.raw([]);

  /** Ids of the runs selected for export. `all`: every run. `null`: the selection is off. */
  chosen: readonly string[] | 'all' | null = $state.raw(null);

  /** The runs that match the filter. */
  readonly shown: readonly RunSummary[] = $derived.by(() =>
    this.summaries.filter((summary) => matchesFilter(summary, this.filter)),
  );
  readonly isFiltered: boolean = $derived.by(() => this.filter.words.trim() !== '' || this.filter.show !== 'all');
  /** Whether every run read so far is simulated. */
  readonly isAllSimulated: boolean = $derived.by(
    () => this.summaries.length > 0 && this.summaries.every((summary) => summary.simulated),
  );

  /** How many runs are selected. */
  readonly chosenCount: number = $derived.by(() =>
    this.chosen === 'all' ? (this.count ?? 0) : (this.chosen?.length ?? 0),
  );

  readonly #services: Needed;
  #next: string | null = null;
  #reading: Promise<void> | null = null;
  #leave: () => void = () => undefined;
  #isClosed = false;

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Reads the first page, and subscribes to changes. Call once. */
  async load(): Promise<void> {
    const { notices, runs } = this.#services;
    const leaves = [
      notices.listen((runId) => void this.update(runId)),
      notices.listenAll(() => void this.readAgain()),
      runs.listen((runId) => void this.update(runId)),
    ];
    this.#leave = () => leaves.forEach((leave) => leave());
    for (const live of this.#services.runs.liveRuns()) void live.done.then(() => this.update(live.id));
    await this.readMore();
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
  }

  /** Reads the next page, if there is one. A second call meanwhile waits for the same page. */
  readMore(): Promise<void> {
    if (this.isComplete || this.#isClosed) return Promise.resolve();
    this.#reading ??= this.#readPage().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Reads the list again from the beginning, because everything may have changed. */
  async readAgain(): Promise<void> {
    await this.#reading;
    this.fault = null;
    this.summaries = [];
    this.#next = null;
    this.isComplete = false;
    await (this.isFiltered ? this.readAll() : this.readMore());
  }

  /** Reads all runs, so that a search is complete. Stops when the filter is cleared or storage fails. */
  async readAll(): Promise<void> {
    while (this.isFiltered && !this.isComplete && !this.fault && !this.#isClosed) await this.readMore();
  }

  /** Reads one run again, which may be new, changed or deleted. */
  async update(runId: string): Promise<void> {
    try {
      const [summary, count] = await Promise.all([this.#services.store.summary(runId), this.#services.store.count()]);
      if (this.#isClosed) return;
      this.count = count;
      this.summaries =
        summary && this.#isInReach(summary)
          ? putSummary(this.summaries, this.#newest(summary))
          : without(this.summaries, runId);
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  async choose(runId: string, on: boolean): Promise<void> {
    // "All but one" is a list of the others, so all must be known.
    while (this.chosen === 'all' && !this.isComplete && !this.fault && !this.#isClosed) await this.readMore();
    const { chosen } = this;
    if (chosen === null) return;
    const ids = chosen === 'all' ? this.summaries.map(({ id }) => id) : chosen;
    const others = ids.filter((id) => id !== runId);
    this.chosen = on ? [...others, runId] : others;
  }

  /** Selects all runs that match the filter, or none. */
  async chooseAll(on: boolean): Promise<void> {
    if (!on) this.chosen = [];
    else if (!this.isFiltered) this.chosen = 'all';
    else {
      // An earlier refusal says nothing about reading.
      this.fault = null;
      await this.readAll();
      this.chosen = this.shown.map(({ id }) => id);
    }
  }

  /** Whether it runs in another tab, so that no action is possible here. */
  isElsewhere({ id, status }: RunSummary): boolean {
    return status === 'running' && this.#services.runs.live(id) === null;
  }

  isChosen(runId: string): boolean {
    return this.chosen === 'all' || (this.chosen?.includes(runId) ?? false);
  }

  grade(runId: string, correct: boolean): Promise<boolean> {
    return this.#do(runId, () => this.#services.runs.grade(runId, correct));
  }

  /** Resumes a run in this tab. @returns whether it was resumed */
  resume(runId: string): Promise<boolean> {
    return this.#do(runId, () => this.#services.runs.resume(runId));
  }

  delete(runId: string): Promise<boolean> {
    return this.#do(runId, async () => {
      await this.#services.runs.delete(runId);
      forgetPlan(runId);
    });
  }

  async #do(runId: string, verb: () => Promise<unknown>): Promise<boolean> {
    if (this.busy.includes(runId)) return false;
    this.busy = [...this.busy, runId];
    this.fault = null;
    try {
      await verb();
      await this.update(runId);
      return true;
    } catch (thrown) {
      // The user declined.
      if (!isAbort(thrown)) this.fault = toFault(thrown);
      return false;
    } finally {
      this.busy = this.busy.filter((id) => id !== runId);
    }
  }

  async #readPage(): Promise<void> {
    try {
      const { store } = this.#services;
      const limit = this.isFiltered ? SEARCH_PAGE : PAGE;
      const [page, count] = await Promise.all([store.summaries({ limit, after: this.#next }), store.count()]);
      if (this.#isClosed) return;
      const read = page.summaries.map((summary) => this.#newest(summary));
      this.summaries = addPage(this.summaries, read);
      this.count = count;
      this.#next = page.next;
      this.isComplete = page.next === null;
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  /** A run that is live in this tab is ahead of storage. */
  #newest(summary: RunSummary): RunSummary {
    const live = this.#services.runs.live(summary.id);
    return live ? summarize(live.run) : summary;
  }

  /** A run older than all that were read comes with its page. */
  #isInReach(summary: RunSummary): boolean {
    const oldest = this.summaries.at(-1);
    return this.isComplete || (oldest !== undefined && summary.startedAt >= oldest.startedAt);
  }
}
