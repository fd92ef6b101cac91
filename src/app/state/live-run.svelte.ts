/**
 * @file A live run as reactive state, updated at most 20 times per second. The run's active time also
 * advances between events.
 */
import { heldPlan, type Decision, type EarlyEnd, type Fault, type Run } from '../../core/contract';
import type { LiveRun } from '../../core/runs/live-run';
import { Redraw, type Frames } from './redraw';

export class LiveRunView {
  readonly id: string;
  /** The run as of the last update. The object is replaced, never mutated. */
  run: Run;
  /** Active time of the run, ms. Stops while the run waits for the user's decision. */
  now = $state(0);
  /** A fault that does not end the run, e.g. that the run can't be saved. `null`: no such fault. */
  notice: Fault | null = $state.raw(null);
  readonly isRunning: boolean;
  /** Resolves when the run has ended and `run` is its final state. */
  readonly ended: Promise<Run>;

  readonly #live: LiveRun;
  readonly #frames: Frames;
  readonly #unsubscribe: () => void;
  #newest: Run;
  /** Time at which the newest event arrived, by the clock of `frames`, ms. */
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

  /** Ends the run early, with the best answer so far. */
  answerNow(early: EarlyEnd): void {
    this.#live.answerNow(early);
  }

  /** Passes the user's decision to a run that waits for it. */
  decide(decision: Decision): void {
    this.#live.decide(decision);
  }

  /** Shows a newer state of the run immediately, for example after grading. Ignores an older state. */
  show(run: Run): void {
    if (run.lastSeq >= this.#newest.lastSeq) this.#receive(run);
    this.#show();
  }

  /** Unsubscribes from the run. The run itself continues. */
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
