/**
 * @file The newest graded runs, as Conductors that go by history are told of them. Read once, then kept up to date run by run.
 */
import {
  foldEvents,
  mayCount,
  unlessAborted,
  type Clock,
  type GradedRun,
  type QuestionEmbedder,
  type QuestionEmbeddings,
  type Run,
  type RunStore,
} from '../contract';

/** The newest graded runs that count, and how many runs are looked through to find them. */
const MOST_GRADED = 500;
const MOST_SEEN = 5000;
const PAGE = 200;
/** Runs read at once. */
const TOGETHER = 50;

/** ms that a plan waits for a sentence model. */
export const PLAN_PATIENCE = 400;

/** What Conductors are told of earlier runs. */
export interface ToldHistory {
  readonly history: readonly GradedRun[];
  /** The question asked and those of the runs, where a sentence model could place all of them. */
  readonly embeddings?: QuestionEmbeddings;
}

export class RunHistory {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #embedder: QuestionEmbedder | undefined;
  readonly #countsImported: () => boolean;
  /** As the entries were counted. */
  #counted = false;
  #entries = new Map<string, GradedRun>();
  /** Runs that changed since they were counted: in this tab, and in another one. */
  readonly #changed = new Map<string, Run>();
  readonly #stale = new Set<string>();
  #loading: Promise<void> | null = null;

  /** @param countsImported whether grades that came with a file count now */
  constructor(
    store: RunStore,
    clock: Clock,
    {
      embedder,
      countsImported,
    }: { readonly embedder: QuestionEmbedder | undefined; readonly countsImported: () => boolean },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#embedder = embedder;
    this.#countsImported = countsImported;
  }

  /** The graded runs. The same object stands for the same run for as long as its grade stays. */
  async runs(): Promise<readonly GradedRun[]> {
    const counts = this.#countsImported();
    if (counts !== this.#counted) this.reset();
    this.#counted = counts;
    this.#loading ??= this.#load().catch((thrown: unknown) => {
      this.#loading = null;
      throw thrown;
    });
    await this.#loading;
    await this.#refresh();
    return [...this.#entries.values()];
  }

  /**
   * The graded runs, and where their questions lie beside the one asked.
   * @param patience ms to wait for a sentence model at most; whoever cannot wait does without
   */
  async told(question: string, signal: AbortSignal, patience: number): Promise<ToldHistory> {
    const history = await this.runs();
    if (!this.#embedder || history.length === 0) return { history };
    const questions = new Set([question, ...history.map((run) => run.question)]);
    const embeddings = await this.#within(patience, this.#embedder.embed([...questions], signal), signal);
    return embeddings ? { history, embeddings } : { history };
  }

  async #within<T>(patience: number, work: Promise<T>, signal: AbortSignal): Promise<T | null> {
    if (patience === Infinity) return unlessAborted(work, signal);
    const over = new AbortController();
    const late = this.#clock.sleep(patience, over.signal).then(
      () => null,
      () => null,
    );
    try {
      return await unlessAborted(Promise.race([work, late]), signal);
    } finally {
      over.abort();
      // Where it fails after all, nobody waits for it.
      work.catch(() => undefined);
    }
  }

  /** Takes over a run whose grade has changed in this tab. */
  update(run: Run): void {
    this.#stale.delete(run.id);
    this.#changed.set(run.id, run);
  }

  /** Another tab changed the run: it is looked at again before the next count. */
  mark(runId: string): void {
    this.#stale.add(runId);
  }

  forget(runId: string): void {
    this.#changed.delete(runId);
    this.#entries.delete(runId);
  }

  /** Forgets what was counted; the next count begins from the store. */
  reset(): void {
    this.#entries = new Map();
    this.#changed.clear();
    this.#stale.clear();
    this.#loading = null;
  }

  async #load(): Promise<void> {
    let after: string | null = null;
    let graded = 0;
    for (let seen = 0; seen < MOST_SEEN && graded < MOST_GRADED; seen += PAGE) {
      const page = await this.#store.summaries({ limit: PAGE, after });
      const ids = page.summaries.filter((summary) => mayCount(summary, this.#counted)).map(({ id }) => id);
      const wanted = ids.slice(0, MOST_GRADED - graded);
      graded += wanted.length;
      for (let from = 0; from < wanted.length; from += TOGETHER) {
        await this.#count(wanted.slice(from, from + TOGETHER));
      }
      after = page.next;
      if (after === null) return;
    }
  }

  async #refresh(): Promise<void> {
    const changed = [...this.#changed.values()];
    await this.#take(changed);
    for (const run of changed) {
      if (this.#changed.get(run.id) === run) this.#changed.delete(run.id);
    }
    for (const runId of [...this.#stale]) {
      this.#stale.delete(runId);
      const summary = await this.#store.summary(runId);
      if (summary && mayCount(summary, this.#counted)) await this.#count([runId]);
      else this.#entries.delete(runId);
    }
  }

  async #count(runIds: readonly string[]): Promise<void> {
    const read = await this.#store.readMany(runIds);
    await this.#take(read.flatMap((events) => foldEvents(events) ?? []));
  }

  async #take(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    // Late, for the first plan of a first visit does without the rules that tell roles from wording.
    const { gradedRunOf } = await import('./graded-run');
    for (const run of runs) {
      const entry = gradedRunOf(run, this.#counted);
      if (entry) this.#entries.set(run.id, entry);
      else this.#entries.delete(run.id);
    }
    const tooMany = this.#entries.size - MOST_GRADED;
    if (tooMany <= 0) return;
    const oldest = [...this.#entries.values()].toSorted((one, other) => one.startedAt - other.startedAt);
    for (const { runId } of oldest.slice(0, tooMany)) this.#entries.delete(runId);
  }
}
