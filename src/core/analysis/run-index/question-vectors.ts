/**
 * @file Holds the question vectors of a sentence model in memory, with one byte for each number. Computes the similarity of each
 * vector to the vector of a search text.
 */
import type { StoredQuestionVector, VectorRecords } from '../../contract';

/** Number of vectors that are read at once (about 1 MB). */
const PAGE = 2000;
/** If there are more new vectors than this, all vectors are read again, page by page. */
const MOST_NEW = 4000;

const NOTHING_READ = { count: 0, newest: -1 };

export class QuestionVectors {
  readonly #records: VectorRecords;
  #model: string | null = null;
  /** Dimension of the vectors. */
  #size = 0;
  #numbers = new Int8Array();
  /** By slot (the index of a vector in memory): 1 divided by the vector's Euclidean norm. */
  #scales = new Float64Array();
  /** Maps the hash of a question to the slot of the question's vector. The slot is -1 if the vector is damaged. */
  readonly #slots = new Map<number, number>();
  #used = 0;
  #read = NOTHING_READ;
  #version = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(records: VectorRecords) {
    this.#records = records;
  }

  /** Changes when the vectors change. */
  get version(): number {
    return this.#version;
  }

  /**
   * Reads the vectors of a model that were added since the last call. Reads all vectors if the model or the size has changed, if
   * vectors were deleted, or if more than `MOST_NEW` were added.
   * @param size dimension of the vectors
   */
  sync(model: string, size: number): Promise<void> {
    const synced = this.#work.then(() => this.#sync(model, size));
    this.#work = synced.catch(() => this.#clear());
    return synced;
  }

  /** The slot of a question's vector. `-1`: the question has no vector, or a damaged one. */
  slotOf(hash: number): number {
    return this.#slots.get(hash) ?? -1;
  }

  /**
   * The cosine similarity of each vector and the given vector, by slot. All values are 0 if the given vector has another size.
   * @param vector a vector by the model of the last `sync`
   */
  similarities(vector: readonly number[]): Float32Array {
    const found = new Float32Array(this.#used);
    const size = this.#size;
    const numbers = this.#numbers;
    const wanted = Float64Array.from(vector);
    if (wanted.length !== size) return found;
    for (let slot = 0, at = 0; slot < found.length; slot++) {
      let sum = 0;
      for (let index = 0; index < size; index++, at++) sum += (numbers[at] ?? 0) * (wanted[index] ?? 0);
      found[slot] = Math.min(1, Math.max(-1, sum * (this.#scales[slot] ?? 0)));
    }
    return found;
  }

  async #sync(model: string, size: number): Promise<void> {
    if (model !== this.#model || size !== this.#size) {
      this.#clear();
      this.#model = model;
      this.#size = size;
    }
    const state = await this.#records.state(model);
    const before = this.#read;
    if (state.count === before.count && state.newest === before.newest) return;
    const added = before.count === 0 ? null : await this.#records.since(model, before.newest, MOST_NEW);
    this.#put(added ?? []);
    // Compares the counts only after the new vectors are added. If as many vectors were deleted as added, the
    // stored count is unchanged, but the count in memory is now too high.
    if (added === null || this.#slots.size !== state.count) await this.#readAll(model);
    // Vectors that were stored during this call are read again at the next call.
    this.#read = { count: this.#slots.size, newest: state.newest };
  }

  async #readAll(model: string): Promise<void> {
    this.#slots.clear();
    this.#used = 0;
    for (let after: string | null = null; ;) {
      const { vectors, next }: Awaited<ReturnType<VectorRecords['page']>> = await this.#records.page(
        model,
        after,
        PAGE,
      );
      this.#put(vectors);
      if (next === null) break;
      after = next;
    }
    this.#version += 1;
  }

  #put(vectors: readonly StoredQuestionVector[]): void {
    if (vectors.length === 0) return;
    this.#version += 1;
    for (const { hash, vector } of vectors) {
      const known = this.slotOf(hash);
      if (vector?.length !== this.#size) {
        this.#slots.set(hash, -1);
        continue;
      }
      const slot = known === -1 ? this.#used++ : known;
      this.#reserve();
      this.#numbers.set(vector, slot * this.#size);
      this.#scales[slot] = 1 / lengthOf(vector);
      this.#slots.set(hash, slot);
    }
  }

  #reserve(): void {
    if (this.#used <= this.#scales.length) return;
    const room = Math.max(PAGE, Math.ceil(this.#used * 1.5));
    const numbers = new Int8Array(room * this.#size);
    numbers.set(this.#numbers);
    const scales = new Float64Array(room);
    scales.set(this.#scales);
    this.#numbers = numbers;
    this.#scales = scales;
  }

  #clear(): void {
    this.#model = null;
    this.#slots.clear();
    this.#used = 0;
    this.#numbers = new Int8Array();
    this.#scales = new Float64Array();
    this.#read = NOTHING_READ;
    this.#version += 1;
  }
}

/** The Euclidean norm of a vector. Uses a loop, because `Math.hypot` with so many numbers takes ten times as long. */
function lengthOf(vector: Int8Array): number {
  let sum = 0;
  for (const each of vector) sum += each * each;
  return Math.sqrt(sum);
}
