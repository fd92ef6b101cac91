/**
 * @file The written contract of a puzzle family. Adding a family is one file or folder that keeps it, and one line in
 * `index.ts`. Everything here is pure: what is random comes from the `Random` handed in.
 */
import type { Random, Verdict } from '../contract';

/** A way to go about a puzzle, in words that a planner may give and a solver can recognise. */
export interface Strategy {
  readonly name: string;
  /** One sentence of advice. Says how to work, never what the answer is. */
  readonly advice: string;
  /** Recognises the advice, or a person's own wording of it, in free text. */
  readonly wording: RegExp;
}

/** How hard a search may try. */
export interface Effort<Answer> {
  /** Elementary steps: one combination tried, one comparison made, one statement looked at. Work is proportional to it. */
  readonly steps: number;
  /** The name of one of the family's strategies; an unknown one counts as the first. */
  readonly strategy: string;
  readonly random: Random;
  /** Chance, 0 to 1, that the whole attempt holds one careless mistake of the family's own kind. Default 0. */
  readonly slip?: number;
  /** An answer to go on from. */
  readonly from?: Answer;
}

/** What a search came to. */
export interface Attempt<Answer> {
  /** The best that was found; `null` if nothing was. */
  readonly answer: Answer | null;
  /** Whether the searcher holds it for right. After a slip it may be mistaken. */
  readonly exact: boolean;
  /** How it went, as short lines of markdown. */
  readonly work: readonly string[];
}

/**
 * A verdict that also says how far off an answer is: 0 for a correct one, more for a worse one, in the family's own unit.
 * `detail` names what is wrong and never gives the right answer away, so that a verifier may say it.
 */
export interface TaskVerdict extends Verdict {
  readonly distance: number;
}

/** One kind of puzzle. */
export interface TaskFamily<Puzzle, Answer> {
  /** Stable; history may be counted by it. */
  readonly name: string;
  /** The strategies, the one that tends to work best first. */
  readonly strategies: readonly [Strategy, ...Strategy[]];
  /** @param difficulty 0 (easy) to 1 (hard) */
  generate(random: Random, difficulty: number): Puzzle;
  /** The question in plain words; the wording is drawn from `random`. `read` understands every wording. */
  ask(puzzle: Puzzle, random: Random): string;
  /** Reads a puzzle from a person's own words, or `null`. Never throws; time is linear in the text. */
  read(text: string): Puzzle | null;
  /** Steps with which a careful search by the first strategy nearly always succeeds. */
  ample(puzzle: Puzzle): number;
  /** A bounded search: never more work than `effort.steps` allows for, up to a small constant. */
  search(puzzle: Puzzle, effort: Effort<Answer>): Attempt<Answer>;
  /** The answer in one line that `readAnswer` reads again. */
  format(answer: Answer): string;
  /** The answer that a text ends with, or `null`. Never throws. */
  readAnswer(text: string, puzzle: Puzzle): Answer | null;
  /** Whether the answer is right, exactly. */
  check(puzzle: Puzzle, answer: Answer): TaskVerdict;
}

/** How far off an answer is that breaks the rules rather than misses. */
export const RULE_BROKEN = 1e6;
