/** @file The grader interface: an answer in, a verdict out. One file per grader in `core/graders`. */
export interface Task {
  readonly question: string;
  /** The reference to compare with, in the grader's own format. Absent if the question is enough. */
  readonly reference?: string;
}

export interface Verdict {
  readonly correct: boolean;
  /** One sentence: what was found, and why it is correct or wrong. */
  readonly detail: string;
}

export interface Grader {
  grade(task: Task, answer: string, signal: AbortSignal): Promise<Verdict>;
}
