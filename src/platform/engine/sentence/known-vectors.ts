/**
 * @file Looks up and stores the embeddings that one sentence model has computed. Lookups try memory
 * first and storage second.
 */
import type { KeptVectors, SentenceModel } from '../../../core/contract';

/** Maximum number of embeddings in memory. */
const MOST = 2000;

/**
 * The name under which a model's embeddings are stored. If the model has a pinned revision, the name
 * includes the revision, because each revision computes different embeddings.
 */
export function vectorsNameOf({ id, hub }: Pick<SentenceModel, 'id' | 'hub'>): string {
  return hub.revision === null ? id : `${id}@${hub.revision}`;
}

export class KnownVectors {
  readonly #name: string;
  readonly #kept: KeptVectors;
  /** Embeddings in memory, by text. The most recently used embedding is last. */
  readonly #here = new Map<string, Float32Array>();
  /** Texts whose embeddings are in memory but not stored. */
  readonly #unkept = new Set<string>();
  /** Number of dimensions of each embedding. `null` until the first embedding is known. */
  #size: number | null = null;

  /** @param name see `vectorsNameOf` */
  constructor(name: string, kept: KeptVectors) {
    this.#name = name;
    this.#kept = kept;
  }

  /**
   * The known embeddings of these texts, by text. If storage fails, returns only the embeddings in
   * memory.
   */
  async of(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const missing = texts.filter((text) => !this.#here.has(text));
    if (missing.length > 0) this.#remember(await this.#read(missing));
    const known = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#here.get(text);
      if (vector) known.set(text, vector);
    }
    this.#remember(known);
    return known;
  }

  /** Adds new embeddings to memory. `keep` stores them. */
  add(vectors: ReadonlyMap<string, Float32Array>): void {
    for (const { length } of vectors.values()) this.#size = length;
    this.#remember(vectors);
    for (const text of vectors.keys()) this.#unkept.add(text);
  }

  /**
   * Marks the embeddings of these texts as not stored. Call this method if storage has lost them.
   * The next `keep` of these texts stores the embeddings that are in memory.
   */
  unkeep(texts: readonly string[]): void {
    for (const text of texts) if (this.#here.has(text)) this.#unkept.add(text);
  }

  /**
   * Stores the embeddings of these texts if they are in memory and not stored yet. If storage
   * fails, the next call retries.
   */
  async keep(texts: readonly string[]): Promise<void> {
    const kept = new Map<string, Float32Array>();
    for (const text of texts) {
      const vector = this.#unkept.has(text) ? this.#here.get(text) : undefined;
      if (vector) kept.set(text, vector);
    }
    if (kept.size === 0) return;
    const isStored = await this.#kept.add(this.#name, kept).then(
      () => true,
      () => false,
    );
    if (isStored) for (const text of kept.keys()) this.#unkept.delete(text);
  }

  /**
   * Reads embeddings from storage. Omits embeddings with a wrong number of dimensions, so that they
   * are computed again.
   */
  async #read(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const kept = await this.#kept.read(this.#name, texts).catch(() => new Map<string, Float32Array>());
    for (const { length } of kept.values()) this.#size ??= length;
    return new Map([...kept].filter(([, { length }]) => length === this.#size));
  }

  #remember(vectors: ReadonlyMap<string, Float32Array>): void {
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
