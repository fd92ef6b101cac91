/**
 * @file Removes a key from a text that arrives in pieces, if the key is too short to search for its changed forms (see
 * `key-forms.ts`). Finds the key itself and its percent-encoded form. A key that is a word or a number is found only if no other
 * letter or digit is next to it, because it may be a part of ordinary words.
 */

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export class ShortKeyRemover {
  readonly #forms: readonly string[];
  readonly #pattern: RegExp;
  readonly #hidden: string;
  readonly #isWord: boolean;
  /** Text that is not returned yet, because it may be part of the key. */
  #held = '';
  /** The last character before the held text. */
  #last = '';

  /** @param hidden the text that replaces the key */
  constructor(key: string, hidden: string) {
    this.#forms = /^[\x20-\x7e]+$/.test(key) ? [...new Set([key, encodeURIComponent(key)])] : [key];
    this.#pattern = new RegExp(this.#forms.map(escaped).join('|'), 'g');
    this.#hidden = hidden;
    this.#isWord = /^(?:\p{L}+|\p{N}+)$/u.test(key);
  }

  push(piece: string): string {
    return this.#read(piece, false);
  }

  /** Returns the text that is still held back. */
  end(): string {
    return this.#read('', true);
  }

  #read(piece: string, isEnd: boolean): string {
    const text = this.#held + piece;
    let clean = '';
    let from = 0;
    let hold = text.length - (isEnd ? 0 : this.#begun(text));
    for (const { 0: found, index } of text.matchAll(this.#pattern)) {
      const end = index + found.length;
      // Whether the key is a part of a longer word shows only with the next character.
      if (this.#isWord && end === text.length && !isEnd) {
        hold = Math.min(hold, index);
        break;
      }
      const isPart = LETTER_OR_DIGIT.test(text[index - 1] ?? this.#last) || LETTER_OR_DIGIT.test(text[end] ?? '');
      if (this.#isWord && isPart) continue;
      clean += text.slice(from, index) + this.#hidden;
      from = end;
    }
    hold = Math.max(hold, from);
    this.#held = text.slice(hold);
    this.#last = text[hold - 1] ?? this.#last;
    return clean + text.slice(from, hold);
  }

  /** How many characters at the end of a text may be the beginning of the key. */
  #begun(text: string): number {
    const longest = Math.max(...this.#forms.map(({ length }) => length));
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const rest = text.slice(at);
      if (this.#forms.some((form) => form.startsWith(rest))) return rest.length;
    }
    return 0;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
