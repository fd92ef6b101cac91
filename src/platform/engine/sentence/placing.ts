/**
 * @file Provides the embeddings of questions. One sentence model computes the embeddings that are
 * neither in memory nor stored. Requests run one at a time, so that each request can reuse the
 * embeddings of the previous request.
 */
import { abortError, type KeptVectors, type QuestionEmbeddings, type SentenceModel } from '../../../core/contract';
import { readPart } from './batches';
import { KnownVectors, vectorsNameOf } from './known-vectors';
import type { SentenceEngine } from './loader';

/**
 * Number of texts in one call of the model. Embeddings are stored after each call, so that closing
 * the page loses few of them.
 */
const TOGETHER = 32;

export interface PlacingOptions {
  readonly model: SentenceModel;
  readonly vectors: KeptVectors;
  /** Returns the model, and loads it if necessary. May throw a `FaultError` or an `AbortError`. */
  readonly engine: () => Promise<SentenceEngine>;
}

export class Placing {
  readonly model: SentenceModel;
  readonly #options: PlacingOptions;
  readonly #known: KnownVectors;
  readonly #over = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PlacingOptions) {
    this.model = options.model;
    this.#options = options;
    this.#known = new KnownVectors(vectorsNameOf(options.model), options.vectors);
  }

  /**
   * Computes the embeddings of these questions after earlier requests have finished. Throws the
   * errors of the model. Requests that begin after `end` throw an `AbortError`.
   * @param questions the current question, followed by the questions of saved runs
   * @param signal cancels the request while it waits for earlier requests. After the wait, the signal has no effect
   * @param areUnstored whether storage has lost the embeddings of the saved questions
   */
  place(questions: readonly string[], signal: AbortSignal, areUnstored = false): Promise<QuestionEmbeddings> {
    const placed = this.#last.then(() => {
      if (signal.aborted) throw abortError();
      return this.#place(questions, areUnstored);
    });
    this.#last = placed.catch(() => undefined);
    return placed;
  }

  /**
   * Stops computing and storing embeddings. Later requests throw an `AbortError`. Requests in progress throw
   * it too, unless all their embeddings are already known.
   */
  end(): void {
    this.#over.abort();
  }

  async #place(questions: readonly string[], areUnstored: boolean): Promise<QuestionEmbeddings> {
    // The saved questions come last. There may be many of them, and `end` may interrupt the request before they
    // are done.
    const current = questions.slice(0, 1);
    const lasting = questions.slice(1);
    const texts = [...new Set([...current, ...lasting])];
    const known = await this.#known.of(texts);
    this.#over.signal.throwIfAborted();
    if (areUnstored) this.#known.unkeep(lasting);
    // The current question is not in `lasting`. Its embedding is stored only after its run is
    // saved.
    await this.#known.keep(lasting);
    const missing = texts.filter((text) => !known.has(text));
    for (let from = 0; from < missing.length; from += TOGETHER) {
      this.#over.signal.throwIfAborted();
      const part = missing.slice(from, from + TOGETHER);
      const vectors = await (await this.#options.engine()).embed(part.map(readPart), this.#over.signal);
      const embedded = new Map(part.map((text, place) => [text, vectorAt(vectors, place)]));
      this.#over.signal.throwIfAborted();
      this.#known.add(embedded);
      await this.#known.keep(lasting);
      for (const [text, vector] of embedded) known.set(text, vector);
    }
    return {
      by: this.model.label,
      storedAs: vectorsNameOf(this.model),
      vectors: new Map(questions.map((text) => [text, placeOf(known, text)])),
    };
  }
}

function vectorAt(vectors: readonly Float32Array[], place: number): Float32Array {
  const vector = vectors[place];
  if (!vector) throw new Error('The sentence model skipped a text.');
  return vector;
}

function placeOf(known: ReadonlyMap<string, Float32Array>, text: string): Float32Array {
  const vector = known.get(text);
  if (!vector) throw new Error('A question has no embedding.');
  return vector;
}
