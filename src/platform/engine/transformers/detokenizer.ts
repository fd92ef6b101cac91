/**
 * @file Converts a stream of tokens to text. Some tokenizers drop the space before the first word,
 * so each token is decoded together with the previous tokens. A token may end inside a character,
 * so text is held back until its last character is complete.
 */

/** The replacement character. Decoders return it for the bytes of an incomplete character. */
const INCOMPLETE = '\uFFFD';

export class Detokenizer {
  readonly #decode: (tokens: bigint[]) => string;
  /** The tokens of the last emitted text. They are the context for the next tokens. */
  #before: bigint[] = [];
  /** Tokens whose text has not been emitted yet. */
  #held: bigint[] = [];

  constructor(decode: (tokens: bigint[]) => string) {
    this.#decode = decode;
  }

  push(token: bigint): void {
    this.#held.push(token);
  }

  /**
   * Returns the text that has not been emitted yet. Returns an empty string if the last token ends
   * inside a character.
   */
  read(): string {
    const text = this.#held.length > 0 ? this.#fresh() : '';
    if (text === '' || text.endsWith(INCOMPLETE)) return '';
    this.#before = this.#held;
    this.#held = [];
    return text;
  }

  /** Returns the text that has not been emitted yet, even if its last character is incomplete. */
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
