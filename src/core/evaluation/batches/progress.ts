/** @file Counts the outcomes of a batch, and adds up its cost. */
import {
  addCosts,
  costOfCall,
  judgeCost,
  NO_COST,
  paidBy,
  spentOnAnswer,
  unitKey,
  type Batch,
  type BatchProgress,
  type BatchStatus,
  type Cost,
  type Fault,
  type Outcome,
  type Run,
  type Unit,
} from '../../contract';
import { unitsOf } from './units';

/** Minimum number of finished units for an estimate of the remaining time. */
const FEWEST_FOR_TIME = 3;

/**
 * The outcomes of a batch so far, with their counts and costs. Counts and costs are kept up to date with each outcome, because a
 * batch reports its progress several times for each unit.
 */
export class Tally {
  readonly units: number;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #batchId: string;
  readonly #counts = { graded: 0, right: 0, failed: 0, 'not-gradable': 0, waiting: 0 };
  /** The cost of each run, by run id. The cost of a run without an outcome is its cost so far. */
  readonly #costs = new Map<string, Cost>();
  /** The ids of runs with an outcome. */
  readonly #done = new Set<string>();
  /** The sum of `#costs`. `null`: it has to be computed again, because a cost was replaced. */
  #total: Cost | null = NO_COST;

  /**
   * @param retried outcomes that are deleted to retry their runs. Their cost still counts as spent
   * @param units the units to count. Default: all units of the plan
   */
  constructor(
    batch: Batch,
    outcomes: readonly Outcome[],
    retried: readonly Outcome[] = [],
    units: readonly Unit[] = unitsOf(batch.plan),
  ) {
    this.units = units.length;
    this.#batchId = batch.id;
    for (const { runId, ...outcome } of retried) if (runId !== undefined) this.#setCost(runId, costOf(outcome));
    for (const outcome of outcomes) this.add(outcome);
  }

  get done(): number {
    return this.#outcomes.size;
  }

  /** The cost of this batch so far. A run that several units share counts once. Calls that another batch made don't count. */
  get cost(): Cost {
    return (this.#total ??= [...this.#costs.values()].reduce(addCosts, NO_COST));
  }

  /** The ids of runs with an outcome. */
  get runIds(): ReadonlySet<string> {
    return this.#done;
  }

  /** Counts the cost of a run that has no outcome yet, because the run was stopped or is still being graded. */
  book(run: Run): void {
    this.#setOpenCost(
      run.id,
      addCosts(paidBy(this.#batchId, { ...run, spent: spentOnAnswer(run) }), judgeCost(run, this.#batchId)),
    );
  }

  /** Adds the cost of a call to the judge, for a run without an outcome. @param usd US dollars. `null`: unknown */
  bookJudge(runId: string, usd: number | null): void {
    this.#setOpenCost(runId, addCosts(this.#costs.get(runId) ?? NO_COST, costOfCall(usd)));
  }

  has(unit: Parameters<typeof unitKey>[0]): boolean {
    return this.#outcomes.has(unitKey(unit));
  }

  get(unit: Parameters<typeof unitKey>[0]): Outcome | null {
    return this.#outcomes.get(unitKey(unit)) ?? null;
  }

  add(outcome: Outcome): void {
    const key = unitKey(outcome);
    const before = this.#outcomes.get(key);
    if (before) this.#count(before, -1);
    this.#outcomes.set(key, outcome);
    this.#count(outcome, 1);
    const { runId } = outcome;
    if (runId === undefined) return;
    // The cost in the outcome includes the calls before a retry, so it replaces the cost so far.
    this.#done.add(runId);
    this.#setCost(runId, costOf(outcome));
  }

  #count({ status, verdicts }: Outcome, by: 1 | -1): void {
    this.#counts[status] += by;
    if (verdicts.strict?.correct === true) this.#counts.right += by;
  }

  /** If the run has an outcome, only the cost in the outcome counts. */
  #setOpenCost(runId: string, cost: Cost): void {
    if (!this.#done.has(runId)) this.#setCost(runId, cost);
  }

  #setCost(runId: string, cost: Cost): void {
    const before = this.#costs.get(runId);
    if (before?.usd === cost.usd && before.unpriced === cost.unpriced) return;
    this.#costs.set(runId, cost);
    this.#total = before || this.#total === null ? null : addCosts(this.#total, cost);
  }

  /**
   * @param session the time in ms since the batch was last started or resumed, and the number of units finished since then
   */
  progress(
    status: BatchStatus,
    {
      running = 0,
      session = null,
      reason = null,
    }: { running?: number; session?: { time: number; done: number } | null; reason?: Fault | null } = {},
  ): BatchProgress {
    const { usd, unpriced } = this.cost;
    const { graded, right, failed, waiting, 'not-gradable': notGradable } = this.#counts;
    const isTimed = session !== null && session.done >= FEWEST_FOR_TIME;
    return {
      status,
      units: this.units,
      done: this.done,
      running,
      graded,
      right,
      failed,
      notGradable,
      waiting,
      usd,
      unpriced,
      remaining: isTimed ? (session.time / session.done) * (this.units - this.done) : null,
      fault: reason,
    };
  }
}

/** What this batch has paid for the run of an outcome, and for its judge. Calls that another batch made don't count. */
function costOf({ usd, unpriced = 0, judge, isReused, paid }: Omit<Outcome, 'runId'>): Cost {
  const own = paid ?? (isReused ? NO_COST : { usd, unpriced });
  return judge ? addCosts(own, judge) : own;
}
