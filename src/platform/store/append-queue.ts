/**
 * @file A queue that writes items in batches (group commit). If no write is in progress, an item is
 * written immediately. Items that arrive during a write form the next batch.
 */

interface Entry<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

interface Failure {
  readonly thrown: unknown;
}

/** Maximum number of items in a batch. It limits how long a transaction takes. */
const MOST = 2000;

export class AppendQueue<Item> {
  readonly #write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Error>>;
  #waiting: Entry<Item>[] = [];
  /**
   * The write loop while it runs, otherwise `null`. Resolves with the first failure, or with `null` if all
   * items were written.
   */
  #draining: Promise<Failure | null> | null = null;

  /**
   * @param write writes a batch. Resolves with the items that could not be written, each with the
   *   reason. Rejects if the whole batch failed
   */
  constructor(write: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Error>>) {
    this.#write = write;
  }

  /**
   * Resolves when the item is written. Rejects if it cannot be written. Items are written in the
   * order of the calls.
   */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when all pending items are written or have failed. Never rejects. */
  async settle(): Promise<void> {
    await this.#draining;
  }

  /** Like `settle`, but rejects with the first failure. */
  async flush(): Promise<void> {
    const failure = await this.#draining;
    if (failure) throw failure.thrown;
  }

  async #drain(): Promise<Failure | null> {
    // Waits one microtask, so that items added synchronously form one batch.
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
