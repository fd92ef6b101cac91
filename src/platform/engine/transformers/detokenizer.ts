/**
 * @file Converts a stream of tokens to text. A token may contain part of a character, and some tokenizers drop the space before
 * the first word. So a token is decoded together with the tokens before it. Text is held back until its last character is
 * complete.
 */

/** The replacement character, to which the bytes of an incomplete character are decoded. */
const INCOMPLETE = '\uFFFD';

export class Detokenizer {
  readonly #decode: (tokens: bigint[]) => string;
  /** The last emitted tokens, as context for the next ones. */
  #before: bigint[] = [];
  #held: bigint[] = [];

  constructor(decode: (tokens: bigint[]) => string) {
    this.#decode = decode;
  }

  push(token: bigint): void {
    this.#held.push(token);
  }

  /** The text that has not been emitted yet. Empty if the last token ends inside a character. */
  read(): string {
    const text = this.#held.length > 0 ? this.#fresh() : '';
    if (text === '' || text.endsWith(INCOMPLETE)) return '';
    this.#before = this.#held;
    this.#held = [];
    return text;
  }

  /** The rest of the text, even if its last character is incomplete. */
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
