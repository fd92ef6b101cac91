/** @file A small society and its items, drawn once for all tests of a file. */
import { drawItem, drawSociety, type Item, type Society } from '../../../src/core/training/environment';
import type { TrainingScale } from '../../../src/core/training/orders';
import type { Split } from '../../../src/core/training/questions';

export function smallSociety(split: Split = 'train', workers = 24): Society {
  return drawSociety({ split, seed: 11, workers, runs: 200, questions: 20 });
}

export function items(society: Society, count: number, recursion = 0): Item[] {
  return Array.from({ length: count }, (_, index) => drawItem(society, { seed: 7, index, recursion }));
}

/** A training that takes a moment. */
export const SMALL_TRAINING: TrainingScale = {
  workers: 12,
  runs: 60,
  questions: 10,
  validation: 4,
  course: { warmUp: 1, requests: 2, group: 4, items: 6, width: 8 },
};
