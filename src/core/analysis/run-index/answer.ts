/** @file Answers queries about saved runs. Uses the index of runs and the stored summaries. */
import { fault, FaultError, unlessAborted, type RunStore } from '../../contract';
import * as part from '../../contract/storage/schema-parts';
import type { IndexQuestion } from './messages';
import type { QuestionVectors } from './question-vectors';
import type { Figure, RunSearch } from './run-search';
import type { MissingVectors, Near, SearchFilter } from './search-filter';
import type { SummaryCache } from './summary-cache';

export interface AnswerSources {
  /** Returns the search over the loaded index. Loading the index again replaces the search. */
  readonly search: () => RunSearch;
  readonly summaries: SummaryCache;
  readonly vectors: QuestionVectors;
  readonly store: Pick<RunStore, 'readMany' | 'summary'>;
  /** The functions that compute figures, by name. */
  readonly figures: Readonly<Record<string, Figure>>;
}

/**
 * Answers a query. `ANSWERS` in `messages.ts` has the schemas of the answers. Rejects with a `FaultError`, or with an
 * `AbortError` on abort.
 */
export async function answer(
  question: IndexQuestion,
  { search: current, summaries, vectors, store, figures }: AnswerSources,
  signal: AbortSignal,
): Promise<unknown> {
  const near = nearOf(question);
  if (near) await unlessAborted(vectors.sync(near.model, near.vector.length), signal);
  const search = current();
  switch (question.type) {
    case 'totals':
      return search.totals(question.filter, signal, question.early);
    case 'rows': {
      const { query, from, most, early } = question;
      const rows = await summaries.get(await search.places(query, signal, from, from + most, early));
      return search.withTurns(rows);
    }
    case 'ids':
      return (await search.places(question.query, signal)).map(({ id }) => id);
    case 'facets':
      return search.facets();
    case 'sameQuestion':
      return summaries.get(search.sameQuestion(question.runId, question.most));
    case 'thread':
      return search.withTurns(await summaries.get(search.thread(question.runId)));
    case 'figures': {
      const figure = figures[question.name];
      if (!figure) throw new FaultError(fault('internal', `There is no figure ${question.name}.`));
      return search.figure(figure, question.filter, signal);
    }
    case 'nearness':
      return search.nearness(question.filter, signal);
    case 'missing':
      return missing(search, store, question, signal);
    default:
      return question satisfies never;
  }
}

/** Reads the questions that have no vector yet, at most `most` of them. */
async function missing(
  search: RunSearch,
  store: AnswerSources['store'],
  { filter, most }: { readonly filter: SearchFilter; readonly most: number },
  signal: AbortSignal,
): Promise<MissingVectors> {
  const { ids, runs } = await search.withoutVector(filter, most, signal);
  const read = await store.readMany(ids);
  const questions = await Promise.all(
    ids.map(async (id, place) => {
      const started = read[place]?.[0];
      const asked = part.question.safeParse(started?.type === 'run-started' ? started.question : null);
      // If the events of a run can't be read, its question is taken from its summary, as in the index.
      return asked.success ? asked.data.text : (await store.summary(id))?.question;
    }),
  );
  return { questions: questions.filter((question) => question !== undefined), runs };
}

/** The vector of a search by meaning. `undefined`: the query has none. */
function nearOf(question: IndexQuestion): Near | undefined {
  switch (question.type) {
    case 'rows':
    case 'ids':
      return question.query.filter.near;
    case 'totals':
    case 'figures':
    case 'nearness':
    case 'missing':
      return question.filter.near;
    case 'facets':
    case 'sameQuestion':
    case 'thread':
      return undefined;
    default:
      return question satisfies never;
  }
}
