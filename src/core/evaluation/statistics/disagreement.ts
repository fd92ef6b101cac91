/** @file Shows where methods disagree: groups tasks by the number of methods that solve them. */
import type { GradingProfile, Outcome } from '../../contract';
import { isCorrect, taskKey } from './score';

export interface TaskAgreement {
  /** Index into the datasets of the batch. */
  readonly dataset: number;
  readonly taskId: string;
  /**
   * Indexes of the methods that solve the task. A method solves a task if more than half of its graded
   * repeats are correct.
   */
  readonly right: readonly number[];
  /** Indexes of the other methods with a graded outcome for the task. */
  readonly wrong: readonly number[];
}

export interface Disagreement {
  /** At index n: the number of tasks that exactly n methods solve. Only tasks that are graded for all methods count. */
  readonly counts: readonly number[];
  /** Every task with a graded outcome. Tasks with the most disagreement come first. */
  readonly tasks: readonly TaskAgreement[];
}

/** Finds which methods solve each task. @param methods number of methods of the batch */
export function disagreement(outcomes: readonly Outcome[], methods: number, profile: GradingProfile): Disagreement {
  const byTask = new Map<string, { dataset: number; taskId: string; sums: Map<number, number> }>();
  for (const outcome of outcomes) {
    const correct = isCorrect(outcome, profile);
    if (correct === null) continue;
    const { dataset, taskId, method } = outcome;
    const key = taskKey(outcome);
    const task = byTask.get(key) ?? { dataset, taskId, sums: new Map<number, number>() };
    // The sum is positive if more than half of the repeats are correct.
    task.sums.set(method, (task.sums.get(method) ?? 0) + (correct ? 1 : -1));
    byTask.set(key, task);
  }
  const counts = Array.from({ length: methods + 1 }, () => 0);
  const tasks = [...byTask.values()].map(({ dataset, taskId, sums }): TaskAgreement => {
    const graded = [...sums.keys()].toSorted((one, other) => one - other);
    const right = graded.filter((method) => (sums.get(method) ?? 0) > 0);
    if (graded.length === methods) counts[right.length] = (counts[right.length] ?? 0) + 1;
    return { dataset, taskId, right, wrong: graded.filter((method) => (sums.get(method) ?? 0) <= 0) };
  });
  const split = ({ right, wrong }: TaskAgreement) => Math.min(right.length, wrong.length);
  return { counts, tasks: tasks.toSorted((one, other) => split(other) - split(one)) };
}
