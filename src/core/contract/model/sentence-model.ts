/**
 * @file Sentence models: small models on this machine that place texts by what they mean, so that graded runs on questions
 * like the one asked can be told from others. Implemented by platform/engine.
 */
import type { Fault } from '../fault';
import type { LoadProgress, ModelManifest } from './local-engine';

/** A sentence model that can be had. `models/sentence/*.json` are held against a schema. Sizes are bytes. */
export interface SentenceModel {
  /** Stable: `sentence:Xenova/all-MiniLM-L6-v2`. */
  readonly id: string;
  readonly label: string;
  /** The hub's `owner/name`. `host`: another server that offers files as the hub does; absent: the hub itself. */
  readonly hub: { readonly id: string; readonly revision: string | null; readonly host?: string };
  readonly download: number;
  readonly licence: ModelManifest['licence'];
  /** One plain sentence: why one would choose it. */
  readonly why: string;
}

/** Questions placed by meaning: the one asked, and that of every graded run. */
export interface QuestionEmbeddings {
  /** Label of the model, to be named where it mattered. */
  readonly by: string;
  /** How fast a run's weight falls with the likeness of its question, as a part of the cosine. */
  readonly kernelWidth: number;
  /** Vectors of one size and of length 1, by the question's text. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

export interface QuestionEmbedder {
  /**
   * Places questions, if a sentence model is in use and can be read from this machine. Nothing is fetched for it. It may take as
   * long as reading the model takes; what was asked goes on where nobody waits for it any more, and the next to ask finds it done.
   * Never throws but for an abort.
   * @param questions the one asked first, then those of runs, which alone are worth keeping a place of
   * @returns all of them, or `null`: then whoever asked does without
   */
  embed(questions: readonly string[], signal: AbortSignal): Promise<QuestionEmbeddings | null>;
  /** Runs are being deleted: nothing is kept any more of what is under way, and nothing is remembered here. */
  forget(): void;
}

/** What a sentence model said of questions, so that none is placed twice. It may be lost at any time. */
export interface KeptVectors {
  /** Those that are kept, by the question's text. */
  read(modelId: string, questions: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Beyond a bound the oldest go. */
  add(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Deletes what this model said; what others said stays. */
  deleteOf(modelId: string): Promise<void>;
}

/** Of the squared length. 8-bit weights and 32-bit sums stay far below it. */
const LENGTH_TOLERANCE = 0.02;

/** Whether it tells a place: every number finite, the length 1. */
export function isUnitVector(vector: Float32Array): boolean {
  let sum = 0;
  for (const number of vector) sum += number * number;
  return Math.abs(sum - 1) < LENGTH_TOLERANCE;
}

export type SentenceModelState =
  | { readonly kind: 'none' }
  /** Being fetched, or read from where it is kept. `progress`: `null` until the first is known. */
  | { readonly kind: 'loading'; readonly model: SentenceModel; readonly progress: LoadProgress | null }
  /** In use, and on this machine: it is read from there when it is first needed. */
  | { readonly kind: 'ready'; readonly model: SentenceModel }
  /** Asked for, and not to be had now. */
  | { readonly kind: 'failed'; readonly model: SentenceModel; readonly fault: Fault };

/** The one place for a sentence model. The chosen one is remembered, and loaded again when it is first needed. */
export interface SentenceModels extends QuestionEmbedder {
  readonly state: SentenceModelState;
  /** The one that is chosen, whatever `state` says of another that was asked for; `null`: none. Changes with `state`. */
  readonly chosen: SentenceModel | null;
  /** Why the chosen one is not to be had now, whatever `state` says of another; `null` where it is. Changes with `state`. */
  readonly chosenFault: Fault | null;
  /** Called at once for each new state. @returns how to stop listening */
  subscribe(listener: (state: SentenceModelState) => void): () => void;
  /** Those that can be had. */
  list(): Promise<readonly SentenceModel[]>;
  /** Bytes of what runs every one of them and is not on this machine yet: fetched with the first. */
  missing(): Promise<number>;
  /** Fetches a model where it is not kept yet, and uses it from now on. Throws a `FaultError`, or an `AbortError` when it is stopped. */
  use(model: SentenceModel): Promise<void>;
  /** Ends a fetch or a load under way. Files that were whole by then are kept. What was stopped is not begun again by itself. */
  stop(): void;
  /**
   * Deletes a model's files, and what it said of questions. If it is the one in use, none is used from now on. Throws only after
   * every part was tried.
   */
  remove(model: SentenceModel): Promise<void>;
}
