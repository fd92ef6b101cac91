/**
 * @file The families of puzzles that simulated workers can solve. Each family generates puzzles, writes their
 * questions, parses questions and solves the puzzles. It also grades answers exactly, which tests and
 * training need.
 */
import type { PoolWorker } from '../contract';
import { arithmetic } from './arithmetic';
import { change } from './change';
import { countdown } from './countdown/family';
import { ordering } from './ordering/family';
import { posed, type PosedFamily, type PosedPuzzle } from './posed';
import { statements } from './statements/family';

/** All families, in the order in which `readPuzzle` tries them. Families with more specific wording come first. */
export const TASK_FAMILIES: readonly PosedFamily[] = [
  posed(change),
  posed(statements),
  posed(countdown),
  posed(ordering),
  posed(arithmetic),
];

/**
 * The puzzles of recent texts, oldest first. Cached, because all steps of a run and its grader parse the same
 * question.
 */
const readTexts = new Map<string, PosedPuzzle | null>();
const MOST_READ_TEXTS = 200;

/** Returns the puzzle in a text, or `null` if there is none. Rejects long texts, so the time is bounded. */
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

/** Returns the puzzle that a step has to solve: the one in the question, else the one in the step's subtask. */
export function puzzleFor(question: string, subtask: string): PosedPuzzle | null {
  return readPuzzle(question) ?? readPuzzle(subtask);
}

/**
 * Whether a worker can handle a step. Simulated workers can handle puzzles only.
 * @param subtask the step's subtask. Default: empty, so that only the question counts
 */
export function canRead({ kind }: Pick<PoolWorker, 'kind'>, question: string, subtask = ''): boolean {
  return kind !== 'simulated' || puzzleFor(question, subtask) !== null;
}
