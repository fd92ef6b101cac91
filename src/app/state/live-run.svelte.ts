/**
 * @file A live run as state. Events may come faster than the screen can show them, so the newest fold is taken once a frame;
 * while the run goes on the same frames move its clock.
 */
import { heldPlan, type Decision, type Fault, type Run } from '../../core/contract';
import type { LiveRun } from '../../core/runs';

/** What draws frames: the window, or a test's stand-in. */
export interface Frames {
  requestAnimationFrame(callback: () => void): number;
  cancelAnimationFrame(handle: number): void;
  readonly performance: { now(): number };
}

/** ms between two positions of the clock: every move draws the score anew, and nobody sees half of one. */
const CLOCK_STEP = 33;

export class LiveRunView {
  readonly id: string;
  /** As of the newest frame. Replaced, never mutated. */
  run: Run;
  /** Active time, ms: the run's own, carried on by the clock. */
  now = $state(0);
  /** What should be known beside the run, e.g. that it is not being saved. */
  notice: Fault | null = $state.raw(null);
  readonly isRunning: boolean;
  /** Resolves once the run has ended and the view shows its end. */
  readonly ended: Promise<Run>;

  readonly #live: LiveRun;
  readonly #frames: Frames;
  readonly #leave: () => void;
  #newest: Run;
  /** When the newest event came, by the frames' clock. */
  #heardAt: number;
  #frame: number | null = null;
  #closed = false;

  constructor(live: LiveRun, frames: Frames = window) {
    this.id = live.id;
    this.run = $state.raw(live.run);
    this.isRunning = $derived(this.run.status === 'running');
    this.#live = live;
    this.#frames = frames;
    this.#newest = live.run;
    this.#heardAt = frames.performance.now();
    this.#show();
    this.#leave = live.subscribe((run) => this.#hear(run));
    this.#askForFrame();
    this.ended = live.done.then((run) => {
      this.take(run);
      return run;
    });
  }

  stop(): void {
    this.#live.stop();
  }

  /** Tells the run, which waits for a person, what they say. */
  decide(decision: Decision): void {
    this.#live.decide(decision);
  }

  /** Shows a newer fold at once, e.g. after grading. */
  take(run: Run): void {
    if (run.lastSeq >= this.#newest.lastSeq) this.#hear(run);
    this.#show();
  }

  /** Lets go of the run, which goes on without being watched. */
  close(): void {
    this.#closed = true;
    this.#leave();
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #hear(run: Run): void {
    this.#newest = run;
    this.#heardAt = this.#frames.performance.now();
    this.#askForFrame();
  }

  #askForFrame(): void {
    if (this.#closed || this.#frame !== null) return;
    this.#frame = this.#frames.requestAnimationFrame(() => {
      this.#frame = null;
      this.#show();
      if (this.#newest.status === 'running') this.#askForFrame();
    });
  }

  #show(): void {
    const run = this.#newest;
    const moves = run.status === 'running' && !heldPlan(run);
    const since = moves ? this.#frames.performance.now() - this.#heardAt : 0;
    const now = run.time + since;
    if (this.run !== run || now - this.now >= CLOCK_STEP) this.now = now;
    this.run = run;
    this.notice = this.#live.notice;
  }
}
