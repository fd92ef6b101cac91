/** @file Throttles drawing while events arrive faster than the screen can show them. */

/** The part of `window` that schedules drawings. Tests pass a fake. */
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

  /** @param draw draws the view. Called in an animation frame. May call `request` for the next drawing */
  constructor(frames: Frames, draw: () => void) {
    this.#frames = frames;
    this.#draw = draw;
    this.#drawnAt = frames.performance.now();
  }

  /**
   * Draws in the next animation frame, but at least `DRAW_EVERY` ms after the last drawing. Further
   * requests have no effect until then.
   */
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

  /** Cancels the requested drawing, and ignores later requests. */
  close(): void {
    this.#isClosed = true;
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
