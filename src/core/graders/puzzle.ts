/** @file Grades answers to puzzles. The question's text is enough, so no reference answer is needed. */
import { abortError, fault, FaultError, type Fault, type Grader } from '../contract';
import { readPuzzle } from '../tasks';

const NO_PUZZLE = fault(
  'question-unreadable',
  'This question is not a puzzle that Podium can check. Grade the run yourself or choose another grader.',
);

/** The reason why answers to a question can't be graded. `null`: the question is a puzzle. */
export function puzzleFault(question: string): Fault | null {
  return readPuzzle(question) ? null : NO_PUZZLE;
}

/** Creates a grader whose `grade` rejects with a `FaultError` (`question-unreadable`) if the question is not a puzzle. */
export function createPuzzleGrader(): Grader {
  return {
    async grade(task, answer, signal) {
      if (signal.aborted) throw abortError();
      const puzzle = readPuzzle(task.question);
      if (!puzzle) throw new FaultError(NO_PUZZLE);
      const { correct, detail } = puzzle.check(answer);
      return { correct, detail };
    },
  };
}
