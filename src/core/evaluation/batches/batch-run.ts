/**
 * @file Runs, pauses and stops a batch in this tab. Manages the batch's queue, budget and progress. A unit of
 * a batch is one repeat of one task with one method.
 */
import {
  abortError,
  FaultError,
  isAbort,
  toFault,
  type Batch,
  type BatchProgress,
  type BatchStore,
  type CallCaps,
  type Clock,
  type Fault,
  type GradedRun,
  type LiveBatch,
  type Locks,
  type Method,
  type Outcome,
  type Run,
  type Unit,
} from '../../contract';
import type { Runs } from '../../runs/runs';
import { BatchBudget } from './batch-budget';
import { missingTask, type UnitGrader } from './grading';
import { runUnit, type UnitResult } from './live-units';
import { outcomeOf } from './outcome-of';
import type { UnitPlayer } from './player';
import type { Tally } from './progress';
import type { UnitWork, UnitWorks } from './unit-work';

export interface BatchRunOptions {
  readonly batch: Batch;
  readonly tally: Tally;
  /** Units that have no outcome yet and can run on a virtual clock, in order. See `isPlayable`. */
  readonly played: readonly Unit[];
  /** Units that have no outcome yet and run in real time, in order. */
  readonly live: readonly Unit[];
  /** Whether the user retries failed units. */
  readonly isRetry: boolean;
  /** The reason why a method's runs must not start. `null`: they may start. */
  readonly blocked: (method: Method) => Promise<Fault | null>;
  readonly works: UnitWorks;
  readonly grader: UnitGrader;
  readonly player: UnitPlayer;
  readonly history: readonly GradedRun[];
  readonly batches: Pick<BatchStore, 'addOutcomes'>;
  readonly runs: Runs;
  readonly locks: Locks;
  readonly clock: Clock;
  /** Called after the last run has ended, when the batch is finished or paused. */
  readonly ended: () => void;
  /** Receives errors that listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export class BatchRun implements LiveBatch {
  readonly id: string;
  readonly done: Promise<BatchProgress>;
  readonly #options: BatchRunOptions;
  readonly #listeners = new Set<(progress: BatchProgress) => void>();
  /** Aborted when no further run may start. */
  readonly #pausing = new AbortController();
  /** Aborted when the current runs must stop. */
  readonly #stopping = new AbortController();
  readonly #beganAt: number;
  /** Runs in progress, by run id. A run stays in this map while it is graded. */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #budget: BatchBudget;
  #playing = 0;
  #doneHere = 0;
  #reason: Fault | null = null;
  #isOver = false;

