/** @file A task of an evaluation: a question with a known way to grade its answer. */
import type { Task } from '../run/grader';
import type { Domain } from '../worker/domain';

/**
 * How an answer is graded.
 * - `puzzle`: the answer is checked with the question alone
 * - `letter`: a choice from A to J is compared with a reference
 * - `mathematics`, `rlpr`, `exact`: the answer is compared with a reference
 * - `pattern`: the answer must match the reference, a regular expression
 * - `python`: a program is tested by standard input or by calls, as in LiveCodeBench
 * - `unittest`: a program is tested by a `unittest.TestCase`, as in BigCodeBench
 * - `judge`: one of the user's workers grades the answer
 * - `person`: the user grades the answer
 * - `recorded`: the answer is replayed from an imported table, and the score in the table decides
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

/** The recorded answer of a worker to a task, with its cost and time. */
export interface RecordedAnswer {
  /** The worker's name in the imported table. */
  readonly worker: string;
  /** The text to replay. If the recorded score decides the verdict, the text states the score. */
  readonly text: string;
  /** US dollars. `null`: unknown. */
  readonly usd: number | null;
  /** Ms. `null`: unknown. */
  readonly latency: number | null;
  /** Tokens. `null`: unknown. */
  readonly input: number | null;
  readonly output: number | null;
}

export interface EvaluationTask extends Task {
  /** Unique in its dataset. */
  readonly id: string;
  readonly grader: GraderKind;
  readonly domain: Domain;
  /** The group by which samples are stratified: subject, puzzle family, difficulty or platform. Absent: none. */
  readonly group?: string;
  /** A correct solution. If it fails in Podium's sandbox, the task is not gradable. Only for programming tasks. */
  readonly solution?: string;
  /** A warning about the task, as a sentence. Absent: no warning. */
  readonly caution?: string;
  /** The recorded answers to this task, at most one from each recorded worker. Absent: the dataset has no recorded workers. */
  readonly recorded?: readonly RecordedAnswer[];
}
