/**
 * @file Sentence models: small local models that compute text embeddings, to find graded runs with similar questions.
 * Implemented by platform/engine.
 */
import type { Fault } from '../fault';
import type { LoadProgress, ModelManifest } from './local-engine';

/** A sentence model that the user can choose. The files `models/sentence/*.json` list these models. Sizes are in bytes. */
export interface SentenceModel {
  /** Never changes. Example: `sentence:Xenova/all-MiniLM-L6-v2`. */
  readonly id: string;
  readonly label: string;
  /** `id`: `owner/name` on the hub. `host`: another server with the same layout as the hub. Absent: the hub itself. */
  readonly hub: { readonly id: string; readonly revision: string | null; readonly host?: string };
  readonly download: number;
  readonly licence: ModelManifest['licence'];
  /** One plain sentence: when to choose this model. */
  readonly why: string;
}

/** Embeddings of the current question and of the questions of graded runs. */
export interface QuestionEmbeddings {
  /**
   * Label of the sentence model. It is shown with each choice of a worker for which the embeddings were used.
   */
  readonly by: string;
  /** The `modelId` under which `KeptVectors` stores the vectors. */
  readonly storedAs: string;
  /** Unit vectors of the same dimension, keyed by the question's text. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export interface QuestionEmbedder {
  /**
   * Embeds questions if a sentence model is chosen and downloaded. The call may first have to load the model,
   * which takes time. After an abort, the embedding in progress continues, and the next call reuses its
   * results. Rejects only on abort.
   * @param questions the current question first, then the questions of runs. Only the vectors of the runs'
   * questions are stored
   * @param areUnstored whether the run index has found that storage lacks the vectors of the runs' questions.
   * If so, vectors that are in memory are stored again
   * @returns the vectors of all questions. `null`: the caller must continue without vectors
   */
  embed(questions: readonly string[], signal: AbortSignal, areUnstored?: boolean): Promise<QuestionEmbeddings | null>;
  /**
   * Call this when runs are deleted. Drops the vectors in memory, and doesn't store the results of work in progress.
   */
  forget(): void;
}

/** A cache of question vectors, so that no question is embedded twice. The browser may evict the cache at any time. */
export interface KeptVectors {
  /** The stored vectors, keyed by the question's text. Questions without a stored vector are left out. */
  read(modelId: string, questions: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Stores vectors. Evicts the oldest vectors when the maximum number is exceeded. */
  add(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Deletes all vectors of one model. */
  deleteOf(modelId: string): Promise<void>;
}

/** Tolerance for the squared norm of a unit vector. Rounding errors of 8-bit weights and 32-bit sums are far smaller. */
const LENGTH_TOLERANCE = 0.02;

/** Whether all components of a vector are finite and its norm is about 1. */
export function isUnitVector(vector: Float32Array): boolean {
  let sum = 0;
  for (const number of vector) sum += number * number;
  return Math.abs(sum - 1) < LENGTH_TOLERANCE;
}

export type SentenceModelState =
  | { readonly kind: 'none' }
  /** The model is being downloaded, or loaded from the cache. `progress` is `null` until the first report. */
  | { readonly kind: 'loading'; readonly model: SentenceModel; readonly progress: LoadProgress | null }
  /** The model is chosen and downloaded. If the model is not in memory, `embed` loads it. */
  | { readonly kind: 'ready'; readonly model: SentenceModel }
  /** The model is chosen or requested, but unavailable. */
  | { readonly kind: 'failed'; readonly model: SentenceModel; readonly fault: Fault };

/** Manages the sentence model that the user has chosen. The choice is stored in the preferences. */
export interface SentenceModels extends QuestionEmbedder {
  readonly state: SentenceModelState;
  /** The chosen model. While another model is being downloaded, `state` is about that model. `null`: no model is chosen. */
  readonly chosen: SentenceModel | null;
  /** Why the chosen model is unavailable. `null`: the chosen model is available, or no model is chosen. */
  readonly chosenFault: Fault | null;
  /**
   * Calls the listener synchronously for each new state, but not for the current state.
   * @returns a function that unsubscribes
   */
  subscribe(listener: (state: SentenceModelState) => void): () => void;
  list(): Promise<readonly SentenceModel[]>;
  /** Bytes of the shared runtime that still have to be downloaded. The first model download includes them. */
  missing(): Promise<number>;
  /**
   * Chooses a model, and downloads it first if it is not cached. Rejects with a `FaultError`, or with an `AbortError` when
   * stopped.
   */
  use(model: SentenceModel): Promise<void>;
  /**
   * Cancels a download or a load in progress. Completed files are kept. The work does not restart by itself.
   */
  stop(): void;
  /**
   * Deletes a model's files and vectors. If the model was chosen, no model is chosen afterwards. If one deletion fails, the other
   * deletions still complete before the method rejects.
   */
  remove(model: SentenceModel): Promise<void>;
}
