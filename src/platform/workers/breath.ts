/**
 * @file Lets the page take its turn while a stream is read. A server that sends faster than it can be read would otherwise
 * keep the event loop in promises, and no click, timer or frame would come through.
 */
import type { Clock } from '../../core/contract';

/** Longest stretch of reading without a turn for the page, ms. */
const LONGEST_STRETCH = 8;

export class Breath {
  readonly #clock: Clock;
  #last: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#last = clock.monotonic();
  }

  /** Whether the page should get its turn now. */
  get isDue(): boolean {
    return this.#clock.monotonic() - this.#last >= LONGEST_STRETCH;
  }

  /** Resolves in a task of its own, after whatever else was waiting for one. */
  async take(): Promise<void> {
    // Not a timer: those are slowed down in hidden tabs, where a stream must go on.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    port1.close();
    this.#last = this.#clock.monotonic();
  }
}
