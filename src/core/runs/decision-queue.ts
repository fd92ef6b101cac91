/** @file Queues the user's decisions about a run until the run reads them, in order. */
import { abortError, type Decision, type UserDecisions } from '../contract';

export class DecisionQueue implements UserDecisions {
  readonly #pending: Decision[] = [];
  #wake: () => void = () => undefined;

  add(decision: Decision): void {
    this.#pending.push(decision);
    this.#wake();
  }

  async next(signal: AbortSignal): Promise<Decision> {
    for (;;) {
      if (signal.aborted) throw abortError();
      const decision = this.#pending.shift();
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
