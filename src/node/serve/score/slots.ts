/** @file Limits how many asynchronous functions run at once. Further calls wait in a queue. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Calls `work` when a slot is free. Waiting calls start in the order of arrival. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      // Gives the slot to the next waiting call.
      if (next) next();
      else this.#free += 1;
    }
  }
}
