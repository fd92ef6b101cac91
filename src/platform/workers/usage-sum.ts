/** @file Combines the token counts that a stream reports in several chunks. */
import type { Usage } from '../../core/contract';

/**
 * Most servers that report counts more than once report running totals, or the prompt and the answer in different chunks. Others
 * report the tokens of each chunk, which must be added. A running total never shrinks, and it grows with the text.
 */
export class UsageSum {
  #last: Usage | null = null;
  #input = 0;
  #most = 0;
  #sum = 0;
  #hasGrown = false;
  #hasShrunk = false;
  #hasRepeated = false;

  /** @param hasNewText whether text has arrived since the last report */
  add(reported: Usage, hasNewText: boolean): void {
    const before = this.#last?.output ?? 0;
    const { output } = reported;
    if (before > 0 && output > 0 && hasNewText) {
      this.#hasGrown ||= output > before;
      this.#hasShrunk ||= output < before;
      this.#hasRepeated ||= output === before;
    }
    if (hasNewText) this.#sum += output;
    this.#input = Math.max(this.#input, reported.input);
    this.#most = Math.max(this.#most, output);
    this.#last = { ...this.#last, ...reported };
  }

  /** The counts. `null`: nothing was reported. A count that was not reported is 0. */
  get usage(): Usage | null {
    const isOfChunks = this.#hasShrunk || (this.#hasRepeated && !this.#hasGrown);
    return (
      this.#last && {
        ...this.#last,
        input: this.#input,
        output: isOfChunks ? Math.max(this.#sum, this.#most) : this.#most,
      }
    );
  }
}
