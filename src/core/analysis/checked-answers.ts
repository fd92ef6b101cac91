/** @file Lists the answers that checks saw in a run, and whether they were right, as far as this is known. */
import { workerOf, type CheckedAnswer, type Run } from '../contract';

/** Compares two answers as the graders do. `null`: they can't be compared. */
export type SameAnswers = (one: string, other: string) => boolean | null;

/**
 * The answers of a run that its checks saw, and whose truth is known. Leaves out checks that are reused from another run, and
 * checks of a worker's own answers, because neither can settle anything new.
 * @param truth whether an answer is right. `null`: unknown
 */
export function checkedAnswers(run: Run, truth: (answer: string) => boolean | null): CheckedAnswer[] {
  return run.rounds.flatMap(({ steps }) =>
    steps.flatMap((check) => {
      if (check.status !== 'finished') return [];
      return (check.verdicts ?? []).flatMap(({ step, verdict }) => {
        const seen = steps[step];
        const [checker, solver] = [workerOf(run, check)?.id, seen && workerOf(run, seen)?.id];
        if (!seen || seen.output === null || !checker || !solver || checker === solver) return [];
        const isRight = truth(seen.output);
        return isRight === null ? [] : [{ checker, solver, verdict, isRight }];
      });
    }),
  );
}

/**
 * Whether earlier answers of a run are right, by the grade of its final answer. The same answer has the same grade. Another answer
 * is wrong if the final answer is right. Of answers other than a wrong final answer, nothing is known.
 */
export function truthByGrade(
  final: string | null,
  isCorrect: boolean | null,
  sameAnswers: SameAnswers,
): (answer: string) => boolean | null {
  return (answer) => {
    if (final === null || isCorrect === null) return null;
    const isSame = sameAnswers(answer, final);
    if (isSame === true) return isCorrect;
    return isSame === false && isCorrect ? false : null;
  };
}
