/** @file Lists the tasks of a dataset, so that the user can choose the tasks of a batch. */
import { fault, FaultError, type Dataset, type DatasetStore, type EvaluationTask } from '../../core/contract';

/** A task of a dataset. `isPuzzle` is set only if the dataset has both puzzles and other tasks. */
export interface OutlinedTask extends Pick<EvaluationTask, 'id' | 'group'> {
  readonly isPuzzle?: boolean;
}

/** The tasks of a dataset without their texts. */
export interface Outline {
  /** Id of the dataset. */
  readonly id: string;
  readonly tasks: readonly OutlinedTask[];
}

/** Reads the outline of a dataset. Rejects with a `FaultError` if the dataset has no tasks. */
export async function readOutline(store: DatasetStore, dataset: Dataset): Promise<Outline> {
  const { id } = dataset;
  const outlined = await store.outline(id);
  if (outlined.length === 0) {
    throw new FaultError(fault('not-found', `${dataset.name} no longer has any tasks. Import it again.`));
  }
  if (!isMixed(dataset)) return { id, tasks: outlined };
  const ids = outlined.map((task) => task.id);
  const read = await store.tasks(id, ids);
  const puzzles = new Set(read.filter(({ grader }) => grader === 'puzzle').map((task) => task.id));
  return { id, tasks: outlined.map((task) => ({ ...task, isPuzzle: puzzles.has(task.id) })) };
}

/** Whether a dataset has both puzzles and other tasks. Simulated workers can solve only the puzzles. */
export function isMixed({ graders }: Pick<Dataset, 'graders'>): boolean {
  return graders.includes('puzzle') && graders.some((grader) => grader !== 'puzzle');
}
