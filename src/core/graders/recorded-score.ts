/**
 * @file Grades the recorded answers of an imported table by their recorded scores. A grader gets only the task and the answer, so
 * the answer ends with a line that states the score.
 */
import { abortError, fault, FaultError, sha256Hex, type Grader } from '../contract';

/** A recorded score, and the lowest score that counts as correct. */
export interface RecordedScore {
  readonly score: number;
  readonly passMark: number;
}

const NO_ANSWER = 'The table has no text for this answer.';
const SCORE_LINE = /(?:^|\n)\[Recorded score (\S+), pass mark (\S+), question ([0-9a-f]{12})\]\s*$/;

/** The answer with a line that states the score. @param answer `null`: the table has only the score */
export function withRecordedScore(question: string, answer: string | null, { score, passMark }: RecordedScore): string {
  return `${answer ?? NO_ANSWER}\n\n[Recorded score ${score}, pass mark ${passMark}, question ${digestOf(question)}]`;
}

/** The verdict of an answer from a table with scores. `null`: the answer states no score. */
export function isRecordedRight(answer: string): boolean | null {
  const [, score, passMark] = SCORE_LINE.exec(answer) ?? [];
  return score === undefined ? null : Number(score) >= Number(passMark);
}

/**
 * Creates a grader that reads the verdict from the line with the score. Its `grade` rejects with a `FaultError`
 * (`nothing-to-grade`) if the answer has no such line for this question.
 */
export function createRecordedGrader(): Grader {
  return {
    async grade({ question }, answer, signal) {
      if (signal.aborted) throw abortError();
      const [, score = '', passMark = '', digest] = SCORE_LINE.exec(answer) ?? [];
      if (digest !== digestOf(question)) throw new FaultError(NOT_REPLAYED);
      const correct = Number(score) >= Number(passMark);
      const verdict = correct ? `at least the pass mark of ${passMark}` : `below the pass mark of ${passMark}`;
      return {
        correct,
        detail: `The verdict is from the imported table, not from the answer: the recorded score is ${score}, ${verdict}.`,
      };
    },
  };
}

const NOT_REPLAYED = fault(
  'nothing-to-grade',
  'This task is graded by the scores of an imported table, and the answer is not from that table. Use the recorded workers of the table.',
);

function digestOf(question: string): string {
  return sha256Hex(question).slice(0, 12);
}
