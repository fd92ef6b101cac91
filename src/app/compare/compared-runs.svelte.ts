/** @file Loads the runs of the Compare page, and updates them while they are in progress. */
import { isAbort, toFault, type Fault, type Run, type RunSummary } from '../../core/contract';
import type { RunIndexServices, RunServices, StorageServices } from '../services';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'notices'> & RunIndexServices;

/** A compared run. If `isLoading` is false, and `run` and `fault` are both `null`, the run does not exist. */
export interface ComparedEntry {
  readonly id: string;
  readonly isLoading: boolean;
  readonly run: Run | null;
  /** Why loading the run failed. */
  readonly fault: Fault | null;
}

/** Minimum interval between two reads of a run in progress, ms. Comparing texts after every token would be wasteful. */
const PAUSE = 500;
/** Maximum number of suggested runs with the same question. */
const MOST_OFFERED = 50;

export class ComparedRuns {
  /** The compared runs, in the order in which the page shows them. */
  entries: readonly ComparedEntry[] = $state.raw([]);
  /** Saved runs with the same question as the first compared run, newest first. `null`: no result yet. */
  sameQuestion: readonly RunSummary[] | null = $state.raw(null);
  /** Why the search for runs with the same question failed. */
  searchFault: Fault | null = $state.raw(null);

  readonly isLoading: boolean = $derived.by(() => this.entries.some((entry) => entry.isLoading));

  readonly #services: Needed;
  readonly #closing = new AbortController();
  #leave: (() => void)[] = [];
  /** Subscriptions to runs that are in progress in this tab. */
  #followed: readonly { readonly id: string; readonly leave: () => void }[] = [];
  /** Timers of scheduled reads. */
  #due: readonly { readonly id: string; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  #search = new AbortController();
  #searchedFor: string | null = null;

  constructor(services: Needed) {
    this.#services = services;
    const { notices, runs } = services;
    this.#leave = [
      notices.listen((id) => void this.#changed(id)),
      notices.listenAll(() => this.#readAll()),
      runs.listen((id) => void this.#changed(id)),
    ];
  }

  /** Unsubscribes, and cancels pending work. */
  close(): void {
    this.#closing.abort();
    this.#search.abort();
    for (const leave of this.#leave) leave();
    for (const { leave } of this.#followed) leave();
    for (const { timer } of this.#due) clearTimeout(timer);
  }

  /** Shows these runs. Reads only runs that are not shown yet. */
  show(ids: readonly string[]): void {
    const known = this.entries;
    const entryOf = (id: string) => known.find((entry) => entry.id === id);
    this.entries = ids.map((id) => entryOf(id) ?? { id, isLoading: true, run: null, fault: null });
    for (const { id, leave } of this.#followed) if (!ids.includes(id)) leave();
    this.#followed = this.#followed.filter(({ id }) => ids.includes(id));
    for (const id of ids) if (!entryOf(id)) void this.#read(id);
    void this.#findSame(ids[0] ?? null);
  }

  async #findSame(id: string | null): Promise<void> {
    if (id === this.#searchedFor) return;
    this.#searchedFor = id;
    this.#search.abort();
    const search = new AbortController();
    this.#search = search;
    this.sameQuestion = null;
    this.searchFault = null;
    if (id === null) return;
    const { signal } = search;
    try {
      const index = await this.#services.runIndex();
      const find = async () => {
        const found = await index.sameQuestion(id, MOST_OFFERED, signal);
        const { indexed, of } = index.state();
        // Until all runs are indexed, an empty result may only mean that a match is not indexed yet.
        if (!signal.aborted && (found.length > 0 || indexed >= of)) this.sameQuestion = found;
      };
      signal.throwIfAborted();
      const again = () => void find().catch((thrown: unknown) => this.#searchFailed(thrown, signal));
      signal.addEventListener('abort', index.listen(again), { once: true });
      await find();
    } catch (thrown) {
      this.#searchFailed(thrown, signal);
    }
  }

  #searchFailed(thrown: unknown, signal: AbortSignal): void {
    if (!signal.aborted && !isAbort(thrown)) this.searchFault = toFault(thrown);
  }

  /** Reads all runs again, after other code has changed them. */
  refresh(): void {
    this.#readAll();
  }

  #readAll(): void {
    for (const { id } of this.entries) void this.#read(id);
  }

  /** Schedules a read of a changed run, unless a read is already scheduled. */
  #changed(id: string): void {
    if (this.#due.some((due) => due.id === id) || !this.entries.some((entry) => entry.id === id)) return;
    const read = () => {
      this.#due = this.#due.filter((due) => due.id !== id);
      void this.#read(id);
    };
    this.#due = [...this.#due, { id, timer: setTimeout(read, PAUSE) }];
  }

  async #read(id: string): Promise<void> {
    const { runs } = this.#services;
    try {
      const opened = await runs.open(id);
      this.#set(id, { id, isLoading: false, run: opened?.run ?? null, fault: null });
    } catch (thrown) {
      this.#set(id, { id, isLoading: false, run: null, fault: toFault(thrown) });
    }
    const live = runs.live(id);
    const isFollowed = this.#followed.some((followed) => followed.id === id);
    const isShown = this.entries.some((entry) => entry.id === id) && !this.#closing.signal.aborted;
    if (live?.run.status !== 'running' || isFollowed || !isShown) return;
    this.#followed = [...this.#followed, { id, leave: live.subscribe(() => this.#changed(id)) }];
  }

  #set(id: string, entry: ComparedEntry): void {
    if (this.#closing.signal.aborted) return;
    this.entries = this.entries.map((old) => (old.id === id ? entry : old));
  }
}
