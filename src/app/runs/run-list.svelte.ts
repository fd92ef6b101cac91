/**
 * @file The list of saved runs that match the filter: their totals, and the rows in view. Rows are read page by page from the
 * index. The list follows changes in this tab and in other tabs.
 */
import { untrack } from 'svelte';
import {
  ALL_RUNS,
  comparesMeaning,
  isAbort,
  summarize,
  toFault,
  type Fault,
  type IndexState,
  type Nearness,
  type ProgressListener,
  type Run,
  type RunFacets,
  type RunIndex,
  type RunQuery,
  type RunSummary,
  type RunTotals,
} from '../../core/contract';
import type { RunIndexServices, RunServices } from '../services';
import { mapOf } from '../state/replaced';
import { runQueryText } from '../state/run-query-text';

/** Number of runs in a page of rows. */
const PAGE = 100;
/** Maximum number of pages kept in memory. */
const MOST_PAGES = 30;
/** Delay between a change of runs and the next read, ms. Further changes during the delay cause no extra read. */
const REFRESH_DELAY = 120;
/** The same delay while more than `MANY` runs are not indexed yet, ms. Each read costs memory, and delays the indexing. */
const REFRESH_DELAY_WHILE_INDEXING = 1000;
const MANY = 500;
/** With this option, a read of the index returns before all texts are searched, so that runs are shown early. */
const EARLY = { early: true };

type Needed = Pick<RunServices, 'runs'> & RunIndexServices;
type Pages = ReadonlyMap<number, readonly RunSummary[]>;

export class RunList {
  /** Sums over all runs that match the filter. `null` until they have been read. */
  totals: RunTotals | null = $state.raw(null);
  /** Sums over all runs, regardless of the filter. Runs whose deletion can still be undone are not counted. */
  all: RunTotals | null = $state.raw(null);
  /** The values that runs can be filtered by. `null` until they have been read. */
  facets: RunFacets | null = $state.raw(null);
  /** The result of a search by meaning. `null`: no such search, or no sentence model is available. */
  nearness: Nearness | null = $state.raw(null);
  /** Whether the runs of a new query are being read. Meanwhile, the runs of the previous query are shown. */
  isReading = $state(false);
  indexState: IndexState = $state.raw({ indexed: 0, of: 0 });
  /** Why the list could not be read. */
  fault: Fault | null = $state.raw(null);

  /** Number of rows: one for each run that matches the filter. `0` until these runs have been counted. */
  readonly length: number = $derived.by(() => this.totals?.runs ?? 0);
  readonly isIndexing: boolean = $derived.by(() => this.indexState.indexed < this.indexState.of);
  readonly isAllSimulated: boolean = $derived.by(() => {
    const { all } = this;
    return all !== null && all.runs > 0 && all.simulated === all.runs;
  });

  #pages: Pages = $state.raw(mapOf());
  /** Summaries of runs that were changed in this tab, by id. They may be newer than the index. */
  #newer: ReadonlyMap<string, RunSummary> = $state.raw(mapOf());
  readonly #services: Needed;
  readonly #query: () => RunQuery;
  #index: RunIndex | null = null;
  /** The query that the pages were read for. */
  #shown: RunQuery | null = null;
  /** The rows in view. */
  #from = 0;
  #to = 0;
  #reading: AbortController | null = null;
  #isFilling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: () => void = () => undefined;
  readonly #closing = new AbortController();

  /** Call while a component initializes. @param query the filter and sort order. When they change, the list is read again */
  constructor(services: Needed, query: () => RunQuery) {
    this.#services = services;
    this.#query = query;
    $effect(() => {
      query();
      untrack(() => void this.#read());
    });
    $effect(() => {
      void this.#open();
      return () => this.#close();
    });
  }

  /** The run in a row. `null` until it has been read. */
  row(index: number): RunSummary | null {
    const stored = this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];
    if (!stored) return null;
    const newer = this.#newer.get(stored.id);
    return newer && newer.lastSeq > stored.lastSeq ? newer : stored;
  }

