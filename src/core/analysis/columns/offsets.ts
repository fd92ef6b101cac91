/**
 * @file Stores where the steps or the labels of each run begin and end. A column holds the items of all runs, one run after
 * the other.
 */

export class Offsets {
  #ends = new Uint32Array(1024);
  length = 0;

  /** The index of a run's first item. */
  start(run: number): number {
    return run === 0 ? 0 : (this.#ends[run - 1] ?? 0);
  }

  /** The index after a run's last item. */
  end(run: number): number {
    return this.#ends[run] ?? 0;
  }

  /** Adds a run. @param end the index after the run's last item */
  push(end: number): void {
    if (this.length === this.#ends.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    this.#ends[this.length] = end;
    this.length += 1;
  }

  cut(length: number): void {
    this.length = Math.min(this.length, length);
  }
}
