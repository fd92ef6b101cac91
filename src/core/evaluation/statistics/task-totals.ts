/** @file Sums of the results of one method by task, so that estimates can leave a task out. */
import type { GradingProfile, Outcome, Unit } from '../../contract';
import { isCorrect, meanOf, taskKey } from './score';

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
  readonly #byDataset = new Map<number, Totals>();
  #all = NOTHING;

  /** @param outcomes the outcomes of one method */
  constructor(outcomes: readonly Outcome[], profile: GradingProfile = 'strict') {
    for (const outcome of outcomes) {
      const { status, calls, usd, unpriced = 0, dataset } = outcome;
      if (status !== 'graded' && status !== 'waiting') continue;
      const correct = isCorrect(outcome, profile);
      const own = { runs: 1, calls, usd, unpriced, graded: correct === null ? 0 : 1, right: correct === true ? 1 : 0 };
      const key = taskKey(outcome);
      this.#byTask.set(key, sum(this.#byTask.get(key) ?? NOTHING, own));
      this.#byDataset.set(dataset, sum(this.#byDataset.get(dataset) ?? NOTHING, own));
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

  /** The mean score of the datasets, without one task. `null`: no other task has a verdict. */
  scoreWithout(task: Task): number | null {
    const shares = [...this.#byDataset].flatMap(([dataset, totals]) => {
      const { graded, right } = dataset === task.dataset ? sum(totals, this.on(task), -1) : totals;
      return graded === 0 ? [] : [right / graded];
    });
    return meanOf(shares);
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
