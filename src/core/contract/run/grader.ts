/**
 * @file Grading: an answer in, a verdict out. One file a grader in `core/graders`.
 */
export interface Task {
  readonly question: string;
  /** What the grader compares with, in its own form; absent where the question itself is enough. */
  readonly reference?: string;
}

export interface Verdict {
  readonly correct: boolean;
  /** One sentence: what was found and why it is right or wrong. */
  readonly detail: string;
}

export interface Grader {
  grade(task: Task, answer: string, signal: AbortSignal): Promise<Verdict>;
}
