/** @file Assigns a small number, its code, to each text. A column stores the code in place of the text. */

export class Dictionary {
  readonly #texts: string[] = [];
  readonly #codes = new Map<string, number>();

  /** All texts. The code of a text is its index. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The code of a text. Adds the text if it is new. */
  code(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#codes.set(text, code);
    return code;
  }

  /** The code of a known text. `null`: the text was never added. */
  find(text: string): number | null {
    return this.#codes.get(text) ?? null;
  }
}
