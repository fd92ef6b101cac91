/** @file Limits how many pieces of work run at once. Further work waits in a queue. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs the work when a slot is free. Waiting work starts in the order of the calls. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      // The next waiting work gets the slot directly.
      if (next) next();
      else this.#free += 1;
    }
  }
}
