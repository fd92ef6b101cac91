/** @file Spreads the rendering of many parts over several frames, so that no frame blocks the page for long. */

/**
 * Lets a limited number of parts render in one frame, in the order of their requests. No part renders before
 * the second frame after its request. This leaves time to measure the part's placeholder first.
 */
export class FrameBudget {
  readonly #most: number;
  /** Requests since the last frame. */
  readonly #recent = new Set<() => void>();
  /** Earlier requests. */
  readonly #waiting = new Set<() => void>();
  #isScheduled = false;

  /** @param most maximum number of parts in one frame */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `render` in one of the next frames. @returns a function that cancels the request */
  request(render: () => void): () => void {
    this.#recent.add(render);
    this.#schedule();
    return () => {
      this.#recent.delete(render);
      this.#waiting.delete(render);
    };
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      for (const render of [...this.#waiting].slice(0, this.#most)) {
        this.#waiting.delete(render);
        render();
      }
      for (const render of this.#recent) this.#waiting.add(render);
      this.#recent.clear();
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}
