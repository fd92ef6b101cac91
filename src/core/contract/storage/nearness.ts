/**
 * @file Types for the search by meaning. The search compares the embedding vector of the search text with the stored vectors of
 * the runs' questions.
 */
import { sha256Hex } from '../digest';

/** The result of a search by meaning. */
export interface Nearness {
  /** Label of the sentence model. */
  readonly by: string;
  /** The cosine similarity of each match with the search text, keyed by run id. */
  readonly similarities: Readonly<Record<string, number>>;
  /** Number of runs that are similar enough, but exceed the maximum number of matches. */
  readonly beyond: number;
  /** Number of runs that meet the other conditions, but can't match because no vector of their question is stored. */
  readonly missing: number;
}

/** A stored vector of a question. */
export interface StoredQuestionVector {
  /** The hash of the question, see `questionHashOf`. */
  readonly hash: number;
  /** Only the direction of the vector counts, not its norm. `null`: the record is damaged. */
  readonly vector: Int8Array | null;
}

/** Reads the stored vectors of one sentence model. `model`: see `QuestionEmbeddings.storedAs`. */
export interface VectorRecords {
  /** `count`: number of the model's vectors. `newest`: when the newest vector of any model was added, ms since the epoch. */
  state(model: string): Promise<{ readonly count: number; readonly newest: number }>;
  /**
   * A page of the model's vectors. `next` is `null` on the last page.
   * @param after `next` of the previous page. `null`: the first page
   */
  page(
    model: string,
    after: string | null,
    most: number,
  ): Promise<{ readonly vectors: readonly StoredQuestionVector[]; readonly next: string | null }>;
  /**
   * The model's vectors that were added at or after a moment. `null` if too many vectors were added since then:
   * more than `most`, including the vectors of other models.
   * @param at the moment, ms since the epoch
   */
  since(model: string, at: number, most: number): Promise<readonly StoredQuestionVector[] | null>;
}

/**
 * Number of hexadecimal digits that `hashOfDigest` uses. A JavaScript number can represent 13 digits (52
 * bits) exactly.
 */
const DIGITS = 13;

/** A hash of 52 bits. Equal questions have equal hashes. Different questions almost never have equal hashes. */
export function questionHashOf(question: string): number {
  return hashOfDigest(sha256Hex(question));
}

/** Computes the result of `questionHashOf` from the question's SHA-256 digest in hexadecimal. */
export function hashOfDigest(digest: string): number {
  return Number.parseInt(digest.slice(0, DIGITS), 16);
}
