/**
 * @file The search filter that the index of runs receives. A filter for a search by meaning includes the vector of the search
 * text.
 */
import type { RunFilter, RunSort } from '../../contract';

/** The vector of a search text, and the similarity that a match needs. */
export interface Near {
  /** The name under which the vectors of the sentence model are stored, see `QuestionEmbeddings.storedAs`. */
  readonly model: string;
  /** Label of the sentence model. */
  readonly by: string;
  /** Has a Euclidean norm of 1. A plain array, because filters are compared as JSON. */
  readonly vector: readonly number[];
  /** Minimum cosine similarity of a match. */
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

/** Questions without a vector. A search by meaning cannot find the runs of these questions. */
export interface MissingVectors {
  /** Some of these questions, without duplicates. The questions of the newest runs come first. */
  readonly questions: readonly string[];
  /** Number of runs with such a question. */
  readonly runs: number;
}
