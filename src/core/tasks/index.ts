/**
 * @file Puzzles that can be generated, asked, read from plain words, searched and checked exactly: the ground on which
 * simulated workers work, tests have true outcomes and the policy trains.
 */
import { arithmetic } from './arithmetic';
import { change } from './change';
import { countdown } from './countdown/family';
import { ordering } from './ordering/family';
import { posed, type PosedFamily, type PosedPuzzle } from './posed';
import { statements } from './statements/family';

export type { Attempt, Effort, Strategy, TaskFamily, TaskVerdict } from './family';
export type { PosedFamily, PosedPuzzle } from './posed';
export { SAMPLE_QUESTIONS } from './samples';

/** Every family, in the order in which a text is offered to them: those with the most telling words first. */
export const TASK_FAMILIES: readonly PosedFamily[] = [
  posed(change),
  posed(statements),
  posed(countdown),
  posed(ordering),
  posed(arithmetic),
];

/** The puzzle that a text asks, or `null`. Deterministic and linear in the text; long texts are no puzzles. */
export function readPuzzle(text: string): PosedPuzzle | null {
  for (const family of TASK_FAMILIES) {
    const puzzle = family.read(text);
    if (puzzle) return puzzle;
  }
  return null;
}
