/**
 * @file Yields to the page while a stream is read. Otherwise, the stream of a fast server would keep the event loop busy and
 * block clicks, timers and frames.
 */
import type { Clock } from '../../core/contract';

/** Maximum time between two yields, ms. */
const LONGEST_STRETCH = 8;

export class PageYield {
  readonly #clock: Clock;
  #last: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.monotonic();
  }

  get isDue(): boolean {
    return this.#clock.monotonic() - this.#last >= LONGEST_STRETCH;
  }

  /** Resolves in a new task of the event loop, so the browser can first run tasks that are waiting. */
  async yieldToPage(): Promise<void> {
    // Uses a message instead of a timer, because browsers throttle timers in hidden tabs, where a stream must continue.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    port1.close();
    this.#last = this.#clock.monotonic();
  }
}
