/** @file Finds the list of objects inside a JSON object, such as the examples of a task with a description. */
import { parseJson } from '../../core/contract';

/** Longer names of fields are cut off, and so not found, in UTF-16 units. */
const LONGEST_NAME = 200;

/**
 * Reads a JSON text up to the first field with a list of objects. A line of JSONL may have such a field too, so an object on one
 * line is read to its end: the text is JSONL if anything follows.
 */
export class ListScan {
  /** The name of the field with the list. `null`: the text is no object with such a list. */
  list: string | null = null;
  readonly #longest: number;
  #length = 0;
  #state: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** The last text directly inside the object. Before a colon, it is the name of a field. */
  #name = '';
  /** Whether the last sign began the list of a field. */
  #isListStart = false;
  /** Whether the object has several lines, as an object in JSONL never has. */
  #isSpread = false;

  /** @param longest maximum length of an object on one line, in UTF-16 units */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** @returns whether the next piece of the text is needed */
  add(piece: string): boolean {
    this.#length += piece.length;
    for (const sign of piece) {
      if (this.#isText) this.#addToText(sign);
      else if (/\S/.test(sign)) {
        if (!this.#addSign(sign)) return false;
      } else if (sign === '\n' && this.#state === 'inside') this.#isSpread = true;
      if (this.list !== null && this.#isSpread) return false;
    }
    if (this.#length <= this.#longest) return true;
    this.list = null;
    return false;
  }

  #addToText(sign: string): void {
    if (sign === '"' && !this.#isEscaped) this.#isText = false;
    else if (this.#depth === 1 && this.#name.length < LONGEST_NAME) this.#name += sign;
    this.#isEscaped = sign === '\\' && !this.#isEscaped;
  }

  /** @returns false if the text is no single object */
  #addSign(sign: string): boolean {
    if (this.#state === 'after' || (this.#state === 'before' && sign !== '{')) {
      this.list = null;
      return false;
    }
    this.#state = 'inside';
    if (this.#isListStart && sign === '{') this.list ??= fieldOf(this.#name);
    this.#isListStart = sign === '[' && this.#depth === 1;
    if (sign === '"') {
      this.#isText = true;
      if (this.#depth === 1) this.#name = '';
    } else if (sign === '{' || sign === '[') this.#depth += 1;
    else if (sign === '}' || sign === ']') this.#depth -= 1;
    if (this.#depth === 0) this.#state = 'after';
    return true;
  }
}

/** The parser of lists takes dots and stars in a name for a path. */
function fieldOf(name: string): string | null {
  const field = parseJson(`"${name}"`);
  return typeof field === 'string' && field !== '' && !/[.*]/.test(field) ? field : null;
}
