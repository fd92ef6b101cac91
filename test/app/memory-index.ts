/**
 * @file A fake `RunIndex`, for which a test sets the progress of indexing and the result of searches by meaning. By contrast,
 * `memoryIndex` in `test/fixtures` is the real index without its Web Worker.
 */
import {
  isSampleRun,
  rewardOfSummary,
  type ChangeNotices,
  comparesMeaning,
  type FacetValue,
  type IndexState,
  type Nearness,
  type NumberRange,
  type ProgressListener,
  type RunFacets,
  type RunFilter,
  type RunIndex,
  type RunQuery,
  type RunSort,
  type RunStore,
  type RunSummary,
  type RunTotals,
} from '../../src/core/contract';

export class MemoryIndex implements RunIndex {
  /** The progress of indexing to report. `null` if all runs are indexed. */
  progress: IndexState | null = null;
  /** The result of any search by meaning. `null` if there is no sentence model. */
  near: Nearness | null = null;
  /** Called by `embedMissing`. Does nothing by default. */
  embed: (onprogress: ProgressListener, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  /** The queries so far, such as `rows 0 100` and `totals`. */
  readonly queries: string[] = [];
  readonly #store: Pick<RunStore, 'summaries'>;
  readonly #listeners = new Set<() => void>();
  #count = 0;

  /** @param notices each notice calls the listeners */
  constructor(store: Pick<RunStore, 'summaries'>, notices: ChangeNotices) {
    this.#store = store;
    notices.listen(() => this.changed());
    notices.listenAll(() => this.changed());
  }

  /** Calls the listeners. */
  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  async totals(filter: RunFilter, signal: AbortSignal): Promise<RunTotals> {
    this.queries.push('totals');
    const runs = await this.#matches(filter, signal);
    const sum = (value: (summary: RunSummary) => number) => runs.reduce((whole, run) => whole + value(run), 0);
    const those = (is: (summary: RunSummary) => boolean) => runs.filter(is).length;
    const rewards = runs.flatMap((run) => rewardOfSummary(run) ?? []);
    return {
      runs: runs.length,
      right: those(({ correct }) => correct === true),
      wrong: those(({ correct }) => correct === false),
      ungraded: those(({ correct }) => correct === null),
      valid: those(({ isValid }) => isValid === true),
      invalid: those(({ isValid }) => isValid === false),
      rewarded: rewards.length,
      rewards: rewards.reduce<number>((whole, reward) => whole + reward, 0),
      usd: sum(({ usd }) => usd),
      madeUpUsd: runs.reduce((whole, { id, usd }) => whole + (isSampleRun(id) ? usd : 0), 0),
      judgeUsd: 0,
      unpriced: sum(({ unpriced }) => unpriced),
      tokens: sum(({ tokens }) => tokens),
      time: sum(({ time }) => time),
      simulated: those(({ simulated }) => simulated),
      unsearched: 0,
    };
  }

  async rows({ filter, sort }: RunQuery, from: number, most: number, signal: AbortSignal) {
    this.queries.push(`rows ${from} ${most}`);
    return (await this.#sorted(filter, sort, signal)).slice(from, from + most);
  }

  async ids({ filter, sort }: RunQuery, signal: AbortSignal) {
    this.queries.push('ids');
    return (await this.#sorted(filter, sort, signal)).map(({ id }) => id);
  }

  async facets(): Promise<RunFacets> {
    const all = await this.#all();
    const facet = (values: (summary: RunSummary) => readonly string[]): FacetValue[] => {
      const counts = new Map<string, number>();
      for (const value of all.flatMap(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts].map(([value, runs]) => ({ value, runs })).toSorted((one, other) => other.runs - one.runs);
    };
    return {
      conductors: facet(({ conductor }) => [conductor]),
      workers: facet(({ workers }) => workers),
      providers: [],
      labels: facet(({ labels }) => labels),
      batches: facet(({ batch }) => (batch === undefined ? [] : [batch])),
    };
  }

  async thread(runId: string) {
    const all = await this.#all();
    const own = all.find(({ id }) => id === runId)?.thread?.id ?? runId;
    const runs = all.filter((run) => (run.thread?.id ?? run.id) === own);
    return runs.length < 2 ? [] : runs.toReversed();
  }

  async sameQuestion(runId: string, most: number) {
    const all = await this.#all();
    const question = all.find(({ id }) => id === runId)?.question;
    return all.filter((run) => run.id !== runId && run.question === question).slice(0, most);
  }

  figures(): Promise<unknown> {
    return Promise.reject(new Error('This index has no figures.'));
  }

  nearness(): Promise<Nearness | null> {
    this.queries.push('nearness');
    return Promise.resolve(this.near);
  }

  embedMissing(_filter: RunFilter, onprogress: ProgressListener, signal: AbortSignal): Promise<void> {
    return this.embed(onprogress, signal);
  }

  state(): IndexState {
    return this.progress ?? { indexed: this.#count, of: this.#count };
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #all(): Promise<readonly RunSummary[]> {
    const { summaries } = await this.#store.summaries({ limit: Infinity });
    this.#count = summaries.length;
    return summaries;
  }

  async #matches(filter: RunFilter, signal: AbortSignal): Promise<readonly RunSummary[]> {
    const all = await this.#all();
    signal.throwIfAborted();
    if (!comparesMeaning(filter)) return all.filter((run) => isMatch(run, filter));
    const near = all.filter(({ id }) => this.near?.similarities[id] !== undefined);
    return near.filter((run) => isMatch(run, { ...filter, words: '' }));
  }

  async #sorted(filter: RunFilter, { by, descending }: RunSort, signal: AbortSignal): Promise<readonly RunSummary[]> {
    const key = (run: RunSummary): string | number => {
      if (by === 'grade') return run.correct === null ? -1 : Number(run.correct);
      if (by === 'similarity') return this.near?.similarities[run.id] ?? -1;
      if (by === 'reward') return rewardOfSummary(run) ?? -1;
      return by === 'shape' ? run.steps : run[by];
    };
    const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);
    const runs = await this.#matches(filter, signal);
    return runs.toSorted((one, other) => (descending ? -1 : 1) * compare(key(one), key(other)));
  }
}

function isMatch(run: RunSummary, filter: RunFilter): boolean {
  const has = <Value>(wanted: readonly Value[], values: readonly Value[]) =>
    wanted.length === 0 || wanted.some((value) => values.includes(value));
  const is = (wanted: boolean | null, value: boolean) => wanted === null || wanted === value;
  const within = ({ least, most }: NumberRange, value: number) =>
    (least === null || value >= least) && (most === null || value <= most);
  const text = [run.question, run.title, run.note, ...run.labels].join('\n').toLowerCase();
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const reward = rewardOfSummary(run);
  const { shapes, roles, domains, providers, steps, spentOn } = filter;
  const isOfNoShape =
    [shapes, roles, domains, providers, steps, spentOn].every(({ length }) => length === 0) &&
    filter.grammar === null &&
    filter.decided === null;
  return (
    isOfNoShape &&
    words.every((word) => text.includes(word)) &&
    has(filter.conductors, [run.conductor]) &&
    has(filter.workers, run.workers) &&
    has(filter.grades, [run.correct === null ? 'none' : run.correct ? 'right' : 'wrong']) &&
    has(filter.rewards, reward === null ? [] : [reward]) &&
    has(filter.validities, [run.isValid === undefined ? 'unknown' : run.isValid ? 'valid' : 'invalid']) &&
    has(filter.statuses, [run.status]) &&
    has(filter.labels, run.labels) &&
    has(filter.batches, run.batch === undefined ? [] : [run.batch]) &&
    is(filter.priced, run.unpriced === 0) &&
    is(filter.simulated, run.simulated) &&
    is(filter.imported, run.imported === true) &&
    is(filter.starred, run.starred === true) &&
    within(filter.usd, run.usd) &&
    within(filter.time, run.time) &&
    within(filter.rounds, run.rounds) &&
    within(filter.startedAt, run.startedAt) &&
    !filter.without.includes(run.id)
  );
}
