/**
 * @file The filter as the index of runs receives it. For a search by meaning, the filter includes the vector of the search
 * text.
 */
import type { RunFilter, RunSort } from '../../contract';

/** The vector of a search by meaning. It is an array of plain numbers, so that two filters can be compared as JSON. */
export interface Near {
  /** See `QuestionEmbeddings.storedAs`. */
  readonly model: string;
  /** The model's label. */
  readonly by: string;
  /** The vector of the search text. Its Euclidean norm is 1. */
  readonly vector: readonly number[];
  /** The lowest cosine similarity of a match. */
  readonly least: number;
}

export interface SearchFilter extends RunFilter {
  /** Absent: the search is not by meaning, or there is no sentence model. Without a model, a search by meaning finds nothing. */
  readonly near?: Near | undefined;
}

export interface SearchQuery {
  readonly filter: SearchFilter;
  readonly sort: RunSort;
}

/** Questions without a vector. */
export interface MissingVectors {
  /** Some of these questions, each once. Questions of the newest runs come first. */
  readonly questions: readonly string[];
  /** Number of runs with such a question. */
  readonly runs: number;
}
