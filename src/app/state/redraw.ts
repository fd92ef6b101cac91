/** @file Limits how often something is drawn while events arrive faster than the screen can show them. */

/** The window, or a fake in tests. */
export interface Frames {
  requestAnimationFrame(callback: () => void): number;
  cancelAnimationFrame(handle: number): void;
  readonly performance: { now(): number };
}

/** Minimum time between two drawings, ms. */
export const DRAW_EVERY = 50;

export class Redraw {
  readonly #frames: Frames;
  readonly #draw: () => void;
  #frame: number | null = null;
  #drawnAt: number;
  #isClosed = false;

  /** @param draw is called in a frame. It may request the next drawing */
  constructor(frames: Frames, draw: () => void) {
    this.#frames = frames;
    this.#draw = draw;
    this.#drawnAt = frames.performance.now();
  }

  /** Draws in the first frame at least `DRAW_EVERY` ms after the last drawing. Requests until then are combined. */
  request(): void {
    if (this.#isClosed || this.#frame !== null) return;
    this.#frame = this.#frames.requestAnimationFrame(() => {
      this.#frame = null;
      const now = this.#frames.performance.now();
      if (now - this.#drawnAt < DRAW_EVERY) {
        this.request();
        return;
      }
      this.#drawnAt = now;
      this.#draw();
    });
  }

  /** Cancels a requested drawing. Later requests do nothing. */
  close(): void {
    this.#isClosed = true;
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
