/** @file Collects rows into parts of a bounded size. */
import type { RowProblem, TablePart, TableRow } from '../../core/contract';

/** A part is full when it has this many rows, including damaged rows. */
const MOST_ROWS = 256;
/** A part is full when its rows have this much text, in UTF-16 units. */
const MOST_TEXT = 1024 * 1024;

/**
 * Builds parts one after the other. The caller calls `flush` when `isFull`, to get a part and start the next one. Rows are
 * numbered from 1 across all parts.
 */
export class PartBuilder {
  #rows: { row: number; value: TableRow }[] = [];
  #problems: RowProblem[] = [];
  #text = 0;
  #row = 0;

  /** @param length length of the row’s text in the file */
  add(value: TableRow, length: number): void {
    this.#row += 1;
    this.#text += length;
    this.#rows.push({ row: this.#row, value });
  }

  /** Counts a damaged row and reports its problem. @param message the reason, as a sentence */
  skip(message: string): void {
    this.#row += 1;
    this.#problems.push({ row: this.#row, message });
  }

  get isFull(): boolean {
    return this.#rows.length + this.#problems.length >= MOST_ROWS || this.#text >= MOST_TEXT;
  }

  /** @param read bytes of the file that have been read so far */
  flush(read: number): TablePart {
    const part = { rows: this.#rows, problems: this.#problems, read };
    this.#rows = [];
    this.#problems = [];
    this.#text = 0;
    return part;
  }
}
