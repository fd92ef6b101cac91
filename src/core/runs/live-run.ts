/**
 * @file Executes a run in this tab: receives its events, keeps its newest state, and notifies listeners. The run stays
 * live after its end until all its events are saved.
 */
import {
  applyEvent,
  fault,
  FaultError,
  heldPlan,
  isOver,
  toFault,
  type Clock,
  type Decision,
  type EarlyEnd,
  type EventBody,
  type Fault,
  type UserDecisions,
  type Run,
  type RunEvent,
  type StoredEvent,
  abortError,
} from '../contract';
import type { ExecuteDependencies } from '../executor/request';
import type { RunJournal } from './run-journal';
import { followingEvent, type OpenedRun } from './saved-runs';

export type RunListener = (run: Run, event: RunEvent) => void;

export interface LiveRun {
  readonly id: string;
  /** The newest state of the run. Each event replaces the object and never mutates it. */
  readonly run: Run;
  /** Resolves when the run has ended and as much of it as possible is saved. Never rejects. */
  readonly done: Promise<Run>;
  /** For the user: why the newest events are not saved. `null`: they are saved, or are being saved. */
  readonly notice: Fault | null;
  /** Ends the run and cancels its calls at the providers. Has no effect once the run has ended. */
  stop(): void;
  /**
   * Ends the run early, with the best answer so far. Steps without an output are cancelled. Has no effect if the chosen step has no
   * output, or once the run has ended.
   */
  answerNow(early: EarlyEnd): void;
  /** Passes the user's decision to the run. Has no effect unless the run is waiting for it (see `heldPlan`). */
  decide(decision: Decision): void;
  /** Calls the listener synchronously with each later event. @returns a function that removes the listener */
  subscribe(listener: RunListener): () => void;
}

export interface LiveSessionOptions {
  readonly id: string;
  /** If the run is resumed, its stored events and state. `null`: the run is new. */
  readonly prior: OpenedRun | null;
  readonly journal: RunJournal;
  readonly clock: Clock;
  readonly execute: (
    signal: AbortSignal,
    user: Required<Pick<ExecuteDependencies, 'decisions' | 'answerNow'>>,
  ) => AsyncIterable<RunEvent>;
  /**
   * If money is still reserved for the run, records it as spent. Called after the run's calls have ended and
   * before its lock is released.
   * @returns whether the money is recorded
   */
  readonly settle: () => Promise<boolean>;
  /** Releases the run's lock. */
  readonly release: () => void;
  /** Called whenever `state` or `isWatched` may have changed. */
  readonly changed: () => void;
  /** Called with each error that a listener throws. */
  readonly report: (thrown: unknown) => void;
}

export class LiveSession implements LiveRun {
  readonly id: string;
  readonly done: Promise<Run>;
  /** Resolves when this session receives its first event. Rejects with a `FaultError` if it ends without one. */
  readonly begun: Promise<void>;
  readonly #options: LiveSessionOptions;
  readonly #controller = new AbortController();
  readonly #decisions = new DecisionQueue();
  #answerNow: (early: EarlyEnd) => void = () => undefined;
  readonly #listeners = new Set<RunListener>();
  #run: Run | null;
  /** Events that were stored before this session. */
  #earlier: readonly StoredEvent[];
  /** Events received during this session. */
  #received: RunEvent[] = [];
  #hasBegun = false;
  #begin: () => void = () => undefined;
  #saving: Promise<void> | null = null;
  #isSettled = false;
  #state: 'running' | 'unsaved' | 'saved' = 'running';

