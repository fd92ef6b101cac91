/**
 * @file Between a run and whoever watches it: events wait here until they are asked for, so that a slow watcher never
 * holds up a call. Written by hand because an async generator costs three more turns of the microtask queue an event.
 */

/** Starts its work when it is first asked, and calls it off when the loop is left early. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #start: () => void;
  readonly #leave: () => Promise<void>;
  readonly #waiting: ((result: IteratorResult<T, undefined>) => void)[] = [];
  readonly #items: T[] = [];
  #taken = 0;
  #started = false;
  #closed = false;

  /**
   * @param start begins the work that pushes and at last closes; called once, by the first `next`
   * @param leave calls the work off; resolves when it has come to rest
   */
  constructor(start: () => void, leave: () => Promise<void>) {
    this.#start = start;
    this.#leave = leave;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** No effect once closed. */
  push(item: T): void {
    if (this.#closed) return;
    const next = this.#waiting.shift();
    if (next) next({ value: item, done: false });
    else this.#items.push(item);
  }

  /** Nothing more will come; what waits here can still be taken. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(END);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (!this.#started) {
      this.#started = true;
      this.#start();
    }
    if (this.#taken < this.#items.length) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#closed) return Promise.resolve(END);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#items.length = 0;
    this.#taken = 0;
    this.close();
    if (this.#started) await this.#leave();
    this.#started = true;
    return END;
  }

  #take(): T {
    const item = this.#items[this.#taken] as T;
    this.#taken += 1;
    if (this.#taken === this.#items.length) {
      this.#items.length = 0;
      this.#taken = 0;
    }
    return item;
  }
}

const END = { value: undefined, done: true } as const;
