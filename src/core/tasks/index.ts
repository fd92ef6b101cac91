/**
 * @file Puzzles that can be generated, put into words, parsed, and solved by search. Simulated workers solve them. Their answers
 * can be graded exactly, which tests and training need.
 */
import type { PoolWorker } from '../contract';
import { arithmetic } from './arithmetic';
import { change } from './change';
import { countdown } from './countdown/family';
import { ordering } from './ordering/family';
import { posed, type PosedFamily, type PosedPuzzle } from './posed';
import { statements } from './statements/family';

export type { SearchOutcome, Strategy } from './family';
export type { PosedPuzzle } from './posed';
export { SAMPLE_QUESTIONS } from './samples';

/** Every family, in the order in which `readPuzzle` tries them. Families with the most specific words come first. */
export const TASK_FAMILIES: readonly PosedFamily[] = [
  posed(change),
  posed(statements),
  posed(countdown),
  posed(ordering),
  posed(arithmetic),
];

/** Cached puzzles by text, oldest first. The cache helps because each step of a run and its grader read the same question. */
const readTexts = new Map<string, PosedPuzzle | null>();
const MOST_READ_TEXTS = 200;

/**
 * The puzzle in a text, or `null`. The same text always gives the same puzzle. Long texts are rejected, so the time is bounded.
 */
export function readPuzzle(text: string): PosedPuzzle | null {
  const known = readTexts.get(text);
  if (known !== undefined) return known;
  const puzzle = readFromFamilies(text);
  readTexts.set(text, puzzle);
  const [oldest] = readTexts.keys();
  if (readTexts.size > MOST_READ_TEXTS && oldest !== undefined) readTexts.delete(oldest);
  return puzzle;
}

function readFromFamilies(text: string): PosedPuzzle | null {
  for (const family of TASK_FAMILIES) {
    const puzzle = family.read(text);
    if (puzzle) return puzzle;
  }
  return null;
}

/** The puzzle of a step: the puzzle in the question, else the puzzle in the step's subtask. */
export function puzzleFor(question: string, subtask: string): PosedPuzzle | null {
  return readPuzzle(question) ?? readPuzzle(subtask);
}

/**
 * Whether a worker can read the question of a step. Simulated workers read puzzles only.
 * @param subtask the step's subtask. Default: empty, so that only the question counts
 */
export function canRead({ kind }: Pick<PoolWorker, 'kind'>, question: string, subtask = ''): boolean {
  return kind !== 'simulated' || puzzleFor(question, subtask) !== null;
}
