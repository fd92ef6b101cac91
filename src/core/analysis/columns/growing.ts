/** @file The columns of a table as typed arrays that grow. Each array has the values of one column, in the order of the rows. */

/**
 * The names of a table’s columns, by kind of value. `codes` are codes of a `Dictionary`, and `kinds` are indexes into a fixed
 * list.
 */
export interface Layout<Numbers extends string, Codes extends string, Kinds extends string> {
  readonly numbers: readonly Numbers[];
  readonly codes: readonly Codes[];
  readonly kinds: readonly Kinds[];
}

/**
 * The rows of a table, stored by column. An array may be longer than `length`. An array is replaced when it grows, so a
 * reference to an array is only valid until a row is added.
 */
export interface Rows<Numbers extends string, Codes extends string, Kinds extends string> {
  readonly length: number;
  /** A missing number is `NaN`. */
  readonly numbers: Readonly<Record<Numbers, Float64Array<ArrayBuffer>>>;
  readonly codes: Readonly<Record<Codes, Uint32Array<ArrayBuffer>>>;
  readonly kinds: Readonly<Record<Kinds, Uint8Array<ArrayBuffer>>>;
}

export class GrowingRows<Numbers extends string, Codes extends string, Kinds extends string> implements Rows<
  Numbers,
  Codes,
  Kinds
> {
  length = 0;
  numbers: Record<Numbers, Float64Array<ArrayBuffer>>;
  codes: Record<Codes, Uint32Array<ArrayBuffer>>;
  kinds: Record<Kinds, Uint8Array<ArrayBuffer>>;
  #capacity: number;

  constructor(
    private readonly layout: Layout<Numbers, Codes, Kinds>,
    capacity = 1024,
  ) {
    this.#capacity = capacity;
    this.numbers = record(layout.numbers, () => new Float64Array(capacity));
    this.codes = record(layout.codes, () => new Uint32Array(capacity));
    this.kinds = record(layout.kinds, () => new Uint8Array(capacity));
  }

  push(numbers: Record<Numbers, number>, codes: Record<Codes, number>, kinds: Record<Kinds, number>): void {
    const at = this.length;
    this.#reserve(at + 1);
    for (const name of this.layout.numbers) this.numbers[name][at] = numbers[name];
    for (const name of this.layout.codes) this.codes[name][at] = codes[name];
    for (const name of this.layout.kinds) this.kinds[name][at] = kinds[name];
    this.length = at + 1;
  }

  /** Removes all rows from index `length` on. */
  cut(length: number): void {
    this.length = Math.min(this.length, length);
  }

  /** Copies the rows with these indexes. The arrays of the copy have no unused capacity. */
  pick(rows: readonly number[]): Rows<Numbers, Codes, Kinds> {
    const pick = <Column extends Float64Array | Uint32Array | Uint8Array>(from: Column, to: Column): Column => {
      for (const [at, row] of rows.entries()) to[at] = from[row] ?? 0;
      return to;
    };
    return {
      length: rows.length,
      numbers: record(this.layout.numbers, (name) => pick(this.numbers[name], new Float64Array(rows.length))),
      codes: record(this.layout.codes, (name) => pick(this.codes[name], new Uint32Array(rows.length))),
      kinds: record(this.layout.kinds, (name) => pick(this.kinds[name], new Uint8Array(rows.length))),
    };
  }

  append(rows: Rows<Numbers, Codes, Kinds>): void {
    const at = this.length;
    this.#reserve(at + rows.length);
    for (const name of this.layout.numbers) this.numbers[name].set(rows.numbers[name].subarray(0, rows.length), at);
    for (const name of this.layout.codes) this.codes[name].set(rows.codes[name].subarray(0, rows.length), at);
    for (const name of this.layout.kinds) this.kinds[name].set(rows.kinds[name].subarray(0, rows.length), at);
    this.length = at + rows.length;
  }

  #reserve(needed: number): void {
    if (needed <= this.#capacity) return;
    this.#capacity = Math.max(needed, this.#capacity * 2);
    const capacity = this.#capacity;
    const grow = <Column extends Float64Array | Uint32Array | Uint8Array>(column: Column, grown: Column): Column => {
      grown.set(column);
      return grown;
    };
    this.numbers = record(this.layout.numbers, (name) => grow(this.numbers[name], new Float64Array(capacity)));
    this.codes = record(this.layout.codes, (name) => grow(this.codes[name], new Uint32Array(capacity)));
    this.kinds = record(this.layout.kinds, (name) => grow(this.kinds[name], new Uint8Array(capacity)));
  }
}

/** An object with a value for each name. */
export function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  const made: Partial<Record<Name, Value>> = {};
  for (const name of names) made[name] = value(name);
  return made as Record<Name, Value>;
}

/**
 * Where the steps or the labels of each run begin and end. A column holds the items of all runs, one run after the other.
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
