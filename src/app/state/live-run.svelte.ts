/**
 * @file A live run as reactive state. Events may arrive faster than the screen can show them, so the newest fold is shown in a
 * frame, at most 20 times a second. The same frames advance the clock of a running run.
 */
import { heldPlan, type Decision, type Fault, type Run } from '../../core/contract';
import type { LiveRun } from '../../core/runs';

/** The window, or a fake in tests. */
export interface Frames {
  requestAnimationFrame(callback: () => void): number;
  cancelAnimationFrame(handle: number): void;
  readonly performance: { now(): number };
}

/**
 * Least ms between two views of a running run. Each view redraws the score. Without a limit, this keeps the main thread of a page
 * without a GPU busy for more than half of the time.
 */
const SHOW_EVERY = 50;

export class LiveRunView {
  readonly id: string;
  /** The run at the newest frame. Replaced, never mutated. */
  run: Run;
  /** Active time, ms: the run's own, advanced by the clock. */
  now = $state(0);
  /** A fault that does not end the run, e.g. that the run can't be saved. */
  notice: Fault | null = $state.raw(null);
  readonly isRunning: boolean;
  /** Resolves once the run has ended and the view shows its end. */
  readonly ended: Promise<Run>;

  readonly #live: LiveRun;
  readonly #frames: Frames;
  readonly #unsubscribe: () => void;
  #newest: Run;
  /** When the newest event arrived, by the frames' clock. */
  #receivedAt: number;
  #frame: number | null = null;
  #shownAt = -Infinity;
  #closed = false;

  constructor(live: LiveRun, frames: Frames = window) {
    this.id = live.id;
    this.run = $state.raw(live.run);
    this.isRunning = $derived(this.run.status === 'running');
    this.#live = live;
    this.#frames = frames;
    this.#newest = live.run;
    this.#receivedAt = frames.performance.now();
    this.#show();
    this.#unsubscribe = live.subscribe((run) => this.#receive(run));
    this.#requestFrame();
    this.ended = live.done.then((run) => {
      this.show(run);
      return run;
    });
  }

  stop(): void {
    this.#live.stop();
  }

  /** Passes the user's decision to the waiting run. */
  decide(decision: Decision): void {
    this.#live.decide(decision);
  }

  /** Shows a newer fold at once, e.g. after grading. */
  show(run: Run): void {
    if (run.lastSeq >= this.#newest.lastSeq) this.#receive(run);
    this.#show();
  }

  /** Stops watching the run, which continues. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #receive(run: Run): void {
    this.#newest = run;
    this.#receivedAt = this.#frames.performance.now();
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#closed || this.#frame !== null) return;
    this.#frame = this.#frames.requestAnimationFrame(() => {
      this.#frame = null;
      const isRunning = this.#newest.status === 'running';
      if (!isRunning || this.#frames.performance.now() - this.#shownAt >= SHOW_EVERY) this.#show();
      if (isRunning) this.#requestFrame();
    });
  }

  #show(): void {
    const run = this.#newest;
    const moves = run.status === 'running' && !heldPlan(run);
    this.#shownAt = this.#frames.performance.now();
    this.now = run.time + (moves ? this.#shownAt - this.#receivedAt : 0);
    this.run = run;
    this.notice = this.#live.notice;
  }
}
