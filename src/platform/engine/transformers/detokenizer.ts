/**
 * @file Tokens to text as they come. A token may hold part of a character, and some tokenizers drop the space before the
 * first word, so a token is read together with the ones before it, and held back until it ends on a whole character.
 */

/** What stands for bytes that are no whole character yet. */
const INCOMPLETE = '\uFFFD';

export class Detokenizer {
  readonly #decode: (tokens: bigint[]) => string;
  /** Tokens that were given out last: the context of those after them. */
  #before: bigint[] = [];
  #held: bigint[] = [];

  constructor(decode: (tokens: bigint[]) => string) {
    this.#decode = decode;
  }

  push(token: bigint): void {
    this.#held.push(token);
  }

  /** What can be said for sure and was not yet; empty where the last token ends inside a character. */
  read(): string {
    const text = this.#held.length > 0 ? this.#fresh() : '';
    if (text === '' || text.endsWith(INCOMPLETE)) return '';
    this.#before = this.#held;
    this.#held = [];
    return text;
  }

  /** What was held back to the end. */
  flush(): string {
    const text = this.#held.length > 0 ? this.#fresh() : '';
    this.#held = [];
    return text;
  }

  #fresh(): string {
    const known = this.#before.length > 0 ? this.#decode(this.#before).length : 0;
    return this.#decode([...this.#before, ...this.#held]).slice(known);
  }
}
