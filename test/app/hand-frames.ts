/** @file Fake frames and a fake clock, advanced by the test. */
import type { Frames } from '../../src/app/state/live-run.svelte';

export class HandFrames implements Frames {
  time = 0;
  readonly performance = { now: () => this.time };
  readonly #asked = new Map<number, () => void>();
  #handles = 0;

  requestAnimationFrame(callback: () => void): number {
    this.#asked.set(++this.#handles, callback);
    return this.#handles;
  }

  cancelAnimationFrame(handle: number): void {
    this.#asked.delete(handle);
  }

  get isAsked(): boolean {
    return this.#asked.size > 0;
  }

  /** Draws a frame this many ms after the last one. */
  draw(after = 0): void {
    this.time += after;
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const callback of asked) callback();
  }
}
