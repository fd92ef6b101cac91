/** @file Evaluation tasks: questions whose answers can be graded, and the kinds of graders, which `core/graders` implements. */
import type { Task } from '../run/grader';
import type { Domain } from '../worker/domain';

/** The traits of a kind of grader. */
interface GraderTraits {
  /** The grader, as an option of a list. */
  readonly label: string;
  /** The tasks with this grader, in a list of what a dataset has. */
  readonly tasks: string;
  /**
   * What decides whether an answer is correct.
   * - `rules`: code of Podium, which makes no calls and runs no programs
   * - `sandbox`: the tests of the task, which run the answer as a program
   * - `judge`: one of the user's workers
   * - `person`: the user
   */
  readonly by: 'rules' | 'sandbox' | 'judge' | 'person';
  /**
   * What a task must have besides its question.
   * - `reference`: a reference to compare the answer with
   * - `cases`: inputs of a program or a function, with their outputs, as in LiveCodeBench
   * - `unit-tests`: a `unittest.TestCase`, as in BigCodeBench
   * - `score`: a recorded answer with its score, from an imported table
   */
  readonly needs: 'nothing' | 'reference' | 'cases' | 'unit-tests' | 'score';
}

/** The kinds of graders with their traits, in display order. A kind without a definition in `core/graders` doesn't compile. */
export const GRADERS = {
  puzzle: { label: 'Puzzle, checked without a reference', tasks: 'puzzles', by: 'rules', needs: 'nothing' },
  /** The chosen letter, from A to J, is compared with the reference. */
  letter: { label: 'Multiple choice', tasks: 'multiple choice', by: 'rules', needs: 'reference' },
  mathematics: { label: 'Mathematics', tasks: 'mathematics', by: 'rules', needs: 'reference' },
  rlpr: { label: 'Short answer or number (RLPR rules)', tasks: 'short answers', by: 'rules', needs: 'reference' },
  exact: { label: 'Exact text', tasks: 'exact text', by: 'rules', needs: 'reference' },
  /** The reference is a regular expression, which the answer must match. */
  pattern: { label: 'Regular expression', tasks: 'patterns', by: 'rules', needs: 'reference' },
  python: { label: 'Programs, by input and output', tasks: 'programs', by: 'sandbox', needs: 'cases' },
  unittest: { label: 'Programs, by unit tests', tasks: 'programs with unit tests', by: 'sandbox', needs: 'unit-tests' },
  judge: { label: 'A worker judges', tasks: 'judged by a worker', by: 'judge', needs: 'reference' },
  person: { label: 'You grade by hand', tasks: 'graded by hand', by: 'person', needs: 'nothing' },
  recorded: { label: 'Recorded scores', tasks: 'recorded scores', by: 'rules', needs: 'score' },
} as const satisfies Readonly<Record<string, GraderTraits>>;

/** How an answer is graded. */
export type GraderKind = keyof typeof GRADERS;
export const GRADER_KINDS = Object.keys(GRADERS) as readonly GraderKind[];

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
