/** @file Grades answers to puzzles exactly, from the question's own text; no reference is needed. */
import { abortError, fault, FaultError, type Grader } from '../contract';
import { readPuzzle } from '../tasks';

const NO_PUZZLE =
  'This question is not a puzzle that Podium can check by itself. Grade the run by hand, or choose another grader.';

/** Throws a `FaultError` (`question-unreadable`) for a question that is no puzzle. */
export function createPuzzleGrader(): Grader {
  return {
    async grade(task, answer, signal) {
      if (signal.aborted) throw abortError();
      const puzzle = readPuzzle(task.question);
      if (!puzzle) throw new FaultError(fault('question-unreadable', NO_PUZZLE));
      const { correct, detail } = puzzle.check(answer);
      return { correct, detail };
    },
  };
}
