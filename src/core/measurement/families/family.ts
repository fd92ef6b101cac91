/** @file The interface of the generated tasks that measure workers. */
import type { Random, Verdict } from '../../contract';
import type { MeasuredDomain } from '../ability/observation';

export interface MeasuredTask {
  readonly family: string;
  readonly level: number;
  readonly question: string;
  /** The right answer, in the form that the question asks for. */
  readonly reference: string;
  /** Identifies the puzzle. Two equal puzzles have one key. */
  readonly key: string;
}

export interface MeasuredFamily {
  /** It must not change, because saved measurements refer to it. */
  readonly id: string;
  readonly label: string;
  readonly domain: MeasuredDomain;
  /** The number of levels, at least 6. The levels are numbered from 0. */
  readonly levels: number;
  generate(random: Random, level: number): MeasuredTask;
  /** Reads the final answer of a worker's text tolerantly, and compares it with the right answer. */
  check(task: MeasuredTask, text: string): Verdict;
  /** A wrong but plausible answer, in the form that the question asks for. */
  wrongAnswer(task: MeasuredTask, random: Random): string;
}
