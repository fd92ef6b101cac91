/** @file Lists the answers that checks saw in a run, and whether they were right, as far as this is known. */
import { workerOf, type CheckedAnswer, type Run, type StepRun } from '../contract';

/** Compares two answers as the graders do. `null`: they can't be compared. */
export type SameAnswers = (one: string, other: string) => boolean | null;

/** Whether an answer is right. `null`: unknown. */
export type Truth = (answer: string) => boolean | null;

/**
 * The answers of a run that its checks saw, and whose truth is known. Leaves out checks that are reused from another run, and
 * checks of a worker's own answers, because neither can settle anything new.
 */
export function checkedAnswers(run: Run, truth: Truth): CheckedAnswer[] {
  return run.rounds.flatMap(({ steps }) => steps.flatMap((check) => checkedBy(run, steps, check, truth)));
}

/** The answers that one step checked. @param steps the steps of its round */
export function checkedBy(
  run: Pick<Run, 'pool'>,
  steps: readonly StepRun[],
  check: StepRun,
  truth: Truth,
): CheckedAnswer[] {
  if (check.status !== 'finished') return [];
  return (check.verdicts ?? []).flatMap(({ step, verdict }) => {
    const seen = steps[step];
    const [checker, solver] = [workerOf(run, check)?.id, seen && workerOf(run, seen)?.id];
    if (!seen || seen.output === null || !checker || !solver || checker === solver) return [];
    const isRight = truth(seen.output);
    return isRight === null ? [] : [{ checker, solver, verdict, isRight }];
  });
}

/** Whether any check of a run gave verdicts. */
export function hasVerdicts({ rounds }: Pick<Run, 'rounds'>): boolean {
  return rounds.some(({ steps }) => steps.some(({ verdicts }) => verdicts !== undefined));
}

/**
 * Whether earlier answers of a run are right, by the grade of its final answer. The same answer has the same grade. Another answer
 * is wrong if the final answer is right. Of answers other than a wrong final answer, nothing is known.
 */
export function truthByGrade(final: string | null, isCorrect: boolean | null, sameAnswers: SameAnswers): Truth {
  return (answer) => {
    if (final === null || isCorrect === null) return null;
    const isSame = sameAnswers(answer, final);
    if (isSame === true) return isCorrect;
    return isSame === false && isCorrect ? false : null;
  };
}
