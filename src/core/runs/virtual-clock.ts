/** @file A clock for one run. Its time passes only while the run sleeps, so that no pause takes real time. */
import { abortError, type Clock } from '../contract';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/**
 * A sleeper is a pending call of `sleep`. When nothing else is pending, the clock jumps to the time when the first sleeper is
 * due. Sleepers that are due at the same time wake in the order of their calls. Therefore a repeated run has the same events.
 */
export class VirtualClock implements Clock {
  readonly #startedAt: number;
  readonly #settled: () => Promise<void>;
  #time = 0;
  /** In the order in which they wake. */
  readonly #sleepers: Sleeper[] = [];
  #isJumping = false;

  /**
   * @param startedAt ms since the epoch
   * @param settled resolves when only sleepers are pending
   */
  constructor(startedAt: number, settled: () => Promise<void>) {
    this.#startedAt = startedAt;
    this.#settled = settled;
  }

  now(): number {
    return this.#startedAt + Math.floor(this.#time);
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortError());
        return;
      }
      const sleeper: Sleeper = {
        due: this.#time + Math.max(0, ms),
        wake: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        reject(abortError());
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const after = this.#sleepers.findLastIndex(({ due }) => due <= sleeper.due);
      this.#sleepers.splice(after + 1, 0, sleeper);
      if (!this.#isJumping) void this.#jump();
    });
  }

  async #jump(): Promise<void> {
    this.#isJumping = true;
    await this.#settled();
    for (let next = this.#sleepers.shift(); next; next = this.#sleepers.shift()) {
      this.#time = next.due;
      next.wake();
      await this.#settled();
    }
    this.#isJumping = false;
  }
}
