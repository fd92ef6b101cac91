/**
 * @file A queue that writes items in batches (group commit). Items that arrive while a batch is being written form the next
 * batch. Therefore a single item is written immediately, and many items share one transaction.
 */

interface Entry<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

interface Failure {
  readonly thrown: unknown;
}

/** Maximum number of items in a batch, so that no transaction takes too long. */
const MOST = 2000;

export class AppendQueue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Error>>;
  #waiting: Entry<Item>[] = [];
  /** The writing in progress, or `null`. The promise resolves with the first failure, or with `null` if there is none. */
  #draining: Promise<Failure | null> | null = null;

  /**
   * @param write writes the items. Returns the items that could not be written, each with the reason. Rejects if no item could
   *   be written
   */
  constructor(write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Error>>) {
    this.#write = write;
  }

  /** Resolves when the item is written, and rejects if it cannot be written. Items are written in the order of the calls. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Waits until all added items are written or have failed. Doesn't reject. */
  async settle(): Promise<void> {
    await this.#draining;
  }

  /** Like `settle`, but rejects with the first failure, if there is one. */
  async flush(): Promise<void> {
    const failure = await this.#draining;
    if (failure) throw failure.thrown;
  }

  async #drain(): Promise<Failure | null> {
    // Waits, so that all items that are added synchronously form one batch.
    await Promise.resolve();
    let first: Failure | null = null;
    while (this.#waiting.length > 0) {
      const failure = await this.#writeBatch(this.#waiting.splice(0, MOST));
      first ??= failure;
    }
    this.#draining = null;
    return first;
  }

  async #writeBatch(batch: readonly Entry<Item>[]): Promise<Failure | null> {
    let refused: ReadonlyMap<Item, Error>;
    try {
      refused = await this.#write(batch.map(({ item }) => item));
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
      return { thrown };
    }
    for (const { item, resolve, reject } of batch) {
      const reason = refused.get(item);
      if (reason) reject(reason);
      else resolve();
    }
    const [first] = refused.values();
    return first ? { thrown: first } : null;
  }
}
