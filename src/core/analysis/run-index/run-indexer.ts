/**
 * @file Keeps the index up to date with the saved runs, and answers queries about them. The Web Worker of one tab writes the
 * stored index. The Web Workers of other tabs read the index, and update their copy when the writer reports changes.
 */
import {
  type ChangeNotices,
  type IndexChange,
  type IndexHead,
  type IndexNotices,
  type IndexRecords,
  type IndexState,
  type Locks,
  type RunStore,
  type Unindexed,
  type VectorRecords,
  unlessAborted,
} from '../../contract';
import { answer } from './answer';
import { DeletedTexts } from './deleted-texts';
import { INDEX_VERSION, readEntries, readTexts, type Entry, type TruthOf } from './entry';
import { loadIndex, readStoredEntry } from './load-index';
import type { IndexQuestion } from './messages';
import { QuestionVectors } from './question-vectors';
import { RunSearch, type Figure } from './run-search';
import { SummaryCache } from './summary-cache';

export interface RunIndexerOptions {
  readonly store: Pick<RunStore, 'summaries' | 'summary' | 'readMany' | 'count'>;
  readonly records: IndexRecords;
  readonly vectors: VectorRecords;
  readonly locks: Locks;
  /** Name of the lock held by the Web Worker that writes the index. */
  readonly lock: string;
  readonly notices: Pick<ChangeNotices, 'listen' | 'listenAll'>;
  /** Notices between the Web Workers of all tabs. */
  readonly indexNotices: IndexNotices;
  /** Functions that compute the data of plots, by name. */
  readonly figures: Readonly<Record<string, Figure>>;
  /** Which earlier answers of a run with verdicts are right. Absent: nothing is known of them. */
  readonly truthOf?: TruthOf;
  readonly newEpoch: () => string;
  /** Pauses, so that other work can run. */
  readonly pause: () => Promise<void>;
  readonly onChange: (state: IndexState) => void;
  /** Called with an error that did not occur in a query. */
  readonly report: (thrown: unknown) => void;
  /** Number of runs in a chunk, which is a part of the index that is stored together. Default 4096. */
  readonly chunkRuns?: number;
}

/** A run to index. */
interface Slice {
  readonly id: string;
  /** See `Unindexed`. `null`: the run was stored before there was an index. */
  readonly mark: number | null;
}

/** Number of runs that are read together. */
const SLICE = 32;
const CHUNK_RUNS = 4096;

export class RunIndexer {
  readonly #options: RunIndexerOptions;
  readonly #summaries: SummaryCache;
  readonly #over = new AbortController();
  /** Runs that were indexed while in progress. They stay marked as unindexed, so that they are indexed again when they change. */
  readonly #inProgress = new Map<string, { readonly mark: number; readonly lastSeq: number }>();
  /** Chunks in which some rows are out of date but not yet marked as such in the stored index. */
  readonly #touched = new Set<number>();
  readonly #deletedTexts: DeletedTexts;
  readonly #vectors: QuestionVectors;
  #search: RunSearch;
  #head: IndexHead | null = null;
  #nextChunk = 0;
  #of = 0;
  #isBehind = true;
  /** Number of runs outside chunks when the stored index was last read. */
  #loadedTail = 0;
  /** Whether this Web Worker writes the stored index. */
  #isWriter = false;
  #work: Promise<void> = Promise.resolve();
  #queued = false;
  /** Resolves when the stored index has been read. Queries wait for this, but not for the index to be up to date. */
  #opened: Promise<void> | null = null;
  /** Whether runs were added, changed or removed since `onChange` was last called. */
  #isNew = true;

  constructor(options: RunIndexerOptions) {
    this.#options = options;
    this.#summaries = new SummaryCache((places) => options.records.summaries(places));
    this.#deletedTexts = new DeletedTexts(options);
    this.#vectors = new QuestionVectors(options.vectors);
    this.#search = new RunSearch(this.#vectors);
    const { notices, indexNotices } = options;
    const unsubscribe = [
      notices.listen((runId) => {
        this.#summaries.forget(runId);
        this.catchUp();
      }),
      notices.listenAll(() => {
        this.#summaries.clear();
        this.#queue(() => this.#checkEpoch());
        this.catchUp();
      }),
      indexNotices.listen((ids) => this.#queue(() => this.#follow(ids))),
    ];
    this.#over.signal.addEventListener('abort', () => unsubscribe.forEach((stop) => stop()));
    this.#whenOpen().catch(() => undefined);
  }

  get #chunkRuns(): number {
    return this.#options.chunkRuns ?? CHUNK_RUNS;
  }

  get state(): IndexState {
    const indexed = this.#search.runs.size;
    return { indexed, of: this.#isBehind ? Math.max(this.#of, indexed) : indexed };
  }

  /** Resolves when all queued work has ended. */
  settle(): Promise<void> {
    return this.#work;
  }

  /**
   * Indexes the runs that changed. Called after each notice. The owner of the indexer also calls it regularly, because not
   * every change causes a notice.
   */
  catchUp(): void {
    if (this.#queued) return;
    this.#queued = true;
    this.#queue(async () => {
      this.#queued = false;
      await this.#catchUp();
    });
  }

