/**
 * @file Queues the events of a run, so that a slow reader never delays a call. The queue is not an async
 * generator, because a generator needs three more microtask turns per event.
 */

/**
 * A queue that an async loop reads. The first `next` starts the work that fills the queue. If the reader
 * leaves the loop early, the work is cancelled.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #start: () => void;
  readonly #cancel: () => Promise<void>;
  readonly #waiting: ((result: IteratorResult<T, undefined>) => void)[] = [];
  readonly #items: T[] = [];
  #read = 0;
  #started = false;
  #closed = false;

  /**
   * @param start starts the work, which must push items and then close the queue. Called once, by the first `next`
   * @param cancel cancels the work. Resolves when the work has ended
   */
  constructor(start: () => void, cancel: () => Promise<void>) {
    this.#start = start;
    this.#cancel = cancel;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Adds an item. No effect after `close`. */
  push(item: T): void {
    if (this.#closed) return;
    const next = this.#waiting.shift();
    if (next) next({ value: item, done: false });
    else this.#items.push(item);
  }

  /** Ends the queue. Items that are already queued can still be read. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(END);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#started) {
      this.#started = true;
      this.#start();
    }
    if (this.#read < this.#items.length) return Promise.resolve({ value: this.#shift(), done: false });
    if (this.#closed) return Promise.resolve(END);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#items.length = 0;
    this.#read = 0;
    this.close();
    if (this.#started) await this.#cancel();
    this.#started = true;
    return END;
  }

  #shift(): T {
    const item = this.#items[this.#read] as T;
    this.#read += 1;
    if (this.#read === this.#items.length) {
      this.#items.length = 0;
      this.#read = 0;
    }
    return item;
  }
}

const END = { value: undefined, done: true } as const;
