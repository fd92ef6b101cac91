/** @file Ends an answer before the first stop text, even if the answer is still being streamed. */

/** Cuts a text that arrives in pieces. Characters that may begin a stop text are held back. */
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

  /** Whether a stop text has ended the answer. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Adds a piece. @returns the text that was not returned before and can't be part of a stop text */
  push(text: string): string {
    if (this.#isCut) return '';
    this.#held += text;
    const cut = cutIn(this.#held, this.#stops);
    this.#isCut = cut !== null;
    return this.#take(cut ?? this.#certain());
  }

  /** @returns the rest of an answer that has ended */
  finish(): string {
    return this.#isCut ? '' : this.#take(this.#held.length);
  }

  #certain(): number {
    const end = Math.max(0, this.#held.length - Math.max(0, this.#longest - 1));
    // The two halves of a character outside the basic plane must stay in one piece.
    return /[\uD800-\uDBFF]/.test(this.#held.charAt(end - 1)) && end < this.#held.length ? end - 1 : end;
  }

  #take(end: number): string {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return text;
  }
}

/**
 * The start of the stop text that ends first. So a streamed answer is cut at the same place as an answer that arrives as a whole.
 * `null`: the text contains no stop text.
 */
function cutIn(text: string, stops: readonly string[]): number | null {
  const found = stops
    .map((stop) => ({ start: text.indexOf(stop), length: stop.length }))
    .filter(({ start }) => start >= 0)
    .toSorted((one, other) => one.start + one.length - (other.start + other.length) || one.start - other.start);
  return found[0]?.start ?? null;
}

/** Cuts a whole answer before its first stop text. */
export function cutAtStop(text: string, stops: readonly string[]): { readonly text: string; readonly isCut: boolean } {
  const reader = new StopReader(stops);
  return { text: reader.push(text) + reader.finish(), isCut: reader.isCut };
}
