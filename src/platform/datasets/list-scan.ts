/**
 * @file Finds the rows inside a JSON object: a list of objects, such as the examples of a task with a description, or objects by
 * their ids.
 */
import { parseJson } from '../../core/contract';

/** Longer names of fields are cut off, and so not found, in UTF-16 units. */
const LONGEST_NAME = 200;
/** After this number of fields with objects, the object has objects by their ids. */
const ENOUGH_OBJECTS = 3;
/** A list of this number of objects has the rows, even if a later list is longer. */
const ENOUGH_ROWS = 100;

/** `list`: the rows are the entries of the field `name`, which has the longest list. `objects`: the rows are the values of all fields. */
export type RowsInside = { readonly kind: 'list'; readonly name: string } | { readonly kind: 'objects' };

/**
 * Reads a JSON text until it shows where its rows are. A line of JSONL may have lists and objects too, so an object on one line is
 * read to its end: the text is JSONL if anything follows.
 */
export class ListScan {
  readonly #longest: number;
  #length = 0;
  #state: 'before' | 'inside' | 'after' | 'lines' = 'before';
  /** Whether the object has several lines, as an object in JSONL never has. */
  #isSpread = false;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The last text directly inside the object. Before a colon, it is the name of a field. */
  #name = '';
  /** The last sign outside of texts. */
  #last = '';
  /** The number of objects in the list of each field. */
  readonly #lists = new Map<string, number>();
  /** Whether the field that is read has a list. */
  #isInList = false;
  #hasEnough = false;
  #fields = 0;
  /** Fields whose value is an object. */
  #objects = 0;

  /** @param longest maximum length of an object on one line, in UTF-16 units */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Where the rows are. `null`: the text is JSONL, or an object without rows inside. */
  get found(): RowsInside | null {
    if (this.#state === 'lines') return null;
    const [longest] = [...this.#lists].toSorted(([, one], [, other]) => other - one);
    if (longest) return { kind: 'list', name: longest[0] };
    return this.#objects > 1 && this.#objects === this.#fields ? { kind: 'objects' } : null;
  }

  /** @returns whether the next piece of the text is needed */
  add(piece: string): boolean {
    this.#length += piece.length;
    if (this.#length > this.#longest) this.#state = 'lines';
    for (const sign of piece) {
      if (this.#state === 'lines') return false;
      if (this.#isText) this.#addToText(sign);
      else if (/\S/.test(sign)) this.#addSign(sign);
      else if (sign === '\n' && this.#state === 'inside') this.#isSpread = true;
      if (this.#isSpread && this.#hasEnough) return false;
    }
    return true;
  }

  #addToText(sign: string): void {
    if (sign === '"' && !this.#isEscaped) this.#isText = false;
    else if (this.#depth === 1 && this.#name.length < LONGEST_NAME) this.#name += sign;
    this.#isEscaped = sign === '\\' && !this.#isEscaped;
  }

  #addSign(sign: string): void {
    if (this.#state === 'after' || (this.#state === 'before' && sign !== '{')) {
      this.#state = 'lines';
      return;
    }
    this.#state = 'inside';
    if (this.#last === ':' && this.#depth === 1) {
      this.#fields += 1;
      this.#isInList = sign === '[';
      if (sign === '{') this.#objects += 1;
      this.#hasEnough = this.#objects >= ENOUGH_OBJECTS && this.#objects === this.#fields;
    } else if (sign === '{' && this.#depth === 2 && this.#isInList) this.#addRow();
    this.#last = sign;
    if (sign === '"') {
      this.#isText = true;
      if (this.#depth === 1) this.#name = '';
    } else if (sign === '{' || sign === '[') this.#depth += 1;
    else if (sign === '}' || sign === ']') this.#depth -= 1;
    if (this.#depth === 0) this.#state = 'after';
  }

  #addRow(): void {
    const field = fieldOf(this.#name);
    if (field === null) return;
    const rows = (this.#lists.get(field) ?? 0) + 1;
    this.#lists.set(field, rows);
    this.#hasEnough ||= rows >= ENOUGH_ROWS;
  }
}

/** The parser of lists takes dots and stars in a name for a path. */
function fieldOf(name: string): string | null {
  const field = parseJson(`"${name}"`);
  return typeof field === 'string' && field !== '' && !/[.*]/.test(field) ? field : null;
}
