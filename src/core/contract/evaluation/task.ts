/** @file Evaluation tasks: questions whose answers can be graded. */
import type { Task } from '../run/grader';
import type { Domain } from '../worker/domain';

/**
 * How an answer is graded.
 * - `puzzle`: the answer is checked against the question, without a reference
 * - `letter`: the chosen letter, from A to J, is compared with the reference
 * - `mathematics`, `rlpr`, `exact`: the answer is compared with the reference
 * - `pattern`: the answer must match the reference, a regular expression
 * - `python`: a program is tested through standard input or function calls, as in LiveCodeBench
 * - `unittest`: a program is tested with a `unittest.TestCase`, as in BigCodeBench
 * - `judge`: one of the user's workers grades the answer
 * - `person`: the user grades the answer
 * - `recorded`: the answer and its score come from an imported table
 */
export const GRADER_KINDS = [
  'puzzle',
  'letter',
  'mathematics',
  'rlpr',
  'exact',
  'pattern',
  'python',
  'unittest',
  'judge',
  'person',
  'recorded',
] as const;
export type GraderKind = (typeof GRADER_KINDS)[number];

/**
 * `strict`: Podium's rules, which docs/grading.md documents. `paper-artefact`: the rules of the paper's published
 * code, including its errors, for comparison with the paper's numbers.
 */
export const GRADING_PROFILES = ['strict', 'paper-artefact'] as const;
export type GradingProfile = (typeof GRADING_PROFILES)[number];

/** A worker's recorded answer to a task, with the cost and latency of the answer. */
export interface RecordedAnswer {
  /** The worker's name in the imported table. */
  readonly worker: string;
  /** The answer to replay. With the grader `recorded`, this text also states the score. */
  readonly text: string;
  /** US dollars. `null`: unknown. */
  readonly usd: number | null;
  /** Ms. `null`: unknown. */
  readonly latency: number | null;
  /** Tokens of the prompt. `null`: unknown. */
  readonly input: number | null;
  /** Tokens of the answer. `null`: unknown. */
  readonly output: number | null;
}

export interface EvaluationTask extends Task {
  /** Unique in its dataset. */
  readonly id: string;
  readonly grader: GraderKind;
  readonly domain: Domain;
  /** The group for stratified sampling: a subject, puzzle family, difficulty or platform. Absent: no group. */
  readonly group?: string;
  /** A correct program, for programming tasks only. If the program fails in Podium's sandbox, the task can't be graded. */
  readonly solution?: string;
  /** A warning about the task, as a sentence. Absent: no warning. */
  readonly caution?: string;
  /** Recorded answers to this task, at most one per worker. Absent: the dataset has no recorded answers. */
  readonly recorded?: readonly RecordedAnswer[];
}