  constructor(options: BatchRunOptions) {
    this.id = options.batch.id;
    this.#options = options;
    this.#beganAt = options.clock.monotonic();
    const { batch, tally } = options;
    this.#budget = new BatchBudget({
      limit: batch.plan.usd,
      spent: () => tally.cost.usd,
    });
    this.done = this.#run();
  }

  get progress(): BatchProgress {
    const { tally, clock } = this.#options;
    const status = !this.#isOver ? 'running' : tally.done === tally.units ? 'finished' : 'paused';
    return tally.progress(status, {
      running: this.#running.size + this.#playing,
      session: { time: clock.monotonic() - this.#beganAt, done: this.#doneHere },
      reason: status === 'paused' ? this.#reason : null,
    });
  }

  subscribe(listener: (progress: BatchProgress) => void): () => void {
    const own = (progress: BatchProgress) => listener(progress);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  pause(): void {
    this.#pausing.abort();
    this.#notify();
  }

  stop(): void {
    this.#pausing.abort();
    this.#stopping.abort();
    this.#notify();
  }

  /** Counts the outcome of a unit that the user has graded. The outcome is already stored. */
  adopt(outcome: Outcome): void {
    this.#options.tally.add(outcome);
    this.#notify();
  }

  async #run(): Promise<BatchProgress> {
    // Lets the caller subscribe before the first progress event.
    await Promise.resolve();
    const { methods } = this.#options.batch.plan;
    // An equal-cost control may spend what the other methods have spent, so it runs after them.
    for (const isControl of [false, true]) {
      const isNext = ({ method }: Unit) => (methods[method]?.equalCost !== undefined) === isControl;
      await this.#runPart(this.#options.played.filter(isNext), this.#options.live.filter(isNext));
    }
    this.#isOver = true;
    this.#options.ended();
    this.#notify();
    return this.progress;
  }

  async #runPart(played: readonly Unit[], live: readonly Unit[]): Promise<void> {
    const queue = [...live];
    const lanes = Array.from({ length: Math.max(1, this.#options.batch.plan.concurrency) }, () => this.#lane(queue));
    await Promise.all([this.#play(played), ...lanes]);
  }

  async #play(played: readonly Unit[]): Promise<void> {
    const { player, batch, history, isRetry } = this.#options;
    if (played.length === 0 || this.#pausing.signal.aborted) return;
    this.#playing = 1;
    try {
      for await (const outcomes of player.play(batch, played, { history, isRetry }, this.#pausing.signal)) {
        this.#add(outcomes);
      }
    } catch (thrown) {
      if (!isAbort(thrown)) this.#pauseFor(toFault(thrown));
    } finally {
      this.#playing = 0;
    }
  }

  /** A lane runs units from the queue, one at a time. Several lanes work in parallel. */
  async #lane(queue: Unit[]): Promise<void> {
    const { signal } = this.#pausing;
    for (let unit = queue.shift(); unit && !signal.aborted; unit = queue.shift()) {
      await this.#finish(unit).catch((thrown: unknown) => this.#pauseFor(toFault(thrown)));
    }
  }

  async #finish(unit: Unit): Promise<void> {
    const { works, batch } = this.#options;
    const [work] = await works.of([unit]);
    if (!work) return this.#store([outcomeOf(batch.id, unit, null, missingTask())]);
    // Equal units share one run. If this run is already in progress, the unit waits and then reuses it.
    while (this.#running.has(work.runId)) await this.#running.get(work.runId);
    if (this.#pausing.signal.aborted) return;
    const running = this.#runUnit(work);
    this.#running.set(work.runId, running);
    this.#notify();
    let result: UnitResult;
    try {
      result = await running;
    } finally {
      this.#running.delete(work.runId);
    }
    if (result.kind === 'outcome') await this.#store([result.outcome]).finally(() => this.#settle(work.runId));
    else this.#settle(work.runId);
    if (result.kind === 'pause') this.#pauseFor(result.fault);
  }

  #runUnit(work: UnitWork): Promise<UnitResult> {
    const { batch, runs, locks, clock, grader, isRetry, blocked } = this.#options;
    const method = batch.plan.methods[work.unit.method];
    return runUnit(work, {
      batchId: batch.id,
      runs,
      locks,
      clock,
      grader,
      signal: this.#stopping.signal,
      leaving: this.#pausing.signal,
      isRetried: isRetry,
      blocked: async () => (method ? blocked(method) : null),
      afford: (usd) => this.#afford(work.runId, usd),
      unreserve: () => this.#budget.release(work.runId),
      book: (run) => this.#book(run),
      judgeRoom: (usd) => this.#judgeRoom(work.runId, usd),
    });
  }

  /**
   * Waits until the budget has room for a run. If the budget is too small, pauses the batch.
   * @returns whether the run may start
   */
  async #afford(runId: string, usd: number | null): Promise<boolean> {
    const room = await this.#budget.reserve(runId, usd, 'The next run', this.#pausing.signal);
    if (room.type === 'refused') this.#pauseFor(room.fault);
    return room.type === 'reserved';
  }

  /**
   * Reserves the cost of a call to the judge. Also does so while the batch is pausing, because runs that were
   * in progress are still graded. Rejects with a `FaultError` if the budget will never have room for the call
   * or the cost is unknown, and with an `AbortError` if the batch is stopped.
   */
  async #judgeRoom(runId: string, usd: number | null): Promise<CallCaps> {
    const key = `judge ${runId}`;
    const room = await this.#budget.reserve(key, usd, 'The next call to the judge', this.#stopping.signal);
    if (room.type === 'refused') throw new FaultError(room.fault);
    if (room.type === 'left') throw abortError();
    return {
      reserve: () => ({ type: 'reserved', reservation: null }),
      settle: (_reservation, { cost }) => {
        this.#options.tally.bookJudge(runId, cost);
        this.#budget.release(key);
      },
    };
  }

  #book(run: Run): void {
    this.#options.tally.book(run);
    this.#budget.release(run.id);
    this.#notify();
  }

  async #store(outcomes: readonly Outcome[]): Promise<void> {
    await this.#options.batches.addOutcomes(outcomes);
    this.#add(outcomes);
  }

  #add(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.#options.tally.add(outcome);
    this.#doneHere += outcomes.length;
    this.#notify();
  }

  #settle(runId: string): void {
    this.#budget.release(runId);
    this.#notify();
  }

  #pauseFor(reason: Fault): void {
    this.#reason ??= reason;
    this.#pausing.abort();
    this.#notify();
  }

  #notify(): void {
    if (this.#listeners.size === 0) return;
    const { progress } = this;
    for (const listener of [...this.#listeners]) {
      try {
        listener(progress);
      } catch (thrown) {
        this.#options.report(thrown);
      }
    }
  }
}
