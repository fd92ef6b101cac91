/**
 * @file Stores where the items (steps or labels) of each run end, in columns that contain the items of all runs one after
 * another.
 */

export class Offsets {
  #ends = new Uint32Array(1024);
  length = 0;

  /** The first index of a run's items. */
  start(run: number): number {
    return run === 0 ? 0 : (this.#ends[run - 1] ?? 0);
  }

  /** The index after a run's last item. */
  end(run: number): number {
    return this.#ends[run] ?? 0;
  }

  /** Adds a run whose items end at this index. */
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
