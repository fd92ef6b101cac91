/** @file The time limit of a plan that a language model writes. */
import { fault, type Clock, type Fault } from '../contract';

/** Measures how long a model writes, over all attempts at one plan. Time in a queue does not count. */
export class PlanTimer {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #expired = new AbortController();
  /** Remaining time in ms. */
  #left: number;
  #running: { readonly since: number; readonly alarm: AbortController } | null = null;

  /** @param seconds the limit */
  constructor(clock: Clock, seconds: number) {
    this.#clock = clock;
    this.#limit = seconds;
    this.#left = seconds * 1000;
  }

  /** Aborts when the limit is reached. */
  get signal(): AbortSignal {
    return this.#expired.signal;
  }

  /** Starts or resumes the measurement. Does nothing if the measurement is running. */
  start(): void {
    if (this.#running) return;
    const alarm = new AbortController();
    this.#running = { since: this.#clock.monotonic(), alarm };
    this.#clock.sleep(Math.max(0, this.#left), alarm.signal).then(
      () => this.#expired.abort(),
      // The sleep was aborted, because the measurement was paused before the limit.
      () => undefined,
    );
  }

  pause(): void {
    if (!this.#running) return;
    const { since, alarm } = this.#running;
    this.#running = null;
    this.#left -= this.#clock.monotonic() - since;
    alarm.abort();
  }

  /** The fault to report if the limit ended an attempt. */
  get fault(): Fault {
    return fault(
      'timeout',
      `The model was stopped because its plan took longer than ${timeWords(this.#limit)}. You can change the limit in Settings.`,
    );
  }
}

/** "90 seconds", "5 minutes". */
function timeWords(seconds: number): string {
  const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
