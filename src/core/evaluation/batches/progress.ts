/** @file Counts the outcomes of a batch. */
import { unitKey, type Batch, type BatchProgress, type BatchStatus, type Fault, type Outcome } from '../../contract';
import { unitsOf } from './units';

/** Minimum number of finished units for an estimate of the remaining time. */
const FEWEST_FOR_TIME = 3;

/** The outcomes of a batch with their counts. */
export class Tally {
  readonly units: number;
  readonly #outcomes = new Map<string, Outcome>();
  /** US dollars of runs whose outcomes were deleted to retry them, by run id. */
  readonly #retried: ReadonlyMap<string, number>;

  /** @param retried outcomes that were deleted to retry their runs. What these have cost is still spent */
  constructor(batch: Batch, outcomes: readonly Outcome[], retried: readonly Outcome[] = []) {
    this.units = unitsOf(batch.plan).length;
    this.#retried = costs(retried);
    for (const outcome of outcomes) this.add(outcome);
  }

  get done(): number {
    return this.#outcomes.size;
  }

  /** US dollars that this batch has spent. A run shared by several methods counts once. A run reused from another batch is free. */
  get spent(): number {
    // The cost of a run that was resumed contains what it had cost before.
    const runs = new Map([...this.#retried, ...costs(this.#outcomes.values())]);
    return [...runs.values()].reduce((sum, usd) => sum + usd, 0);
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

  /** @param session how long this session has run (ms) and how many units it has finished */
  progress(
    status: BatchStatus,
    {
      running = 0,
      session = null,
      reason = null,
    }: { running?: number; session?: { time: number; done: number } | null; reason?: Fault | null } = {},
  ): BatchProgress {
    const all = [...this.#outcomes.values()];
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
      usd: this.spent,
      unpriced: count(({ usd }) => usd === null),
      remaining: isTimed ? (session.time / session.done) * (this.units - this.done) : null,
      fault: reason,
    };
  }
}

/** US dollars by run id. Runs of other batches cost this one nothing. */
function costs(outcomes: Iterable<Outcome>): Map<string, number> {
  const runs = new Map<string, number>();
  for (const { runId, usd, isReused } of outcomes) {
    if (runId !== undefined && !isReused) runs.set(runId, usd ?? 0);
  }
  return runs;
}
