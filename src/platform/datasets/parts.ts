/** @file Collects rows into parts of a bounded size, and limits the size of a table. */
import {
  DEEPEST_NESTING,
  fault,
  FaultError,
  type RowProblem,
  type TablePart,
  type TableRow,
} from '../../core/contract';
import type { TextReader } from '../../core/contract/text-encoding';

/** A part is full when it has this many rows, including damaged rows. */
const MOST_ROWS = 256;
/** A part is full when its rows have this much text, in UTF-16 units. */
const MOST_TEXT = 1024 * 1024;

export interface TableLimits {
  /** Maximum number of rows, including damaged rows. */
  readonly rows: number;
  /** Maximum length of the text of all rows, in UTF-16 units. */
  readonly text: number;
}

/** Far more than a browser can evaluate or store. A small damaged file can claim to have more. */
const TABLE_LIMITS: TableLimits = { rows: 10_000_000, text: 16 * 1024 ** 3 };

/**
 * Builds parts one after the other. The caller calls `flush` when `isFull`, to get a part and start the next one. Rows are
 * numbered from 1 across all parts. Throws a `FaultError` (`too-large`) if the table exceeds a limit.
 */
export class PartBuilder {
  readonly #decoder: Pick<TextReader, 'isDamaged'>;
  readonly #limits: TableLimits;
  #rows: { row: number; value: TableRow }[] = [];
  #problems: RowProblem[] = [];
  #text = 0;
  #allText = 0;
  #row = 0;

  /** @param decoder the decoder of the rows’ text. Parquet has none, because its texts are always UTF-8 */
  constructor(decoder: Pick<TextReader, 'isDamaged'> = { isDamaged: false }, limits = TABLE_LIMITS) {
    this.#decoder = decoder;
    this.#limits = limits;
  }

  /**
   * Adds a row. Skips the row if it contains letters that could not be decoded, or is nested too deeply to be stored.
   * @param length length of the row’s text in the file
   */
  add(value: TableRow, length: number): void {
    if (this.#decoder.isDamaged && JSON.stringify(value).includes('\ufffd')) return this.skip(DAMAGED_LETTERS);
    if (isDeeper(value, DEEPEST_NESTING)) return this.skip(TOO_DEEP);
    this.#count(length);
    this.#rows.push({ row: this.#row, value });
  }

  /** Counts a damaged row and reports its problem. @param message the reason, as a sentence */
  skip(message: string): void {
    this.#count(0);
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

  #count(length: number): void {
    this.#row += 1;
    this.#text += length;
    this.#allText += length;
    checkRows(this.#row, this.#limits);
    if (this.#allText > this.#limits.text) {
      const most = Math.round(this.#limits.text / 1024 ** 3);
      throw new FaultError(fault('too-large', `This table has more than ${most} GB of text. Import a part of it.`));
    }
  }
}

/** Throws a `FaultError` (`too-large`) if a table has too many rows. */
export function checkRows(rows: number, { rows: most }: TableLimits = TABLE_LIMITS): void {
  if (rows <= most) return;
  const message = `This table has more than ${most.toLocaleString('en-US')} rows. Import a part of it.`;
  throw new FaultError(fault('too-large', message));
}

/** Whether lists and objects are nested more than `most` levels deep. */
function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((each) => isDeeper(each, most - 1));
}

const TOO_DEEP = `The row is nested more than ${DEEPEST_NESTING} levels deep.`;
const DAMAGED_LETTERS = 'The row has letters that are not UTF-8. Choose another encoding, or fix the file.';
