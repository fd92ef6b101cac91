/** @file For tests: a few simulated workers with graded runs, and items (questions with a pool) drawn from them. */
import type { Split } from '../../../src/core/training/environment/history';
import { drawItem, drawSociety, type Item, type Society } from '../../../src/core/training/environment/items';
import type { TrainingScale } from '../../../src/core/training/orders';

export function smallSociety(split: Split = 'train', workers = 24): Society {
  return drawSociety({ split, seed: 11, workers, runs: 200, questions: 20 });
}

export function items(society: Society, count: number, recursion = 0): Item[] {
  return Array.from({ length: count }, (_, index) => drawItem(society, { seed: 7, index, recursion }));
}

/** The scale of a training run that takes only a moment. */
export const SMALL_TRAINING: TrainingScale = {
  workers: 12,
  runs: 60,
  questions: 10,
  validation: 4,
  course: { pretrainingUpdates: 1, requests: 2, group: 4, items: 6, width: 8 },
};
