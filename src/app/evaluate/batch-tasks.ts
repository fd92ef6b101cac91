/** @file The tasks of a dataset for a new batch: lists them, and chooses all tasks, a sample, or all tasks except a sample. */
import { fault, FaultError, type Dataset, type DatasetStore } from '../../core/contract';
import { splitTasks, type OutlineEntry, type Spread } from '../../core/evaluation/datasets/sample';

/** A task of a dataset. `isPuzzle` is set only if the dataset has both puzzles and other tasks. */
export interface OutlinedTask extends OutlineEntry {
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

/** A dataset that the user chose for a new batch. */
export interface ChosenDataset {
  readonly id: string;
  /** `rest`: all tasks except the sample. */
  readonly part: 'all' | 'sample' | 'rest';
  /** Number of tasks in the sample. */
  readonly size: number;
  readonly spread: Spread;
  readonly seed: number;
  /** Whether to use only puzzles, which simulated workers can solve. */
  readonly onlyPuzzles: boolean;
}

/** Default sample size for a large dataset. */
const FIRST_SAMPLE = 100;

/** The initial values of the form for a dataset. A large dataset is sampled. */
export function firstChoice({ id, tasks }: Dataset, onlyPuzzles: boolean): ChosenDataset {
  const isLarge = tasks > FIRST_SAMPLE;
  return {
    id,
    part: isLarge ? 'sample' : 'all',
    size: isLarge ? FIRST_SAMPLE : Math.ceil(tasks / 2),
    spread: 'share',
    seed: 1,
    onlyPuzzles,
  };
}

/** The ids of the tasks to use, in the order of the dataset. */
export function chosenTasks(
  outline: readonly OutlineEntry[],
  { part, size, seed, spread }: ChosenDataset,
): readonly string[] {
  return part === 'all' ? outline.map(({ id }) => id) : splitTasks(outline, size, seed, spread)[part];
}
