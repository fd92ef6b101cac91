/** @file The runs of the Compare page: read from storage, and kept up to date while they run. */
import { isAbort, toFault, type Fault, type Run, type RunSummary } from '../../core/contract';
import type { RunIndexServices, RunServices, StorageServices } from '../services';

type Needed = Pick<RunServices, 'runs'> & Pick<StorageServices, 'notices'> & RunIndexServices;

/** A run of the comparison. If an entry is loaded and has neither `run` nor `fault`, the run is missing. */
export interface ComparedEntry {
  readonly id: string;
  readonly isLoading: boolean;
  readonly run: Run | null;
  /** Why the run could not be read. */
  readonly fault: Fault | null;
}

/** Minimum interval between two reads of a running run, ms. Its texts need not be compared after every new word. */
const PAUSE = 500;
/** Maximum number of runs on the same question that the page offers to compare. */
const MOST_OFFERED = 50;

export class ComparedRuns {
  /** The compared runs, in the order of the page. */
  entries: readonly ComparedEntry[] = $state.raw([]);
  /** Saved runs on the question of the first run, newest first. `null` until they are known. */
  sameQuestion: readonly RunSummary[] | null = $state.raw(null);
  /** Why the runs on the same question could not be found. */
  searchFault: Fault | null = $state.raw(null);

  readonly isLoading: boolean = $derived.by(() => this.entries.some((entry) => entry.isLoading));

  readonly #services: Needed;
  readonly #closing = new AbortController();
  #leave: (() => void)[] = [];
  /** Subscriptions to runs that are live in this tab. */
  #followed: readonly { readonly id: string; readonly leave: () => void }[] = [];
  /** Timers of pending reads. */
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

  /** Unsubscribes from everything. */
  close(): void {
    this.#closing.abort();
    this.#search.abort();
    for (const leave of this.#leave) leave();
    for (const { leave } of this.#followed) leave();
    for (const { timer } of this.#due) clearTimeout(timer);
  }

  /** Shows these runs. Runs that are already shown are not read again. */
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
        // Until all runs are indexed, an empty result does not mean that there are no such runs.
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

  #readAll(): void {
    for (const { id } of this.entries) void this.#read(id);
  }

  /** Reads a run that has changed, at most twice a second. */
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
