/**
 * @file Reads CSV with or without a header (RFC 4180). Fields are separated by commas, semicolons or tabs, and can contain quotes and line
 * breaks.
 */
import Papa from 'papaparse';
import { fault, FaultError, type TablePart, type TableRow } from '../../core/contract';
import type { TextReader } from '../../core/contract/text-encoding';
import { readText } from '../read-lines';
import type { ByteSource } from './byte-source';
import { withAssertedAnswer } from './logs/promptfoo-tests';
import { PartBuilder } from './parts';
import { brokenText, openText } from './text-pieces';

/** Maximum length of a record, in UTF-16 units. A longer record probably has an unclosed quote. */
const LONGEST_RECORD = 32 * 1024 * 1024;

interface Dialect {
  readonly delimiter: string;
  readonly newline: '\n' | '\r\n';
}

/** The result of `Papa.Parser`, which the types of the library don’t describe. */
interface Parsed {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string }[];
  /** The offset where the first incomplete record begins. */
  readonly meta: { readonly cursor: number };
}

export async function* readCsv(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const text = openText(source, signal);
  const parts = new PartBuilder(decoder);
  const records = new RecordReader(parts, source.name);
  try {
    for await (const piece of readText(text.bytes, decoder)) {
      signal.throwIfAborted();
      records.add(piece);
      if (parts.isFull) yield parts.flush(text.read());
    }
    records.finish();
    yield parts.flush(text.read());
  } catch (thrown) {
    throw brokenText(thrown, source, signal);
  }
}

/** Splits text that arrives in pieces into records. The first record is the header, unless it is a task. */
class RecordReader {
  readonly #parts: PartBuilder;
  readonly #name: string;
  #rest = '';
  #dialect: Dialect | null = null;
  #header: readonly string[] | null = null;

  constructor(parts: PartBuilder, name: string) {
    this.#parts = parts;
    this.#name = name;
  }

  add(text: string): void {
    this.#rest += text;
    if (!this.#dialect) {
      this.#dialect = dialectOf(this.#rest, this.#name);
      if (!this.#dialect) return;
      this.#rest = this.#rest.replace(CHOICE, '');
    }
    const { data, meta } = parsed(this.#rest, this.#dialect, true);
    this.#rest = this.#rest.slice(meta.cursor);
    for (const record of data) this.#record(record);
    if (this.#rest.length > LONGEST_RECORD) throw new FaultError(fault('bad-request', UNCLOSED));
  }

  /** Reads the last record, if it does not end with a line break. */
  finish(): void {
    if (this.#rest.trim() === '') return;
    const dialect = this.#dialect ?? { delimiter: delimiterOf(this.#rest, this.#name), newline: '\n' };
    const { data, errors } = parsed(this.#rest, dialect, false);
    if (errors.some(({ code }) => code === 'MissingQuotes')) {
      this.#parts.skip('A quote is not closed. The file may have been cut off.');
      return;
    }
    for (const record of data) this.#record(record);
  }

  #record(fields: readonly string[]): void {
    if (fields.length === 1 && fields[0]?.trim() === '') return;
    if (this.#header === null) {
      const isFirstRow = isTask(fields);
      this.#header = namesOf(isFirstRow ? fields.map(() => '') : fields);
      if (isFirstRow) this.#record(fields);
    } else if (fields.length === this.#header.length) {
      const length = fields.reduce((sum, field) => sum + field.length, 0);
      this.#parts.add(withAssertedAnswer(rowOf(this.#header, fields)), length);
    } else {
      this.#parts.skip(`The row has ${fields.length} fields, but the header has ${this.#header.length}.`);
    }
  }
}

const UNCLOSED =
  'A record has more than 32 million characters. Check whether a closing quote is missing, fix the file, then import it again.';

function parsed(text: string, dialect: Dialect, hasMore: boolean): Parsed {
  const result: Parsed = new Papa.Parser({ ...dialect }).parse(text, 0, hasMore);
  return result;
}

/** A first line such as `sep=;`, which chooses the delimiter. Excel writes and reads it. It is not the header. */
const CHOICE = /^"?sep=([^\r\n])"?\r?\n/i;

/** The delimiter and line break of the first line. `null` if the first line has not arrived completely. */
function dialectOf(text: string, name: string): Dialect | null {
  const end = text.indexOf('\n');
  if (end === -1) return null;
  const newline = text.charAt(end - 1) === '\r' ? '\r\n' : '\n';
  return { delimiter: CHOICE.exec(text)?.[1] ?? delimiterOf(text.slice(0, end), name), newline };
}

/**
 * The delimiter of the fields: a tab in a `.tsv` file, otherwise the delimiter that occurs most often in the header, outside of
 * quotes.
 */
function delimiterOf(header: string, name: string): string {
  if (/\.tsv(\.gz)?$/i.test(name)) return '\t';
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** Names of columns are shorter, in UTF-16 units. */
const LONG = 40;
const ANSWER = /^(?:[-+−]?[$€£]?\d[\d.,]*|[A-J])$/;

/** Whether the first record is a task with its answer, as in the files of MMLU and MGSM, which have no header. */
function isTask(fields: readonly string[]): boolean {
  const texts = fields.map((field) => field.trim());
  return texts.some((text) => text.length > LONG && text.includes(' ')) && texts.some((text) => ANSWER.test(text));
}

/**
 * The names of the columns. A column without a name, or with the name of an earlier column, is named by its number (`column 2`).
 * If the header already contains `column 2`, a suffix makes the new name unique.
 */
function namesOf(fields: readonly string[]): readonly string[] {
  const given = fields.map((field) => field.trim());
  const taken = new Set(given);
  const earlier = new Set(['']);
  return given.map((name, index) => {
    if (!earlier.has(name)) {
      earlier.add(name);
      return name;
    }
    const numbered = `column ${index + 1}`;
    let unique = numbered;
    for (let suffix = 2; taken.has(unique); suffix++) unique = `${numbered} (${suffix})`;
    taken.add(unique);
    return unique;
  });
}

function rowOf(names: readonly string[], fields: readonly string[]): TableRow {
  return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
}
