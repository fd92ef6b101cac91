/** @file Tracks whether the end of a Markdown text is inside code. The text arrives in pieces. Reads each character once. */

export class CodeContext {
  #isInBlock = false;
  #isInSpan = false;
  /** Number of consecutive backticks or tildes before the next character. */
  #marks = 0;
  /** Whether the current line has only spaces and marks so far. */
  #isLineStart = true;
  #last = '\n';

  /** The last character. A line feed before the first one. */
  get last(): string {
    return this.#last;
  }

  /** Whether the next character would be inside a code block or inline code. */
  get isInCode(): boolean {
    return this.#isInBlock || this.#isInSpan !== this.#marks > 0;
  }

  push(text: string): void {
    for (const sign of text) {
      if (sign === '`' || (sign === '~' && this.#isLineStart)) this.#marks += 1;
      else {
        if (this.#marks > 0) this.#endMarks();
        if (sign === '\n') {
          this.#isLineStart = true;
          this.#isInSpan = false;
        } else if (sign !== ' ') this.#isLineStart = false;
      }
      this.#last = sign;
    }
  }

  #endMarks(): void {
    if (this.#isLineStart && this.#marks >= 3) this.#isInBlock = !this.#isInBlock;
    else this.#isInSpan = !this.#isInSpan;
    this.#isLineStart = false;
    this.#marks = 0;
  }
}
