/** @file Counts the outcomes of a batch, and adds up its cost. A unit is one task, answered once by one method. */
import {
  addCosts,
  costOfCall,
  judgeCost,
  NO_COST,
  paidBy,
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

/** The outcomes of a batch so far, with their counts and costs. */
export class Tally {
  readonly units: number;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #batchId: string;
  /** The cost so far of each run that has no outcome yet, by run id. */
  readonly #open: Map<string, Cost>;

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
    this.#open = costs(retried);
    for (const outcome of outcomes) this.add(outcome);
  }

  get done(): number {
    return this.#outcomes.size;
  }

  /** The cost of this batch so far. A run that several units share counts once. Calls that another batch made don't count. */
  get cost(): Cost {
    // A run with an outcome may also be in `#open`. Then only the cost in the outcome counts. This cost
    // includes the calls before a retry.
    const runs = new Map([...this.#open, ...costs(this.#outcomes.values())]);
    return [...runs.values()].reduce(addCosts, NO_COST);
  }

  /** The ids of runs with an outcome. */
  get runIds(): ReadonlySet<string> {
    return new Set([...this.#outcomes.values()].flatMap(({ runId }) => runId ?? []));
  }

  /** Counts the cost of a run that has no outcome yet, because the run was stopped or is still being graded. */
  book(run: Run): void {
    this.#open.set(run.id, addCosts(paidBy(this.#batchId, run), judgeCost(run, this.#batchId)));
  }

  /** Adds the cost of a call to the judge, for a run without an outcome. @param usd US dollars. `null`: unknown */
  bookJudge(runId: string, usd: number | null): void {
    const before = this.#open.get(runId) ?? NO_COST;
    this.#open.set(runId, addCosts(before, costOfCall(usd)));
  }

  has(unit: Parameters<typeof unitKey>[0]): boolean {
    return this.#outcomes.has(unitKey(unit));
  }

  get(unit: Parameters<typeof unitKey>[0]): Outcome | null {
    return this.#outcomes.get(unitKey(unit)) ?? null;
  }

  add(outcome: Outcome): void {
    this.#outcomes.set(unitKey(outcome), outcome);
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
    const all = [...this.#outcomes.values()];
    const { usd, unpriced } = this.cost;
    const count = (isCounted: (outcome: Outcome) => boolean) => all.filter(isCounted).length;
    const isTimed = session !== null && session.done >= FEWEST_FOR_TIME;
    return {
      status,
      units: this.units,
      done: this.done,
      running,
      graded: count((each) => each.status === 'graded'),
      right: count(({ verdicts }) => verdicts.strict?.correct === true),
      failed: count((each) => each.status === 'failed'),
      notGradable: count((each) => each.status === 'not-gradable'),
      waiting: count((each) => each.status === 'waiting'),
      usd,
      unpriced,
      remaining: isTimed ? (session.time / session.done) * (this.units - this.done) : null,
      fault: reason,
    };
  }
}

/** The costs of runs, by run id. Calls that another batch made don't count. */
function costs(outcomes: Iterable<Outcome>): Map<string, Cost> {
  const runs = new Map<string, Cost>();
  for (const { runId, usd, unpriced = 0, judge, isReused, paid } of outcomes) {
    if (runId === undefined) continue;
    const own = paid ?? (isReused ? NO_COST : { usd, unpriced });
    runs.set(runId, judge ? addCosts(own, judge) : own);
  }
  return runs;
}
