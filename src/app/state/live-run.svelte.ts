/** @file A live run as reactive state, updated at most 20 times a second. Its time advances while the run is running. */
import { heldPlan, type Decision, type Fault, type Run } from '../../core/contract';
import type { LiveRun } from '../../core/runs';
import { Redraw, type Frames } from './redraw';

export class LiveRunView {
  readonly id: string;
  /** The run when it was last drawn. The object is replaced, never mutated. */
  run: Run;
  /** Active time, ms. The clock advances it between events, except while the run is held. */
  now = $state(0);
  /** A fault that does not end the run, e.g. that the run can't be saved. `null`: no such fault. */
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
  readonly #redraw: Redraw;

  constructor(live: LiveRun, frames: Frames = window) {
    this.id = live.id;
    this.run = $state.raw(live.run);
    this.isRunning = $derived(this.run.status === 'running');
    this.#live = live;
    this.#frames = frames;
    this.#newest = live.run;
    this.#receivedAt = frames.performance.now();
    this.#redraw = new Redraw(frames, () => {
      this.#show();
      if (this.isRunning) this.#redraw.request();
    });
    this.#show();
    this.#unsubscribe = live.subscribe((run) => this.#receive(run));
    this.#redraw.request();
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

  /** Shows a newer state of the run immediately, e.g. after grading. An older state is ignored. */
  show(run: Run): void {
    if (run.lastSeq >= this.#newest.lastSeq) this.#receive(run);
    this.#show();
  }

  /** Stops watching the run, which continues. */
  close(): void {
    this.#unsubscribe();
    this.#redraw.close();
  }

  #receive(run: Run): void {
    this.#newest = run;
    this.#receivedAt = this.#frames.performance.now();
    this.#redraw.request();
  }

  #show(): void {
    const run = this.#newest;
    const moves = run.status === 'running' && !heldPlan(run);
    this.now = run.time + (moves ? this.#frames.performance.now() - this.#receivedAt : 0);
    this.run = run;
    this.notice = this.#live.notice;
  }
}
