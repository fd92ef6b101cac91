/**
 * @file Collects the newest graded runs for Conductors that use them for planning. The stored runs are read once. After that,
 * only changed runs are updated.
 */
import { hasVerdicts } from '../analysis/checked-answers';
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

/** Maximum number of graded runs outside of batches. Only the newest ones count. */
const MOST_GRADED = 500;
/**
 * Maximum number of graded runs of batches. It is a separate limit, because one batch may have thousands of runs, which
 * would displace all others.
 */
const MOST_OF_BATCHES = 250;
/** Maximum number of run summaries that are searched for graded runs. */
const MOST_SEEN = 10_000;
/** Number of run summaries that are read at once. */
const PAGE = 200;
/** Number of runs whose events are read at once. */
const TOGETHER = 50;

/** Longest time that a plan waits for a sentence model, ms. */
export const PLAN_PATIENCE = 400;

/** The earlier runs that Conductors use for planning. */
export interface PlanHistory {
  readonly history: readonly GradedRun[];
  /** Embeddings of the new question and of the questions of these runs, if a sentence model could embed all of them. */
  readonly embeddings?: QuestionEmbeddings;
}

export class RunHistory {
  readonly #store: RunStore;
  readonly #clock: Clock;
  readonly #embedder: QuestionEmbedder | undefined;
  readonly #countsImported: () => boolean;
  /** The result of `#countsImported()` at the latest call of `runs`. */
  #counted = false;
  #entries = new Map<string, GradedRun>();
  /** Runs that changed in this tab. Their entries are updated by the next call of `runs`. */
  readonly #changed = new Map<string, Run>();
  /** Ids of runs that changed in other tabs. Their entries are updated by the next call of `runs`. */
  readonly #stale = new Set<string>();
  #loading: Promise<void> | null = null;
  /** Whether the history has been requested. */
  #isUsed = false;

  /** @param countsImported whether grades from imported files count now */
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

  /** The graded runs. Returns the same object for a run until the run changes or the history is reset. */
  async runs(): Promise<readonly GradedRun[]> {
    this.#isUsed = true;
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
   * The graded runs, and embeddings of their questions and of the new question.
   * @param patience longest wait for a sentence model, ms. If the model takes longer, the result has no
   * embeddings
   */
  async historyFor(question: string, signal: AbortSignal, patience: number): Promise<PlanHistory> {
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
      // Prevents an unhandled rejection, because nothing awaits the work anymore.
      work.catch(() => undefined);
    }
  }

  /** Updates a run that has changed in this tab. */
  update(run: Run): void {
    // The first call of `runs` reads the store, so earlier changes need not be kept in memory.
    if (!this.#isUsed) return;
    this.#stale.delete(run.id);
    this.#changed.set(run.id, run);
  }

  /** Marks a run that another tab changed. The next call of `runs` reads it again. */
  mark(runId: string): void {
    if (this.#isUsed) this.#stale.add(runId);
  }

  forget(runId: string): void {
    this.#changed.delete(runId);
    this.#entries.delete(runId);
  }

  /** Clears all entries. The next call of `runs` reads the store again. */
  reset(): void {
    this.#entries = new Map();
    this.#changed.clear();
    this.#stale.clear();
    this.#loading = null;
  }

  async #load(): Promise<void> {
    let after: string | null = null;
    let [own, ofBatches] = [0, 0];
    for (let seen = 0; seen < MOST_SEEN && own < MOST_GRADED; seen += PAGE) {
      const page = await this.#store.summaries({ limit: PAGE, after });
      const wanted: string[] = [];
      for (const summary of page.summaries) {
        if (!mayCount(summary, this.#counted)) continue;
        const isWanted = summary.batch === undefined ? own++ < MOST_GRADED : ofBatches++ < MOST_OF_BATCHES;
        if (isWanted) wanted.push(summary.id);
      }
      for (let from = 0; from < wanted.length; from += TOGETHER) {
        await this.#count(wanted.slice(from, from + TOGETHER));
      }
      after = page.next;
      if (after === null) return;
    }
  }

  async #refresh(): Promise<void> {
    const changed = [...this.#changed.values()];
    await this.#countRuns(changed);
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
    await this.#countRuns(read.flatMap((events) => foldEvents(events) ?? []));
  }

  async #countRuns(runs: readonly Run[]): Promise<void> {
    if (runs.length === 0) return;
    // Lazy-loads the rules that read roles from wording. The first plan of a first visit does not need them.
    const { gradedRunOf } = await import('./graded-run');
    for (const run of runs) {
      const entry = gradedRunOf(run, this.#counted);
      if (entry) this.#entries.set(run.id, { ...entry, ...(await checksOf(run, entry)) });
      else this.#entries.delete(run.id);
    }
    this.#forgetOldest(MOST_GRADED, ({ isOfBatch = false }) => !isOfBatch);
    this.#forgetOldest(MOST_OF_BATCHES, ({ isOfBatch = false }) => isOfBatch);
  }

  /** Of the entries for which `isConcerned` is true, deletes all but the newest `most`. */
  #forgetOldest(most: number, isConcerned: (run: GradedRun) => boolean): void {
    const runs = [...this.#entries.values()].filter(isConcerned);
    if (runs.length <= most) return;
    const oldest = runs.toSorted((one, other) => one.startedAt - other.startedAt);
    for (const { runId } of oldest.slice(0, runs.length - most)) this.#entries.delete(runId);
  }
}

/** The checks in a graded run. Lazy-loads the rules that compare answers, because most runs have no verdicts. */
async function checksOf(run: Run, { right }: GradedRun): Promise<Pick<GradedRun, 'checks'>> {
  if (!hasVerdicts(run)) return {};
  const { gradedChecks } = await import('./graded-checks');
  const checks = gradedChecks(run, right);
  return checks.length > 0 ? { checks } : {};
}
