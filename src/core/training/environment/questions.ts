/**
 * @file Questions drawn from all puzzle families. Training, validation and held-out questions come from separate random
 * streams.
 */
import { mixSeed, randomIndex, seededRandom } from '../../contract';
import { TASK_FAMILIES } from '../../tasks';

/** The data split that a question belongs to. */
export type Split = 'train' | 'validation' | 'held-out';

interface DrawnQuestion {
  readonly text: string;
  /** Identifies the puzzle. Two wordings of one puzzle have the same key. */
  readonly key: string;
}

/** Draws a question of a random family, difficulty and wording. The same arguments always draw the same question. */
export function drawQuestion(split: Split, seed: number, index: number): DrawnQuestion {
  const random = seededRandom(mixSeed(split, 'question', seed, index));
  const family = TASK_FAMILIES[randomIndex(random, TASK_FAMILIES.length)];
  if (!family) throw new RangeError('There are no puzzle families.');
  const puzzle = family.generate(random, random());
  return { text: puzzle.writeQuestion(random), key: puzzle.key };
}
