/**
 * @file Sends queries to the Web Worker that holds the index of saved runs. If the Web Worker crashes, the next query starts
 * another one.
 */
import type * as z from 'zod/mini';
import { ANSWERS, type IndexOrder, type IndexQuestion } from '../../core/analysis/run-index/messages';
import type { Near, SearchFilter } from '../../core/analysis/run-index/search-filter';
import {
  comparesMeaning,
  fault,
  FaultError,
  type IndexState,
  type ProgressListener,
  type QuestionEmbedder,
  type RunFilter,
  type RunIndex,
  type RunQuery,
} from '../../core/contract';
import { startWorker } from '../../platform/start-worker';
import { failingWith, WorkerLink } from '../../platform/worker-link';
import program from './index-worker?worker&url';

interface IndexDeskOptions {
  /** Name of the database with the runs. */
  readonly database: string;
  /** Computes the vectors of search texts, and of questions that have no vector yet. */
  readonly embedder: Pick<QuestionEmbedder, 'embed'>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

/**
 * Maximum number of questions in one reply that have no vector and were not tried before. The maximum is large, because the
 * Web Worker searches all runs for each reply.
 */
const AT_ONCE = 1000;
/** Number of questions whose vectors are computed together. */
const TOGETHER = 32;
/**
 * The minimum similarity of the questions that a search by meaning finds. Unrelated questions have similarities near 0. A grade
 * on a question of this similarity has almost no weight in `workerFeatures`.
 */
const LEAST_SIMILARITY = 0.28;
const NO_MODEL = 'The sentence model is not available. Check its state on Models.';

export function createIndexDesk({
  database,
  embedder,
  createWorker = () => startWorker(program, 'run index'),
}: IndexDeskOptions): RunIndex {
  const link = new WorkerLink<IndexOrder, unknown>({
    start: createWorker,
    read: (data) => data,
    errorOf,
    keep: Infinity,
  });
  const listeners = new Set<() => void>();
  let state: IndexState = { indexed: 0, of: 0 };
  let isFollowing = false;

  /** Receives the states of the index until the Web Worker fails. */
  async function follow(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    try {
      for await (const report of link.call({ database, question: null }, new AbortController().signal)) {
        state = ANSWERS.state.parse(report);
        for (const listener of [...listeners]) listener();
      }
    } catch {
      // The next question starts another Web Worker. If that fails too, the question fails.
    }
    isFollowing = false;
  }

  async function ask<Answer>(schema: z.ZodMiniType<Answer>, question: IndexQuestion, signal: AbortSignal) {
    void follow();
    return schema.parse(await link.ask({ database, question }, signal));
  }

  /** Adds the vector of the search text if the filter searches by meaning and the sentence model is available. */
  async function withNear(filter: RunFilter, signal: AbortSignal): Promise<SearchFilter> {
    const own = plain(filter);
    return comparesMeaning(own) ? { ...own, near: await nearTo(own.words.trim(), signal) } : own;
  }

  async function queryWithNear({ filter, sort }: RunQuery, signal: AbortSignal) {
    return { filter: await withNear(filter, signal), sort: plain(sort) };
  }

  async function nearTo(words: string, signal: AbortSignal): Promise<Near | undefined> {
    const embedded = await embedder.embed([words], signal);
    const vector = embedded?.vectors.get(words);
    if (!embedded || !vector) return undefined;
    const { by, storedAs } = embedded;
    return { by, model: storedAs, vector: [...vector], least: LEAST_SIMILARITY };
  }

  async function embedMissing(filter: RunFilter, onprogress: ProgressListener, signal: AbortSignal): Promise<void> {
    const words = filter.words.trim();
    const tried = new Set<string>();
    let of: number | null = null;
    for (let unstored = 0; ;) {
      const search = await withNear(filter, signal);
      if (!search.near) throw new FaultError(fault('internal', NO_MODEL));
      const most = AT_ONCE + unstored;
      const { questions, runs } = await ask(ANSWERS.missing, { type: 'missing', filter: search, most }, signal);
      of ??= runs;
      const done = Math.max(0, of - runs);
      onprogress(done, of);
      const untried = questions.filter((question) => !tried.has(question));
      // If the vector of a question could not be stored, the next reply contains this question again. `unstored`
      // is the number of such questions.
      const before = unstored;
      unstored = questions.length - untried.length;
      const isNothingStored = tried.size > 0 && unstored - before >= Math.min(AT_ONCE, tried.size);
      if (untried.length === 0 || isNothingStored) {
        if (unstored > 0) throw new FaultError(unstoredFault(unstored));
        return;
      }
      for (let from = 0; from < untried.length; from += TOGETHER) {
        const part = untried.slice(from, from + TOGETHER);
        if (!(await embedder.embed([words, ...part], signal, true))) throw new FaultError(fault('internal', NO_MODEL));
        onprogress(Math.min(of, done + from + part.length), of);
        for (const question of part) tried.add(question);
      }
    }
  }

  void follow();
  return {
    totals: async (filter, signal, options) =>
      ask(ANSWERS.totals, { type: 'totals', filter: await withNear(filter, signal), ...options }, signal),
    rows: async (query, from, most, signal, options) =>
      ask(
        ANSWERS.summaries,
        { type: 'rows', query: await queryWithNear(query, signal), from, most, ...options },
        signal,
      ),
    ids: async (query, signal) => ask(ANSWERS.ids, { type: 'ids', query: await queryWithNear(query, signal) }, signal),
    facets: (signal) => ask(ANSWERS.facets, { type: 'facets' }, signal),
    sameQuestion: (runId, most, signal) => ask(ANSWERS.summaries, { type: 'sameQuestion', runId, most }, signal),
    thread: (runId, signal) => ask(ANSWERS.summaries, { type: 'thread', runId }, signal),
    figures: async (name, filter, signal) =>
      ask(ANSWERS.figures, { type: 'figures', name, filter: await withNear(filter, signal) }, signal),
    async nearness(filter, signal) {
      const search = await withNear(filter, signal);
      return search.near ? ask(ANSWERS.nearness, { type: 'nearness', filter: search }, signal) : null;
    },
    embedMissing,
    state: () => state,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function unstoredFault(questions: number) {
  const named =
    questions === 1 ? 'the vector of 1 question' : `the vectors of ${questions.toLocaleString('en-US')} questions`;
  const message = `Couldn’t store ${named}. Check whether there is free space, then try again.`;
  return fault('storage-failed', message, { retryable: true });
}

/** Copies the value, because it may be a Svelte proxy. Proxies can't be sent to a Web Worker. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the run search. Check the connection, then try again.',
  crashed: 'The run search stopped because its Web Worker crashed. Close other tabs and programs, then try again.',
});
