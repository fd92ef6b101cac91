/**
 * @file Orders the runs of a search for a local Conductor, which reads only what differs from the prompt before: first the lessons,
 * then the workers. So runs with the same lessons follow one another, and of these, runs whose list of workers begins alike.
 */
import type { NeededRun } from './next-step';

/**
 * Number of runs that are ordered together. A proof alternates between blocks of both candidates instead of comparing them hours
 * apart, during which a worker may change.
 */
const BLOCK = 32;

/** @param workersOf names the workers of a task in the order in which the Conductor sees them */
export function inPlanOrder(
  runs: readonly NeededRun[],
  workersOf: (task: string) => readonly string[],
): readonly NeededRun[] {
  const keyed = runs.map((run) => ({ run, key: JSON.stringify([run.lessons, workersOf(run.task)]) }));
  return Array.from({ length: Math.ceil(runs.length / BLOCK) }, (_, block) =>
    keyed
      .slice(block * BLOCK, (block + 1) * BLOCK)
      .toSorted((one, other) => (one.key === other.key ? 0 : one.key < other.key ? -1 : 1)),
  ).flatMap((block) => block.map(({ run }) => run));
}