  /** Call when the rows in view change. Reads the missing rows. */
  show(from: number, to: number): void {
    this.#from = Math.max(0, from);
    this.#to = to;
    if (this.#isFilling) return;
    this.#isFilling = true;
    void this.#fill().finally(() => (this.#isFilling = false));
  }

  /** Reads everything again after a fault. */
  retry(): void {
    this.fault = null;
    if (this.#index) void this.#read();
    else void this.#open();
  }

  /** A run by its id, if its row has been read. */
  find(id: string): RunSummary | null {
    for (const [page, rows] of this.#pages) {
      const place = rows.findIndex((row) => row.id === id);
      if (place >= 0) return this.row(page * PAGE + place);
    }
    return null;
  }

  /** Shows the new state of a run that this tab has changed, without waiting for the index. */
  put(run: Run): void {
    if (this.find(run.id)) this.#newer = mapOf([...this.#newer, [run.id, summarize(run)]]);
  }

  /** Ids of all runs that match the filter, in the order of the list. */
  async ids(): Promise<readonly string[]> {
    return (await this.#opened()).ids(this.#query(), this.#closing.signal);
  }

  /** Ids of rows `from` to `to`, both included. */
  async idsBetween(from: number, to: number): Promise<readonly string[]> {
    const rows = await (await this.#opened()).rows(this.#query(), from, to - from + 1, this.#closing.signal);
    return rows.map(({ id }) => id);
  }

  /** Computes the missing vectors (embeddings). A search by meaning finds a run as soon as its vector is stored. */
  async embedMissing(onprogress: ProgressListener, signal: AbortSignal): Promise<void> {
    const listener: ProgressListener = (done, of) => {
      onprogress(done, of);
      this.refresh();
    };
    try {
      await (await this.#opened()).embedMissing(this.#query().filter, listener, signal);
    } finally {
      this.refresh();
    }
  }

  /** Whether a run is running in another tab, so that no action is possible here. */
  isElsewhere({ id, status }: RunSummary): boolean {
    return status === 'running' && this.#services.runs.live(id) === null;
  }

  /** Reads the list again after a short delay. Call when runs have changed. */
  refresh(): void {
    if (this.#closing.signal.aborted) return;
    const { indexed, of } = this.#index?.state() ?? this.indexState;
    const delay = of - indexed > MANY ? REFRESH_DELAY_WHILE_INDEXING : REFRESH_DELAY;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#readAll();
    }, delay);
  }

  async #opened(): Promise<RunIndex> {
    return (this.#index ??= await this.#services.runIndex());
  }

  async #open(): Promise<void> {
    try {
      const index = await this.#opened();
      if (this.#closing.signal.aborted) return;
      const { runs } = this.#services;
      const leaves = [index.listen(() => this.refresh()), runs.listen(() => this.refresh())];
      this.#leave = () => leaves.forEach((leave) => leave());
      for (const live of runs.liveRuns()) void live.done.then(() => this.refresh());
      await this.#readAll();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #close(): void {
    this.#closing.abort();
    this.#reading?.abort();
    clearTimeout(this.#timer);
    this.#leave();
  }

  /**
   * Reads totals and rows together, so that they agree. Reads again until all texts are searched. A newer read aborts an older
   * read.
   */
  async #read(): Promise<void> {
    const index = this.#index;
    if (!index || this.#closing.signal.aborted) return;
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const query = this.#query();
    const isSame = this.#shown !== null && runQueryText(query) === runQueryText(this.#shown);
    // A new query begins at its first row.
    const numbers = isSame ? this.#pagesInView() : [0];
    const { without } = query.filter;
    this.isReading = !isSame;
    try {
      const [totals, all, nearness, ...rows] = await Promise.all([
        index.totals(query.filter, signal, EARLY),
        index.totals({ ...ALL_RUNS, without }, signal),
        comparesMeaning(query.filter) ? index.nearness(query.filter, signal) : null,
        ...numbers.map((page) => index.rows(query, page * PAGE, PAGE, signal, EARLY)),
      ]);
      if (signal.aborted) return;
      this.#pages = mapOf(numbers.map((page, place) => [page, this.#newest(rows[place] ?? [])] as const));
      this.#newer = mapOf([...this.#newer].filter(([id]) => this.find(id) !== null));
      this.#shown = query;
      this.totals = totals;
      this.all = all;
      this.nearness = nearness;
      this.indexState = index.state();
      this.fault = null;
      if (!isSame) this.#from = 0;
    } catch (thrown) {
      this.#fail(thrown);
    }
    if (signal.aborted) return;
    this.isReading = false;
    if (this.fault === null && (this.totals?.unsearched ?? 0) > 0) await this.#read();
  }

  async #readAll(): Promise<void> {
    await this.#read();
    // Every indexed run changes the facets. So they are read once during indexing, and again after it.
    if (!this.isIndexing || this.facets === null) await this.#readFacets();
  }

  async #readFacets(): Promise<void> {
    try {
      this.facets = (await this.#index?.facets(this.#closing.signal)) ?? null;
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** Reads the missing pages in view one by one. After each page, checks again which rows are in view. */
  async #fill(): Promise<void> {
    try {
      for (;;) {
        const { signal } = this.#reading ?? this.#closing;
        const query = this.#shown;
        const page = this.#pagesInView().find((each) => !this.#pages.has(each));
        if (!this.#index || query === null || page === undefined || signal.aborted) return;
        const rows = await this.#index.rows(query, page * PAGE, PAGE, signal, EARLY);
        if (query !== this.#shown) continue;
        const kept = [...this.#pages].slice(1 - MOST_PAGES);
        this.#pages = mapOf([...kept, [page, this.#newest(rows)]]);
      }
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #pagesInView(): readonly number[] {
    const last = Math.min(this.#to, Math.max(0, this.length - 1));
    const first = Math.floor(Math.min(this.#from, last) / PAGE);
    return Array.from({ length: Math.floor(last / PAGE) - first + 1 }, (_, place) => first + place);
  }

  /** Replaces the summaries of runs that are live in this tab, because these runs are ahead of the index. */
  #newest(rows: readonly RunSummary[]): readonly RunSummary[] {
    return rows.map((summary) => {
      const live = this.#services.runs.live(summary.id);
      return live ? summarize(live.run) : summary;
    });
  }

  #fail(thrown: unknown): void {
    if (!isAbort(thrown)) this.fault = toFault(thrown);
  }
}
