/**
 * @file Sentence models: small local models that embed texts by meaning, to find graded runs with similar questions.
 * Implemented by platform/engine.
 */
import type { Fault } from '../fault';
import type { LoadProgress, ModelManifest } from './local-engine';

/** An available sentence model. `models/sentence/*.json` are validated against a schema. Sizes are in bytes. */
export interface SentenceModel {
  /** Stable: `sentence:Xenova/all-MiniLM-L6-v2`. */
  readonly id: string;
  readonly label: string;
  /** The hub's `owner/name`. `host`: another server with the same layout as the hub. Absent: the hub itself. */
  readonly hub: { readonly id: string; readonly revision: string | null; readonly host?: string };
  readonly download: number;
  readonly licence: ModelManifest['licence'];
  /** One plain sentence: when to choose this model. */
  readonly why: string;
}

/** Embeddings of the current question and of the questions of graded runs. */
export interface QuestionEmbeddings {
  /** Label of the model, shown where it affected a choice. */
  readonly by: string;
  /** The name under which the model's vectors are stored: see `KeptVectors`. */
  readonly storedAs: string;
  /**
   * How quickly the weight of a graded run decreases as the cosine similarity of its question decreases. The smaller the width,
   * the more quickly.
   */
  readonly kernelWidth: number;
  /** Unit vectors of the same dimension, by the question's text. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export interface QuestionEmbedder {
  /**
   * Embeds questions if a sentence model is in use and on this machine. Downloads nothing. The call may take as long as
   * loading the model. If its caller aborts, work that has begun continues, and the next call reuses the results.
   * Rejects only on abort.
   * @param questions the current question first, then the questions of runs. Only the vectors of the runs' questions are stored
   * @param areUnstored whether the index has reported that no vectors of the runs' questions are stored. The vectors are then
   * stored again, even if they are in memory
   * @returns the vectors of all questions. `null` if the caller has to continue without vectors
   */
  embed(questions: readonly string[], signal: AbortSignal, areUnstored?: boolean): Promise<QuestionEmbeddings | null>;
  /**
   * Called when runs are deleted. Results of work in progress are not stored, and vectors in memory are dropped.
   */
  forget(): void;
}

/** Stored vectors of questions, so that no question is embedded twice. The browser may delete them at any time. */
export interface KeptVectors {
  /** The stored vectors of these questions, by the question's text. Questions without a stored vector are left out. */
  read(modelId: string, questions: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Stores vectors. If this exceeds the maximum number, the oldest vectors are evicted. */
  add(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Deletes this model's vectors and keeps those of other models. */
  deleteOf(modelId: string): Promise<void>;
}

/** Tolerance for the squared norm of a unit vector. The error of 8-bit weights and 32-bit sums is far smaller. */
const LENGTH_TOLERANCE = 0.02;

/** Whether a vector is valid: all its components are finite and its norm is 1. */
export function isUnitVector(vector: Float32Array): boolean {
  let sum = 0;
  for (const number of vector) sum += number * number;
  return Math.abs(sum - 1) < LENGTH_TOLERANCE;
}

export type SentenceModelState =
  | { readonly kind: 'none' }
  /** The model is being downloaded or read from the cache. `progress` is `null` until the first report. */
  | { readonly kind: 'loading'; readonly model: SentenceModel; readonly progress: LoadProgress | null }
  /** The model is in use and on this machine. It is loaded when first needed. */
  | { readonly kind: 'ready'; readonly model: SentenceModel }
  /** The model was requested, but is unavailable. */
  | { readonly kind: 'failed'; readonly model: SentenceModel; readonly fault: Fault };

/** Manages the sentence model. The chosen model is stored as a preference, and loaded when first needed. */
export interface SentenceModels extends QuestionEmbedder {
  readonly state: SentenceModelState;
  /** The chosen model, even if `state` is about another requested model. `null`: no model is chosen. */
  readonly chosen: SentenceModel | null;
  /**
   * Why the chosen model is unavailable, even if `state` is about another model. `null` if the chosen model is available.
   */
  readonly chosenFault: Fault | null;
  /**
   * Calls the listener synchronously for each new state, but not for the current one.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (state: SentenceModelState) => void): () => void;
  list(): Promise<readonly SentenceModel[]>;
  /** Bytes of the shared runtime that are not on this machine yet. They are downloaded with the first model. */
  missing(): Promise<number>;
  /**
   * Downloads a model if it is not cached, and uses it from now on. Rejects with a `FaultError`, or with an `AbortError`
   * when stopped.
   */
  use(model: SentenceModel): Promise<void>;
  /**
   * Cancels a download or a load in progress. Completed files are kept. The cancelled work does not restart by itself.
   */
  stop(): void;
  /**
   * Deletes a model's files and its vectors. If the model is in use, no model is used from now on. If one deletion fails, the
   * method still makes the other deletions before it rejects.
   */
  remove(model: SentenceModel): Promise<void>;
}
