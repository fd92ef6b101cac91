/**
 * @file Finds an API key in a server's text. Also finds the key reversed, in another case, split by
 * spaces or punctuation, and in percent-encoding, hexadecimal or base64. Reads the text once, in
 * linear time.
 */
import { SHORTEST_LONG_KEY } from '../../core/contract';

/** Maximum length of a key in UTF-16 units. No server accepts a longer key in a header. */
const LONGEST_KEY = 8192;
/** Maximum number of spaces and punctuation characters (`SIGN`) between two letters of a key. */
const MOST_SIGNS = 64;

/** A character that is not a letter or digit. The search skips it. */
const SIGN = -1;
/** A letter or digit other than a–z and 0–9, such as é. No form of a key contains it. */
const FOREIGN = -2;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const LETTERS = 36;

/**
 * An Aho-Corasick automaton that matches all forms of one key, such as the reversed key or the
 * base64 encoding of the key. Ignores case. Node 0 is the start. In this file, "letter" means a letter or a digit,
 * stored as a number from 0 to 35.
 */
export class KeyForms {
  readonly #next = new Map<number, number>();
  readonly #fallback: number[] = [0];
  readonly #depth: number[] = [0];
  /** For each node, the length of the longest form that ends there. 0: none. */
  readonly #ends: number[] = [0];

  /** @returns `null` for a key that is too short or too long to search */
  static of(key: string): KeyForms | null {
    if (key.length > LONGEST_KEY || lettersOf(key).length < SHORTEST_LONG_KEY) return null;
    return new KeyForms(formsOf(key));
  }

  private constructor(forms: readonly (readonly number[])[]) {
    for (const form of forms) this.#add(form);
    this.#link();
  }

  /** The node that follows `node` after one more letter. */
  step(node: number, letter: number): number {
    let from = node;
    for (;;) {
      const next = this.#next.get(from * LETTERS + letter);
      if (next !== undefined) return next;
      if (from === 0) return 0;
      from = this.#fallback[from] ?? 0;
    }
  }

  /** How many of the most recently read letters match the beginning of a form. */
  depth(node: number): number {
    return this.#depth[node] ?? 0;
  }

  /** How many of the most recently read letters match a complete form. 0: no form ends here. */
  found(node: number): number {
    return this.#ends[node] ?? 0;
  }

  #add(form: readonly number[]): void {
    let node = 0;
    for (const letter of form) {
      const edge = node * LETTERS + letter;
      let next = this.#next.get(edge);
      if (next === undefined) {
        next = this.#depth.push(this.depth(node) + 1) - 1;
        this.#next.set(edge, next);
        this.#ends.push(0);
        this.#fallback.push(0);
      }
      node = next;
    }
    this.#ends[node] = form.length;
  }

  /**
   * Sets each node's fallback, the node from which the search continues if the next letter does not
   * match. A node stands for the letters on the path to it. Its fallback stands for the longest
   * proper suffix of these letters that is also the beginning of a form.
   */
  #link(): void {
    const edges = [...this.#next].map(([edge, node]) => ({
      from: Math.floor(edge / LETTERS),
      letter: edge % LETTERS,
      node,
    }));
    for (const { from, letter, node } of edges.toSorted(
      (one, other) => this.depth(one.node) - this.depth(other.node),
    )) {
      if (from === 0) continue;
      const fallback = this.step(this.#fallback[from] ?? 0, letter);
      this.#fallback[node] = fallback;
      this.#ends[node] = Math.max(this.found(node), this.found(fallback));
    }
  }
}

/** Removes one key from a text that arrives in pieces. */
export class KeyRemover {
  readonly #forms: KeyForms;
  readonly #hidden: string;
  #node = 0;
  #signs = 0;
  /** Text that is not returned yet, because it may be part of a key. */
  #held = '';
  /**
   * The offsets in `#held` of the most recently read letters that match the beginning of a form. An offset below 0 means that the
   * letter was already returned.
   */
  #starts: number[] = [];

  /** @param hidden the text that replaces a key */
  constructor(forms: KeyForms, hidden: string) {
    this.#forms = forms;
    this.#hidden = hidden;
  }

  /** Reads the next piece of text. Returns the text that is not held back, with keys replaced. */
  push(piece: string): string {
    const text = this.#held + piece;
    let certain = '';
    let from = 0;
    for (let at = this.#held.length; at < text.length; at++) {
      const letter = letterAt(text, at);
      if (letter === SIGN) {
        this.#signs += 1;
        if (this.#signs > MOST_SIGNS && this.#node !== 0) this.#begin();
        continue;
      }
      this.#signs = 0;
      if (letter === FOREIGN) {
        this.#begin();
        continue;
      }
      this.#node = this.#forms.step(this.#node, letter);
      this.#starts.push(at);
      const depth = this.#forms.depth(this.#node);
      if (this.#starts.length > depth) this.#starts.splice(0, this.#starts.length - depth);
      const found = this.#forms.found(this.#node);
      if (found === 0) continue;
      const start = Math.max(from, this.#starts[this.#starts.length - found] ?? at);
      certain += text.slice(from, start) + this.#hidden;
      from = at + 1;
      this.#begin();
    }
    // Ordinary words may begin like a key, so matching letters are held back only if there are more than
    // `HANDED_OUT`. Up to `HANDED_OUT` letters reveal nothing about a key.
    const hold = this.#starts.length > HANDED_OUT ? Math.max(from, this.#starts[0] ?? text.length) : text.length;
    certain += text.slice(from, hold);
    this.#held = text.slice(hold);
    this.#starts = this.#starts.map((start) => start - hold);
    return certain;
  }

  /** Returns the text that is still held back. It contains no complete key. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    this.#begin();
    return rest;
  }

  #begin(): void {
    this.#node = 0;
    this.#starts = [];
  }
}

/** Maximum number of letters that may match the beginning of a key before text is held back. */
const HANDED_OUT = 3;

function letterAt(text: string, at: number): number {
  const wide = text.charCodeAt(at);
  // Maps full-width characters to ASCII.
  const code = wide >= 0xff01 && wide <= 0xff5e ? wide - 0xfee0 : wide;
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 122) return code - 87;
  if (code >= 65 && code <= 90) return code - 55;
  return code > 127 && LETTER_OR_DIGIT.test(text.charAt(at)) ? FOREIGN : SIGN;
}

function lettersOf(text: string): number[] {
  return Array.from(text, (_, at) => letterAt(text, at)).filter((letter) => letter >= 0);
}

function formsOf(key: string): readonly (readonly number[])[] {
  const encoded = [key, reversed(key)].flatMap((text) => [text, percentEncoded(text), hex(text), ...base64(text)]);
  const forms = [...encoded, ...encoded.map(reversed)].map(lettersOf);
  const different = new Map(forms.map((form) => [form.join(), form]));
  return [...different.values()].filter(({ length }) => length >= SHORTEST_LONG_KEY);
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

function percentEncoded(text: string): string {
  return text.replace(/[^A-Za-z0-9]/gu, (sign) => (sign.charCodeAt(0) < 128 ? `%${hex(sign)}` : sign));
}

function hex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Base64 encodes groups of three bytes, so the encoding of a key depends on its offset in a group.
 * Returns the encoding for each offset, without characters that also depend on neighboring bytes.
 */
function base64(text: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return [0, 1, 2].map((before) => {
    const letters = btoa(`${'\0'.repeat(before)}${bytes}\0\0`);
    return letters.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}
