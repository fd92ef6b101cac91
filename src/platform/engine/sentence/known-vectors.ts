/** @file The vectors of one sentence model: at hand, else as they are kept, else to be asked for. */
import type { KeptVectors } from '../../../core/contract';

/** At hand at most: some more than the graded runs that count and the questions asked in one visit. */
const MOST = 2000;

export class KnownVectors {
  readonly #modelId: string;
  readonly #kept: KeptVectors;
  /** The one that was used last stands last. */
  readonly #here = new Map<string, Float32Array>();
  /** Those at hand that are not in storage. */
  readonly #unkept = new Set<string>();

  constructor(modelId: string, kept: KeptVectors) {
    this.#modelId = modelId;
    this.#kept = kept;
  }

  /** Those that are known, by text. Where storage refuses, those at hand. */
  async of(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const missing = texts.filter((text) => !this.#here.has(text));
    if (missing.length > 0) this.#take(await this.#read(missing));
    return new Map(
      texts.flatMap((text) => {
        const vector = this.#here.get(text);
        return vector ? [[text, vector]] : [];
      }),
    );
  }

  /** Takes over what the model said. */
  add(vectors: ReadonlyMap<string, Float32Array>): void {
    this.#take(vectors);
    for (const text of vectors.keys()) this.#unkept.add(text);
  }

  /** Keeps what is at hand of these texts, if storage lets it. */
  async keep(texts: readonly string[]): Promise<void> {
    const kept = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#unkept.delete(text) ? this.#here.get(text) : undefined;
      if (vector) kept.set(text, vector);
    }
    if (kept.size > 0) await this.#kept.add(this.#modelId, kept).catch(() => undefined);
  }

  #read(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#kept.read(this.#modelId, texts).catch(() => new Map());
  }

  #take(vectors: ReadonlyMap<string, Float32Array>): void {
    for (const [text, vector] of vectors) {
      this.#here.delete(text);
      this.#here.set(text, vector);
    }
    for (const text of this.#here.keys()) {
      if (this.#here.size <= MOST) return;
      this.#here.delete(text);
      this.#unkept.delete(text);
    }
  }
}
