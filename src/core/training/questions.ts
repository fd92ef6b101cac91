/**
 * @file Questions drawn from all puzzle families. Those to train on, to choose a checkpoint by and to report on come from
 * streams that never meet.
 */
import { mixSeed, randomIndex, seededRandom } from '../contract';
import { TASK_FAMILIES } from '../tasks';

/** Who a question is drawn for. */
export type Split = 'train' | 'validation' | 'held-out';

export interface DrawnQuestion {
  readonly text: string;
  /** Name of its family. */
  readonly family: string;
  /** The same for every wording. */
  readonly key: string;
}

/** The question at a place of a stream: any family, any difficulty, any wording. */
export function drawQuestion(split: Split, seed: number, index: number): DrawnQuestion {
  const random = seededRandom(mixSeed(split, 'question', seed, index));
  const family = TASK_FAMILIES[randomIndex(random, TASK_FAMILIES.length)];
  if (!family) throw new RangeError('There are no puzzle families.');
  const puzzle = family.generate(random, random());
  return { text: puzzle.ask(random), family: family.name, key: puzzle.key };
}
