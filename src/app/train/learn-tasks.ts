/** @file The tasks of a dataset that a search for lessons can use. */
import { GRADERS, seededRandom, shuffled, type EvaluationTask } from '../../core/contract';
import type { TaskSources } from '../../core/lessons/tasks/task-sources';

/** More tasks would make the search no better: the test and the validation use at most 710 of them. */
const MOST_TASKS = 1_500;
/** Number of tasks that are read at a time. */
const PAGE = 250;

/** All searches on a dataset use the same sample. The seed of a search only splits it. */
const SAMPLE_SEED = 1;

export interface TaskChoice {
  readonly dataset: string;
  /** Whether to use only puzzles, which simulated workers can solve. */
  readonly onlyPuzzles: boolean;
}

/** A random sample of the usable tasks. A search has no judge, no person and no recorded answers to grade with. */
export async function usableTasks(
  store: Pick<TaskSources, 'outline' | 'tasks'>,
  { dataset, onlyPuzzles }: TaskChoice,
  signal: AbortSignal,
): Promise<readonly EvaluationTask[]> {
  const outlined = (await store.outline(dataset)).map(({ id }) => id);
  const ids = shuffled(outlined, seededRandom(SAMPLE_SEED));
  const usable: EvaluationTask[] = [];
  for (let from = 0; from < ids.length && usable.length < MOST_TASKS; from += PAGE) {
    signal.throwIfAborted();
    const read = await store.tasks(dataset, ids.slice(from, from + PAGE));
    usable.push(...read.filter((task) => isUsable(task, onlyPuzzles)));
  }
  signal.throwIfAborted();
  return usable.slice(0, MOST_TASKS);
}

function isUsable({ grader }: EvaluationTask, onlyPuzzles: boolean): boolean {
  if (onlyPuzzles) return grader === 'puzzle';
  const { by, needs } = GRADERS[grader];
  return (by === 'rules' || by === 'sandbox') && needs !== 'score';
}
