/** @file Lists the checks of a graded run whose truth follows from the run's grade. */
import { checkedAnswers, truthByGrade, type Truth } from '../analysis/checked-answers';
import type { CheckedAnswer, Run } from '../contract';
import { sameAnswers, statedAnswer } from '../graders/same-answers';

/** Which earlier answers of a run are right, by its grade. */
export function gradedTruth({ answer }: Pick<Run, 'answer'>, isCorrect: boolean | null): Truth {
  return truthByGrade(answer, isCorrect, comparedAnswers);
}

/** @param isCorrect whether the final answer of the run is correct */
export function gradedChecks(run: Run, isCorrect: boolean): CheckedAnswer[] {
  return checkedAnswers(run, gradedTruth(run, isCorrect));
}

/** As `sameAnswers`, but two different wordings may still mean the same. So only numbers, formulas and letters surely differ. */
function comparedAnswers(one: string, other: string): boolean | null {
  const isSame = sameAnswers(one, other);
  return isSame === false && !(isExact(one) && isExact(other)) ? null : isSame;
}

function isExact(text: string): boolean {
  const answer = statedAnswer(text) ?? '';
  return /\d/.test(answer) || /^\W*[a-z]\W*$/i.test(answer);
}
