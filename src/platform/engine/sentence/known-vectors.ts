/** @file The vectors of one sentence model: at hand, else as they are kept, else to be asked for. */
import type { KeptVectors, SentenceModel } from '../../../core/contract';

/** At hand at most: some more than the graded runs that count and the questions asked in one visit. */
const MOST = 2000;

/** The name under which its vectors are kept: other weights say other things. */
export function vectorsNameOf({ id, hub }: Pick<SentenceModel, 'id' | 'hub'>): string {
  return hub.revision === null ? id : `${id}@${hub.revision}`;
}

export class KnownVectors {
  readonly #name: string;
  readonly #kept: KeptVectors;
  /** The one that was used last stands last. */
  readonly #here = new Map<string, Float32Array>();
  /** Those at hand that are not in storage. */
  readonly #unkept = new Set<string>();
  /** Numbers of a vector; `null` until one is known. */
  #size: number | null = null;

  /** @param name see `vectorsNameOf` */
  constructor(name: string, kept: KeptVectors) {
    this.#name = name;
    this.#kept = kept;
  }

  /** Those that are known, by text. Where storage refuses, those at hand. */
  async of(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const missing = texts.filter((text) => !this.#here.has(text));
    if (missing.length > 0) this.#take(await this.#read(missing));
    const known = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#here.get(text);
      if (vector) known.set(text, vector);
    }
    this.#take(known);
    return known;
  }

  /** Takes over what the model said. */
  add(vectors: ReadonlyMap<string, Float32Array>): void {
    for (const { length } of vectors.values()) this.#size = length;
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
    if (kept.size > 0) await this.#kept.add(this.#name, kept).catch(() => undefined);
  }

  /** What is of another size than the others is asked for again. */
  async #read(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const kept = await this.#kept.read(this.#name, texts).catch(() => new Map<string, Float32Array>());
    for (const { length } of kept.values()) this.#size ??= length;
    return new Map([...kept].filter(([, { length }]) => length === this.#size));
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
