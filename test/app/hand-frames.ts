/** @file Fake animation frames and a fake clock, which a test advances. */
import type { Frames } from '../../src/app/state/redraw';

export class HandFrames implements Frames {
  time = 0;
  readonly performance = { now: () => this.time };
  readonly #pending = new Map<number, () => void>();
  #handles = 0;

  requestAnimationFrame(callback: () => void): number {
    this.#pending.set(++this.#handles, callback);
    return this.#handles;
  }

  cancelAnimationFrame(handle: number): void {
    this.#pending.delete(handle);
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Moves the clock `after` ms forward and draws a frame. */
  draw(after = 0): void {
    this.time += after;
    const callbacks = [...this.#pending.values()];
    this.#pending.clear();
    for (const callback of callbacks) callback();
  }
}
