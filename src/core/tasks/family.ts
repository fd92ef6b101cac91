/**
 * @file The interface of a puzzle family. To add a family, implement it in one file or folder and register it in
 * `index.ts`. All functions are pure. Randomness comes from the `Random` argument.
 */
import type { Random, Verdict } from '../contract';

/** A strategy for a puzzle, in words that a planner can give and a solver can recognize. */
export interface Strategy {
  readonly name: string;
  /** One sentence of advice. It must not reveal the answer. */
  readonly advice: string;
  /** Matches the advice, or a user's own wording of it, in free text. */
  readonly wording: RegExp;
}

/** The limits of a search. */
export interface Effort<Answer> {
  /** Maximum number of elementary steps, such as combinations tried, comparisons made or statements checked. */
  readonly steps: number;
  /** The name of a strategy of the family. An unknown name counts as the first strategy. */
  readonly strategy: string;
  readonly random: Random;
  /** Probability that the attempt has one careless mistake, from 0 to 1. Default 0. */
  readonly slip?: number;
  /** An earlier answer, which the search tries to improve. */
  readonly from?: Answer;
}

/** The result of a search. */
export interface SearchOutcome<Answer> {
  /** The best answer found. `null` if there is none. */
  readonly answer: Answer | null;
  /** Whether the search considers the answer right. After a careless mistake, this can be wrong. */
  readonly exact: boolean;
  /** How the answer was found, as short lines of Markdown. */
  readonly work: readonly string[];
}

/**
 * A verdict with a distance: 0 for a right answer, larger for a worse answer, in the family's own unit. For a wrong answer,
 * `detail` names the mistake but never reveals the right answer, because verifiers quote it.
 */
export interface TaskVerdict extends Verdict {
  readonly distance: number;
}

/** A puzzle family. */
export interface TaskFamily<Puzzle, Answer> {
  /** The name of the family. It must not change, because saved history can be grouped by it. */
  readonly name: string;
  /** The strategy that usually works best comes first. */
  readonly strategies: readonly [Strategy, ...Strategy[]];
  /** @param difficulty from 0 (easy) to 1 (hard) */
  generate(random: Random, difficulty: number): Puzzle;
  /** The question in a random wording. `read` must understand every wording. */
  writeQuestion(puzzle: Puzzle, random: Random): string;
  /** Reads a puzzle from a user's own words, or returns `null`. Never throws. Takes time linear in the length of the text. */
  read(text: string): Puzzle | null;
  /** Number of steps with which a careful search by the first strategy almost always succeeds. */
  ample(puzzle: Puzzle): number;
  /** Searches with at most `effort.steps` steps. May take a few more steps to finish an answer that it has begun. */
  search(puzzle: Puzzle, effort: Effort<Answer>): SearchOutcome<Answer>;
  /** The answer in one line that `readAnswer` can read. */
  format(answer: Answer): string;
  /** The final answer of a text, or `null`. Never throws. */
  readAnswer(text: string, puzzle: Puzzle): Answer | null;
  /** Checks the answer exactly. */
  check(puzzle: Puzzle, answer: Answer): TaskVerdict;
}

/** The distance of an answer that breaks the rules of the puzzle. */
export const RULE_BROKEN = 1e6;
