/** @file Draws a random sample of a dataset's tasks, in which every group has about the share that it has in the dataset. */
import { mixSeed, seededRandom, shuffled, type EvaluationTask } from '../contract';

type Outline = readonly Pick<EvaluationTask, 'id' | 'group'>[];

/**
 * @param size number of tasks. All of them, if there are not more
 * @returns the ids of the drawn tasks in the order of the dataset. The same seed draws the same tasks
 */
export function sampleTasks(outline: Outline, size: number, seed: number): readonly string[] {
  if (size >= outline.length) return outline.map(({ id }) => id);
  const groups = [...new Set(outline.map(({ group }) => group))];
  const shares = groups.map((group) => {
    const tasks = outline.filter((task) => task.group === group);
    const exact = (size * tasks.length) / outline.length;
    return { group, tasks, whole: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const missing = size - shares.reduce((sum, { whole }) => sum + whole, 0);
  // Largest remainders first. Ties keep the order of the groups.
  const rounded = new Set(
    shares
      .toSorted((one, other) => other.rest - one.rest)
      .slice(0, missing)
      .map(({ group }) => group),
  );
  const drawn = new Set(
    shares.flatMap(({ group, tasks, whole }) => {
      const random = seededRandom(mixSeed(seed, 'sample', group ?? ''));
      return shuffled(tasks, random).slice(0, whole + (rounded.has(group) ? 1 : 0));
    }),
  );
  return outline.filter((task) => drawn.has(task)).map(({ id }) => id);
}
