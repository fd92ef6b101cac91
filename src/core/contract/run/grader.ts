/** @file The grader interface. A grader turns an answer into a verdict. The graders are in `core/graders`. */
import type { Fault } from '../fault';
import type { JudgeCall } from './judge-call';

/**
 * The published datasets for which the code of arXiv 2512.04388 has special grading rules and a special
 * prompt without answer tags.
 */
export const ARTEFACT_RULES = ['aime', 'gpqa'] as const;
export type ArtefactRules = (typeof ARTEFACT_RULES)[number];

export interface Task {
  readonly question: string;
  /** The reference to compare with, in the grader's own format. Absent: the grader needs no reference. */
  readonly reference?: string;
  /** The rules for grading with `paper-artefact` (see `GradingProfile`). Absent: the rules of the task's grader. */
  readonly artefactRules?: ArtefactRules;
}

export interface Verdict {
  readonly correct: boolean;
  /** One sentence: the answer that was found, and why it is correct or wrong. */
  readonly detail: string;
  /** Version of the grader's rules, see `graderVersion`. Absent: version 1, or no grader's verdict. */
  readonly version?: number;
}

/** What produced a grade: the version of a grader's rules, and the paid call to a judge. */
export interface GradedWith {
  readonly version?: number;
  readonly judge?: JudgeCall;
}

export interface Grader {
  grade(task: Task, answer: string, signal: AbortSignal): Promise<Verdict>;
}

/** Whether the fault of a grader means that the task can't be graded here. Any other fault means that the grading failed. */
export function isNotGradable({ code }: Fault): boolean {
  return code === 'not-gradable' || code === 'nothing-to-grade' || code === 'question-unreadable';
}
