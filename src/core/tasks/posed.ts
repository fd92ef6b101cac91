/**
 * @file A puzzle bound to its family, with answers as text. Callers outside this folder do not need the families' own
 * types.
 */
import type { Random } from '../contract';
import type { SearchOutcome, Effort, Strategy, TaskFamily, TaskVerdict } from './family';

/** A puzzle that can be put into words, solved by search, and checked. Answers are in the family's one-line format. */
export interface PosedPuzzle {
  readonly family: string;
  readonly strategies: readonly [Strategy, ...Strategy[]];
  /** Number of steps with which a careful search almost always succeeds. */
  readonly ample: number;
  /** Identifies the puzzle. Two wordings of one puzzle have the same key. */
  readonly key: string;
  writeQuestion(random: Random): string;
  search(effort: Effort<string>): SearchOutcome<string>;
  /** Finds the final answer in a text, and returns it in the family's format. `null` if there is none. */
  readAnswer(text: string): string | null;
  /** Checks the final answer of a text. A text without an answer is wrong, at infinite distance. */
  check(text: string): TaskVerdict;
}

/** A puzzle family whose puzzles are `PosedPuzzle`s. */
export interface PosedFamily {
  readonly name: string;
  /** @param difficulty from 0 (easy) to 1 (hard) */
  generate(random: Random, difficulty: number): PosedPuzzle;
  read(text: string): PosedPuzzle | null;
}

/** Hides a family's own types of puzzles and answers. */
export function posed<Puzzle, Answer>(family: TaskFamily<Puzzle, Answer>): PosedFamily {
  return {
    name: family.name,
    generate: (random, difficulty) => pose(family, family.generate(random, difficulty)),
    read: (text) => {
      const puzzle = family.read(text);
      return puzzle === null ? null : pose(family, puzzle);
    },
  };
}

function pose<Puzzle, Answer>(family: TaskFamily<Puzzle, Answer>, puzzle: Puzzle): PosedPuzzle {
  const firstWording = () => 0;
  return {
    family: family.name,
    strategies: family.strategies,
    ample: family.ample(puzzle),
    key: `${family.name}: ${family.writeQuestion(puzzle, firstWording)}`,
    writeQuestion: (random) => family.writeQuestion(puzzle, random),
    search: ({ from, ...effort }) => {
      const start = from === undefined ? null : family.readAnswer(from, puzzle);
      const attempt = family.search(puzzle, start === null ? effort : { ...effort, from: start });
      return { ...attempt, answer: attempt.answer === null ? null : family.format(attempt.answer) };
    },
    readAnswer: (text) => {
      const answer = family.readAnswer(text, puzzle);
      return answer === null ? null : family.format(answer);
    },
    check: (text) => {
      const answer = family.readAnswer(text, puzzle);
      if (answer === null) return { correct: false, detail: 'No answer was found.', distance: Infinity };
      return family.check(puzzle, answer);
    },
  };
}
