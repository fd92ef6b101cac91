/** @file Asks graders in turn: the first that can judge a question has the word. */
import { FaultError, type Grader } from '../contract';

/** Throws the last grader's `FaultError` where none of them can judge. Give at least one. */
export function firstVerdict(graders: readonly [Grader, ...Grader[]]): Grader {
  return {
    async grade(task, answer, signal) {
      let refusal: unknown;
      for (const grader of graders) {
        try {
          return await grader.grade(task, answer, signal);
        } catch (thrown) {
          if (!(thrown instanceof FaultError) || thrown.fault.code !== 'question-unreadable') throw thrown;
          refusal = thrown;
        }
      }
      throw refusal;
    },
  };
}
