/** @file Grades by what a person has said of the run: the thumb on its answer. It knows that one answer alone. */
import { abortError, fault, FaultError, type Grade, type Grader } from '../contract';

const NO_THUMB = 'Nobody has graded this run yet. Say on the run whether its answer is right.';

/** Throws a `FaultError` (`question-unreadable`) where no person has graded. */
export function createThumbGrader(grade: Grade | null): Grader {
  return {
    async grade(_task, _answer, signal) {
      if (signal.aborted) throw abortError();
      if (grade?.by !== 'person' || grade.correct === null)
        throw new FaultError(fault('question-unreadable', NO_THUMB));
      return {
        correct: grade.correct,
        detail: grade.detail || `A person said that it is ${grade.correct ? 'right' : 'wrong'}.`,
      };
    },
  };
}
