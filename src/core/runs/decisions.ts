/**
 * @file The way from a page to a run that waits for a person. What is said is kept until the run asks for it, in order.
 */
import { abortError, type Decision, type Person } from '../contract';

export class Decisions implements Person {
  readonly #said: Decision[] = [];
  #wake: () => void = () => undefined;

  say(decision: Decision): void {
    this.#said.push(decision);
    this.#wake();
  }

  async decide(signal: AbortSignal): Promise<Decision> {
    for (;;) {
      if (signal.aborted) throw abortError();
      const decision = this.#said.shift();
      if (decision) return decision;
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          signal.removeEventListener('abort', this.#wake);
          resolve();
        };
        signal.addEventListener('abort', this.#wake);
      });
    }
  }
}