  constructor(options: LiveSessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#run = options.prior?.run ?? null;
    this.#earlier = options.prior?.events ?? [];
    const first = new Promise<void>((resolve) => (this.#begin = resolve));
    this.done = this.#follow();
    this.begun = Promise.race([first, this.done.then(() => undefined)]);
  }

  get run(): Run {
    if (this.#run) return this.#run;
    throw new FaultError(fault('internal', 'The run has not begun.'));
  }

  /** The newest state of the run, with all its events so far. */
  get opened(): OpenedRun {
    return { run: this.run, events: [...this.#earlier, ...this.#received] };
  }

  get notice(): Fault | null {
    return this.#options.journal.fault;
  }

  /** `unsaved`: the run has ended, but a part of it could not be stored. */
  get state(): 'running' | 'unsaved' | 'saved' {
    return this.#state;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  stop(): void {
    this.#controller.abort();
  }

  answerNow(early: EarlyEnd): void {
    // The execution takes only one such request, so a request that has no effect must not reach it.
    if (!isOver(this.run.status) && outputAt(this.run, early) !== null) this.#answerNow(early);
  }

  decide(decision: Decision): void {
    if (heldPlan(this.run)?.round === decision.round) this.#decisions.add(decision);
  }

  subscribe(listener: RunListener): () => void {
    // The wrapper makes each subscription unique, even if the same function subscribes twice.
    const own: RunListener = (run, event) => listener(run, event);
    this.#listeners.add(own);
    this.#options.changed();
    return () => {
      this.#listeners.delete(own);
      this.#options.changed();
    };
  }

  /** Replaces the ended run by its stored version, which has one more event, such as a grade. */
  adopt({ run, events }: OpenedRun, event: RunEvent): void {
    this.#run = run;
    this.#earlier = events;
    this.#received = [];
    this.#notify(event);
  }

  /** Saves the remaining events of the ended run. If this succeeds, ends the session. @returns whether all events are saved */
  async save(): Promise<boolean> {
    if (this.#state === 'saved') return true;
    this.#saving ??= this.#finish().finally(() => (this.#saving = null));
    await this.#saving;
    const saved = this.#options.journal.fault === null;
    if (saved) this.abandon();
    else this.#settleAs('unsaved');
    return saved;
  }

  async #finish(): Promise<void> {
    await this.#options.journal.catchUp(this.#received);
    if (!this.#isSettled) this.#isSettled = await this.#options.settle();
  }

  /** Ends the session and releases the run's lock. Called when the run is deleted, or when all of it is saved. */
  abandon(): void {
    if (this.#state === 'saved') return;
    this.#settleAs('saved');
    this.#options.release();
  }

  #settleAs(state: 'unsaved' | 'saved'): void {
    this.#state = state;
    this.#options.changed();
  }

  async #follow(): Promise<Run> {
    let thrown: unknown = new Error('The run stopped without a last event.');
    try {
      const answerNow = new Promise<EarlyEnd>((resolve) => (this.#answerNow = resolve));
      const user = { decisions: this.#decisions, answerNow };
      for await (const event of this.#options.execute(this.#controller.signal, user)) this.#receive(event);
    } catch (error) {
      thrown = error;
    }
    if (!this.#hasBegun) throw new FaultError(toFault(thrown));
    if (!isOver(this.run.status)) this.#close(thrown);
    await this.save();
    return this.run;
  }

  /** Adds a final event if `execute` ended without one. Otherwise the run would look unfinished forever. */
  #close(thrown: unknown): void {
    const last = this.#received.at(-1);
    if (!last) return;
    const body: EventBody = this.#controller.signal.aborted
      ? { type: 'run-cancelled' }
      : { type: 'run-failed', fault: toFault(thrown) };
    this.#receive(followingEvent(last, body, this.#options.clock));
  }

  #receive(event: RunEvent): void {
    this.#run = applyEvent(this.#run, event);
    this.#received.push(event);
    if (!this.#run) return;
    this.#hasBegun = true;
    this.#notify(event);
    this.#begin();
  }

  #notify(event: RunEvent): void {
    const { run } = this;
    for (const listener of [...this.#listeners]) {
      try {
        listener(run, event);
      } catch (thrown) {
        this.#options.report(thrown);
      }
    }
  }
}

function outputAt({ rounds }: Run, { round, step }: EarlyEnd): string | null {
  return rounds[round]?.steps[step]?.output ?? null;
}

/** Queues the user's decisions about a run until the run reads them, in order. */
class DecisionQueue implements UserDecisions {
  readonly #pending: Decision[] = [];
  #wake: () => void = () => undefined;

  add(decision: Decision): void {
    this.#pending.push(decision);
    this.#wake();
  }

  async next(signal: AbortSignal): Promise<Decision> {
    for (;;) {
      if (signal.aborted) throw abortError();
      const decision = this.#pending.shift();
      if (decision) return decision;
      await new Promise<void>((resolve) => {
        this.#wake = () => {
          signal.removeEventListener('abort', this.#wake);
          resolve();
        };
        signal.addEventListener('abort', this.#wake);
      });
    }
  }
}
