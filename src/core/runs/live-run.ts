/**
 * @file A run that is live in this tab: receives the events that `execute` yields, keeps the newest state of the run and
 * notifies listeners. The run stays live after its end until it is completely saved.
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
  type EventBody,
  type Fault,
  type UserDecisions,
  type Run,
  type RunEvent,
  type StoredEvent,
} from '../contract';
import { DecisionQueue } from './decision-queue';
import type { RunJournal } from './run-journal';
import { followingEvent, type OpenedRun } from './saved-runs';

export type RunListener = (run: Run, event: RunEvent) => void;

export interface LiveRun {
  readonly id: string;
  /** The newest state of the run. Each event replaces the object and never mutates it. */
  readonly run: Run;
  /** Resolves when the run has ended and as much of it as possible is saved. Never rejects. */
  readonly done: Promise<Run>;
  /** A notice for the user in addition to the run itself, such as that the run is not being saved. */
  readonly notice: Fault | null;
  /** Ends the run and cancels its calls at the providers. Has no effect once the run has ended. */
  stop(): void;
  /** Passes the user's decision to a run that waits for it (`heldPlan`). Has no effect otherwise. */
  decide(decision: Decision): void;
  /** Calls the listener for each later event, in order and without delay. @returns a function that removes the listener */
  subscribe(listener: RunListener): () => void;
}

export interface LiveSessionOptions {
  readonly id: string;
  /** The stored part of a run that is resumed. `null`: the run is not resumed. */
  readonly prior: OpenedRun | null;
  readonly journal: RunJournal;
  readonly clock: Clock;
  readonly execute: (signal: AbortSignal, decisions: UserDecisions) => AsyncIterable<RunEvent>;
  /**
   * Books money that the run reserved and that no call has accounted for. Called after the run's calls have ended, before its
   * lock is released.
   * @returns whether this succeeded
   */
  readonly settle: () => Promise<boolean>;
  /** Releases the run's lock. */
  readonly release: () => void;
  /** Called whenever `state` or `isWatched` may have changed. */
  readonly changed: () => void;
  /** Called with the error that a listener threw. */
  readonly report: (thrown: unknown) => void;
}

export class LiveSession implements LiveRun {
  readonly id: string;
  readonly done: Promise<Run>;
  /** Resolves when the first event arrives. Rejects with a `FaultError` if the run ends without an event. */
  readonly begun: Promise<void>;
  readonly #options: LiveSessionOptions;
  readonly #controller = new AbortController();
  readonly #decisions = new DecisionQueue();
  readonly #listeners = new Set<RunListener>();
  #run: Run | null;
  /** Events from before this session. */
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

  /** The run with all its events so far. */
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

  decide(decision: Decision): void {
    if (heldPlan(this.run)?.round === decision.round) this.#decisions.add(decision);
  }

  subscribe(listener: RunListener): () => void {
    // The listener is wrapped, so that it is called twice if it subscribes twice, and each subscription can end separately.
    const own: RunListener = (run, event) => listener(run, event);
    this.#listeners.add(own);
    this.#options.changed();
    return () => {
      this.#listeners.delete(own);
      this.#options.changed();
    };
  }

  /** Adopts an event that was added to the stored run after its end. */
  adopt({ run, events }: OpenedRun, event: RunEvent): void {
    this.#run = run;
    this.#earlier = events;
    this.#received = [];
    this.#notify(event);
  }

  /** Writes what is not saved yet. @returns whether all of the ended run is saved now */
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

  /** Ends the session. The run no longer needs this tab, because it is completely saved or was deleted. */
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
      for await (const event of this.#options.execute(this.#controller.signal, this.#decisions)) this.#receive(event);
    } catch (error) {
      thrown = error;
    }
    if (!this.#hasBegun) throw new FaultError(toFault(thrown));
    if (!isOver(this.run.status)) this.#close(thrown);
    await this.save();
    return this.run;
  }

  /** Adds a last event after `execute` ended without one. Otherwise the run would look unfinished forever. */
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
