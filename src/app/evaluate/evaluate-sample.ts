/** @file Chooses the tasks of a dataset for a new batch: all tasks, a sample, or all tasks except a sample. */
import type { Dataset } from '../../core/contract';
import { splitTasks, type OutlineEntry, type Spread } from '../../core/evaluation/datasets/sample';

/** `rest`: all tasks except the sample. */
export type SamplePart = 'all' | 'sample' | 'rest';

/** A dataset that the user chose for a new batch. */
export interface ChosenDataset {
  readonly id: string;
  readonly part: SamplePart;
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