  /** Ends all work, so that the Web Worker of another tab can become the writer. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }

  async answer(question: IndexQuestion, signal: AbortSignal): Promise<unknown> {
    await unlessAborted(this.#whenOpen(), signal);
    const { store, figures } = this.#options;
    const search = () => this.#search;
    return answer(question, { search, summaries: this.#summaries, vectors: this.#vectors, store, figures }, signal);
  }

  #queue(work: () => Promise<void>): void {
    this.#work = this.#work.then(() => (this.#over.signal.aborted ? undefined : work())).catch(this.#options.report);
  }

  /** Opens the index once. After a failure, the next query tries again. */
  #whenOpen(): Promise<void> {
    this.#opened ??= this.#reopen();
    return this.#opened;
  }

  #reopen(): Promise<void> {
    const opened = this.#work.then(() => this.#open());
    this.#work = opened.catch(() => {
      this.#opened = null;
    });
    this.catchUp();
    return opened;
  }

  /** Reads the stored index, and becomes its writer if no other tab is the writer. */
  async #open(): Promise<void> {
    const { locks, lock } = this.#options;
    const release = await locks.acquire(lock);
    this.#isWriter = release !== null;
    try {
      await this.#load();
    } catch (thrown) {
      this.#isWriter = false;
      release?.();
      throw thrown;
    }
    if (release) this.#over.signal.addEventListener('abort', release);
    else this.#reopenWhenFree();
  }

  #reopenWhenFree(): void {
    const { locks, lock } = this.#options;
    locks.whenFree(lock, this.#over.signal).then(
      () => this.#reopen().catch(() => undefined),
      () => undefined,
    );
  }

  async #load(): Promise<void> {
    const { records } = this.#options;
    const loaded = await loadIndex(records, this.#vectors);
    this.#summaries.clear();
    this.#inProgress.clear();
    this.#touched.clear();
    this.#deletedTexts.forget();
    this.#search = loaded?.search ?? new RunSearch(this.#vectors);
    this.#loadedTail = this.#search.runs.tailRows;
    this.#nextChunk = loaded?.nextChunk ?? 0;
    this.#head = loaded?.head ?? null;
    this.#isNew = true;
    if (this.#isWriter && !this.#head) {
      this.#head = { version: INDEX_VERSION, epoch: this.#options.newEpoch(), backfill: { after: null } };
      await records.begin(this.#head);
      this.#options.indexNotices.notify(null);
    }
    await this.#dropWornChunks();
    await this.#removeDeletedTexts();
    await this.#changed(true);
  }

  async #catchUp(): Promise<void> {
    if (this.#isWriter) {
      await this.#indexMarked();
      await this.#fillIn();
      if (this.#deletedTexts.isDue) await this.#removeDeletedTexts();
    }
    // The writer is up to date now. A Web Worker that only reads the index may not be.
    await this.#changed(!this.#isWriter);
  }

  /** Indexes the runs that are marked because they were written or deleted. */
  async #indexMarked(): Promise<void> {
    for (let after: string | null = null; !this.#over.signal.aborted;) {
      const marked: readonly Unindexed[] = await this.#options.records.unindexed(after, SLICE);
      const due = await this.#dueOf(marked);
      if (due.length > 0) await this.#slice(due);
      after = marked.at(-1)?.id ?? null;
      if (marked.length < SLICE) return;
    }
  }

  /** Leaves out runs in progress that have not changed since they were indexed. */
  async #dueOf(marked: readonly Unindexed[]): Promise<readonly Unindexed[]> {
    const isDue = await Promise.all(
      marked.map(async ({ id, mark }) => {
        const known = this.#inProgress.get(id);
        return known?.mark !== mark || known.lastSeq !== (await this.#options.store.summary(id))?.lastSeq;
      }),
    );
    return marked.filter((_, index) => isDue[index]);
  }

  /** Indexes the runs that were stored before there was an index. */
  async #fillIn(): Promise<void> {
    for (let backfill = this.#head?.backfill; backfill && !this.#over.signal.aborted; backfill = this.#head?.backfill) {
      const { summaries, next } = await this.#options.store.summaries({ limit: SLICE, after: backfill.after });
      const runs = summaries.map(({ id }) => ({ id, mark: null }));
      await this.#slice(runs, next === null ? null : { after: next });
      // Runs that changed in the meantime are indexed before the next slice of older runs.
      await this.#indexMarked();
    }
  }

  async #slice(runs: readonly Slice[], backfill?: IndexHead['backfill']): Promise<void> {
    await this.#index(runs, backfill);
    if (this.#search.runs.tailRows >= this.#chunkRuns) await this.#seal();
    await this.#changed(true);
  }

  async #index(runs: readonly Slice[], backfill: IndexHead['backfill'] | undefined): Promise<void> {
    const head = this.#head;
    if (!head) return;
    const read = await readEntries(
      this.#options.store,
      runs.map(({ id }) => id),
      this.#options.truthOf,
    );
    const entries = runs.map(({ id, mark }, index) => {
      const entry = read[index] ?? null;
      const summary = entry?.run.summary;
      const isInProgress = summary?.status === 'running';
      if (mark !== null && isInProgress) this.#inProgress.set(id, { mark, lastSeq: summary.lastSeq });
      else this.#inProgress.delete(id);
      return { id, entry, mark: isInProgress ? null : mark };
    });
    for (const { id, entry } of entries) {
      const chunk = this.#search.runs.chunkOf(id);
      if (chunk !== null) this.#touched.add(chunk);
      this.#apply(id, entry);
    }
    // If the commit throws, `#touched` still contains these chunks. The next commit then stores their marks.
    const dead = [...this.#touched].map((chunk) => ({ chunk, marks: this.#search.runs.deadOf(chunk) }));
    const change: IndexChange = { epoch: head.epoch, entries, dead, ...(backfill === undefined ? {} : { backfill }) };
    if (!(await this.#options.records.commit(change))) return this.#load();
    this.#touched.clear();
    if (backfill !== undefined) this.#head = { ...head, backfill };
    this.#options.indexNotices.notify(runs.map(({ id }) => id));
  }

  /** Reads the index again if the stored index was replaced or deleted, for example because all runs were deleted. */
  async #checkEpoch(): Promise<void> {
    const epoch = this.#head?.epoch;
    if (!this.#isWriter || epoch === undefined) return;
    if (!(await this.#options.records.commit({ epoch, entries: [], dead: [] }))) await this.#load();
  }

  #apply(id: string, entry: Entry | null): void {
    this.#summaries.forget(id);
    this.#isNew = true;
    if (entry) this.#search.runs.put(entry);
    else {
      this.#search.runs.remove(id);
      this.#deletedTexts.note();
    }
  }

  async #seal(): Promise<void> {
    const { records, pause } = this.#options;
    const head = this.#head;
    this.#search.runs.tidy();
    if (!head || this.#search.runs.tailRows < this.#chunkRuns) return;
    const chunk = await this.#search.runs.chunkTail(pause);
    const number = this.#nextChunk;
    this.#nextChunk += 1;
    if (await records.seal({ epoch: head.epoch, chunk: number, dead: null, ...chunk })) {
      this.#search.runs.seal(number, chunk, async (blocks) => (await records.texts(number, blocks)).map(readTexts));
    } else {
      await this.#load();
    }
  }

  /** Deletes chunks in which most rows are out of date. The runs in the other rows are indexed again. */
  async #dropWornChunks(): Promise<void> {
    const epoch = this.#head?.epoch;
    if (!this.#isWriter || epoch === undefined) return;
    for (const chunk of this.#search.runs.worn()) {
      if (!(await this.#options.records.drop(epoch, chunk, this.#search.runs.idsOf(chunk)))) return this.#load();
      this.#search.runs.drop(chunk);
    }
  }

  async #removeDeletedTexts(): Promise<void> {
    const epoch = this.#head?.epoch;
    if (!this.#isWriter || epoch === undefined) return;
    const removed = await this.#deletedTexts.remove(epoch, this.#search.runs);
    if (removed === 'other-index') await this.#load();
    if (removed === 'dropped') this.catchUp();
  }

  /** Reads runs that another tab has indexed. */
  async #follow(ids: readonly string[] | null): Promise<void> {
    if (this.#isWriter) return;
    if (ids === null) return this.#load();
    const stored = await this.#options.records.entries(ids);
    const missing = ids.filter((_, index) => stored[index] === undefined);
    // An entry is missing if its run was deleted meanwhile, or if the entry was moved into a chunk.
    const read = new Map<string, Entry | null>();
    for (const [index, entry] of (await readEntries(this.#options.store, missing, this.#options.truthOf)).entries())
      read.set(missing[index] ?? '', entry);
    for (const [index, id] of ids.entries()) this.#apply(id, readStoredEntry(stored[index]) ?? read.get(id) ?? null);
    // The tail (the runs outside chunks) has grown by the size of a chunk, so the writer has moved most of it
    // into a chunk. Reading the index again saves memory, because runs take less memory in a chunk.
    if (this.#search.runs.tailRows - this.#loadedTail >= this.#chunkRuns) return this.#load();
    await this.#changed(this.#isBehind);
  }

  /** Calls `onChange` if runs or the progress of indexing have changed. */
  async #changed(isBehind: boolean): Promise<void> {
    const before = this.state;
    this.#of = await this.#options.store.count();
    this.#isBehind = isBehind && this.#search.runs.size < this.#of;
    const { state } = this;
    if (!this.#isNew && state.of === before.of && state.indexed === before.indexed) return;
    this.#isNew = false;
    this.#options.onChange(state);
  }
}
