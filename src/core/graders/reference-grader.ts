/** @file Creates graders that extract an answer from a response and compare it with the task's reference. */
import { abortError, beginningOf, fault, FaultError, type ArtefactRules, type Grader } from '../contract';

interface Rules {
  /** Returns the answer in a response, or `null` if there is none. */
  readonly extract: (response: string) => string | null;
  readonly isSame: (reference: string, answer: string) => boolean;
}

/** Maximum length of an answer or a reference in a verdict's `detail`, in UTF-16 units. */
const SHOWN = 120;

/** Creates a grader. Its `grade` rejects with a `FaultError` (`nothing-to-grade`) if the task has no reference. */
export function referenceGrader({ extract, isSame }: Rules): Grader {
  return {
    async grade({ reference }, response, signal) {
      if (signal.aborted) throw abortError();
      if (!reference?.trim()) {
        throw new FaultError(
          fault('nothing-to-grade', 'This task has no reference answer, so its answer cannot be graded.'),
        );
      }
      const answer = extract(response);
      if (answer === null) return { correct: false, detail: 'No final answer was found in the response.' };
      const shown = beginningOf(answer, SHOWN);
      const expected = beginningOf(reference.trim(), SHOWN);
      return isSame(reference, answer)
        ? { correct: true, detail: `The answer ${shown} matches the reference ${expected}.` }
        : { correct: false, detail: `The answer ${shown} does not match the reference ${expected}.` };
    },
  };
}

/** Creates a grader that selects a grader from `own` by the task's `artefactRules`. `fallback` grades all other tasks. */
export function byArtefactRules(fallback: Grader, own: Partial<Record<ArtefactRules, Grader>>): Grader {
  return {
    grade: (task, answer, signal) =>
      ((task.artefactRules && own[task.artefactRules]) ?? fallback).grade(task, answer, signal),
  };
}
