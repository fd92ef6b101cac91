/**
 * @file Places questions with one sentence model: takes what is known, asks the model for the rest, and keeps it. One at a time,
 * so that what one has asked for the next one finds.
 */
import { abortError, type KeptVectors, type QuestionEmbeddings, type SentenceModel } from '../../../core/contract';
import { readPart } from './batches';
import { KnownVectors, vectorsNameOf } from './known-vectors';
import type { SentenceEngine } from './loader';

/** Texts of one call. What it said is kept before the next, so that nothing is lost with the page. */
const TOGETHER = 32;

export interface Yardstick {
  /** Texts that have nothing to do with each other. */
  readonly reference: readonly string[];
  /** The kernel's width by where a model places them. */
  readonly kernelWidthOf: (vectors: readonly Float32Array[]) => number;
}

export interface PlacingOptions extends Yardstick {
  readonly model: SentenceModel;
  readonly vectors: KeptVectors;
  /** The model, loaded if it is not. May throw a `FaultError` or an `AbortError`. */
  readonly engine: () => Promise<SentenceEngine>;
}

export class Placing {
  readonly model: SentenceModel;
  readonly #options: PlacingOptions;
  readonly #known: KnownVectors;
  readonly #over = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #width: number | null = null;

  constructor(options: PlacingOptions) {
    this.model = options.model;
    this.#options = options;
    this.#known = new KnownVectors(vectorsNameOf(options.model), options.vectors);
  }

  /**
   * All of them, when it comes to them. Throws what the model throws, and an `AbortError` once this is over.
   * @param signal what is aborted before its turn is not begun
   */
  place(questions: readonly string[], signal: AbortSignal): Promise<QuestionEmbeddings> {
    const placed = this.#last.then(() => {
      if (signal.aborted) throw abortError();
      return this.#place(questions);
    });
    this.#last = placed.catch(() => undefined);
    return placed;
  }

  /** Nothing is asked or kept from now on. */
  end(): void {
    this.#over.abort();
  }

  async #place(questions: readonly string[]): Promise<QuestionEmbeddings> {
    const { reference, kernelWidthOf } = this.#options;
    // The one asked comes first, then what tells how far the model's word goes; the runs' questions may be many.
    const asked = questions.slice(0, 1).map(readPart);
    const lasting = [...(this.#width === null ? reference : []), ...questions.slice(1).map(readPart)];
    const texts = [...new Set([...asked, ...lasting])];
    const known = await this.#known.of(texts);
    // A question that is still being written is not worth keeping; that of a run is, and it may have been asked here.
    await this.#known.keep(lasting);
    const missing = texts.filter((text) => !known.has(text));
    for (let from = 0; from < missing.length; from += TOGETHER) {
      this.#over.signal.throwIfAborted();
      const part = missing.slice(from, from + TOGETHER);
      const vectors = await (await this.#options.engine()).embed(part, this.#over.signal);
      const said = new Map(part.map((text, place) => [text, vectorAt(vectors, place)]));
      this.#over.signal.throwIfAborted();
      this.#known.add(said);
      await this.#known.keep(lasting);
      for (const [text, vector] of said) known.set(text, vector);
    }
    this.#width ??= kernelWidthOf(reference.map((text) => placeOf(known, text)));
    return {
      by: this.model.label,
      kernelWidth: this.#width,
      vectors: new Map(questions.map((text) => [text, placeOf(known, readPart(text))])),
    };
  }
}

function vectorAt(vectors: readonly Float32Array[], place: number): Float32Array {
  const vector = vectors[place];
  if (!vector) throw new Error('The sentence model left a text out.');
  return vector;
}

function placeOf(known: ReadonlyMap<string, Float32Array>, text: string): Float32Array {
  const vector = known.get(text);
  if (!vector) throw new Error('A question was not placed.');
  return vector;
}
