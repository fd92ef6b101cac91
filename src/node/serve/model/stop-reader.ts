/** @file Cuts complete and streamed answers at a stop text. The `stop` parameter of a chat request contains the stop texts. */

/** Cuts a text that arrives in pieces. Holds back characters that may begin a stop text. */
export class StopReader {
  readonly #stops: readonly string[];
  readonly #longest: number;
  #held = '';
  #isCut = false;

  /** @param stops the stop texts, none of them empty */
  constructor(stops: readonly string[]) {
    this.#stops = stops;
    this.#longest = Math.max(0, ...stops.map(({ length }) => length));
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Adds a piece. @returns new text that can't be part of a stop text */
  push(text: string): string {
    if (this.#isCut) return '';
    this.#held += text;
    const cut = cutIn(this.#held, this.#stops);
    this.#isCut = cut !== null;
    return this.#take(cut ?? this.#certain());
  }

  /** Ends the text. @returns the characters that were held back */
  finish(): string {
    return this.#isCut ? '' : this.#take(this.#held.length);
  }

  #certain(): number {
    const end = Math.max(0, this.#held.length - Math.max(0, this.#longest - 1));
    // A surrogate pair must not be split.
    return /[\uD800-\uDBFF]/.test(this.#held.charAt(end - 1)) && end < this.#held.length ? end - 1 : end;
  }

  #take(end: number): string {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return text;
  }
}

/**
 * The position of the stop text that ends first. With this rule, a streamed answer is cut at the same place as a complete one.
 * `null`: the text contains no stop text.
 */
function cutIn(text: string, stops: readonly string[]): number | null {
  const found = stops
    .map((stop) => ({ start: text.indexOf(stop), length: stop.length }))
    .filter(({ start }) => start >= 0)
    .toSorted((one, other) => one.start + one.length - (other.start + other.length) || one.start - other.start);
  return found[0]?.start ?? null;
}

/** Cuts a complete answer at the same place as a streamed one. */
export function cutAtStop(text: string, stops: readonly string[]): { readonly text: string; readonly isCut: boolean } {
  const reader = new StopReader(stops);
  return { text: reader.push(text) + reader.finish(), isCut: reader.isCut };
}
