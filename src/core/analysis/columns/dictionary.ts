/** @file Assigns a number, called a code, to each text. Columns store codes in place of texts. */

export class Dictionary {
  readonly #texts: string[] = [];
  readonly #codes = new Map<string, number>();

  /** The index of a text is its code. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Adds the text if it is new. */
  code(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#codes.set(text, code);
    return code;
  }

  find(text: string): number | null {
    return this.#codes.get(text) ?? null;
  }
}
