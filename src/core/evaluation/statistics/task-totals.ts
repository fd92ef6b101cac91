/** @file Sums of the results of one method by task, so that estimates can leave a task out. */
import type { GradingProfile, Outcome, Unit } from '../../contract';
import { isCorrect, taskKey } from './score';

/** Sums over runs that reached an answer. */
export interface Totals {
  readonly runs: number;
  readonly calls: number;
  /** US dollars, without calls of unknown cost. */
  readonly usd: number;
  /** Number of calls of unknown cost. */
  readonly unpriced: number;
  /** Number of runs with a verdict under the grading profile, and how many of them are correct. */
  readonly graded: number;
  readonly right: number;
}

type Task = Pick<Unit, 'dataset' | 'taskId'>;

const NOTHING: Totals = { runs: 0, calls: 0, usd: 0, unpriced: 0, graded: 0, right: 0 };

export class TaskTotals {
  readonly #byTask = new Map<string, Totals>();
  #all = NOTHING;

  /** @param outcomes the outcomes of one method */
  constructor(outcomes: readonly Outcome[], profile: GradingProfile = 'strict') {
    for (const outcome of outcomes) {
      const { status, calls, usd, unpriced = 0 } = outcome;
      if (status !== 'graded' && status !== 'waiting') continue;
      const correct = isCorrect(outcome, profile);
      const own = { runs: 1, calls, usd, unpriced, graded: correct === null ? 0 : 1, right: correct === true ? 1 : 0 };
      const key = taskKey(outcome);
      this.#byTask.set(key, sum(this.#byTask.get(key) ?? NOTHING, own));
      this.#all = sum(this.#all, own);
    }
  }

  /** The sums over the runs of each task, by `taskKey`. */
  get byTask(): ReadonlyMap<string, Totals> {
    return this.#byTask;
  }

  /** The sums over the runs of one task. */
  on(task: Task): Totals {
    return this.#byTask.get(taskKey(task)) ?? NOTHING;
  }

  /** The sums over all other tasks. */
  without(task: Task): Totals {
    return sum(this.#all, this.on(task), -1);
  }

  /** The mean cost of a run on some tasks, in US dollars. `null`: unknown. @param keys the `taskKey` of each task */
  usdOn(keys: readonly string[]): number | null {
    let [runs, usd, unpriced] = [0, 0, 0];
    for (const key of keys) {
      const task = this.#byTask.get(key);
      runs += task?.runs ?? 0;
      usd += task?.usd ?? 0;
      unpriced += task?.unpriced ?? 0;
    }
    return runs === 0 || unpriced > 0 ? null : usd / runs;
  }

  /** The share of right answers on some tasks. `null`: none of them has a verdict. @param keys the `taskKey` of each task */
  scoreOn(keys: readonly string[]): number | null {
    let [graded, right] = [0, 0];
    for (const key of keys) {
      const task = this.#byTask.get(key);
      graded += task?.graded ?? 0;
      right += task?.right ?? 0;
    }
    return graded === 0 ? null : right / graded;
  }
}

function sum(one: Totals, other: Totals, sign: 1 | -1 = 1): Totals {
  return {
    runs: one.runs + sign * other.runs,
    calls: one.calls + sign * other.calls,
    usd: one.usd + sign * other.usd,
    unpriced: one.unpriced + sign * other.unpriced,
    graded: one.graded + sign * other.graded,
    right: one.right + sign * other.right,
  };
}
