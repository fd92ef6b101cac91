/** @file Counts what a worker said of planted answers. */
import { checkerCounts } from '../../analysis';
import { ENOUGH_CHECKED, NO_CHECKS } from '../../analysis/statistics/check-trust';
import type { CheckCounts } from '../../contract';
import type { AskedItem } from '../../contract/measurement/measurement-state';

/** Calls without a readable verdict count as unsure. @param items of one worker */
export function checksIn(items: readonly AskedItem[]): CheckCounts {
  const observations = items.flatMap(({ item: { planted }, answer }) => {
    if (planted === undefined || !answer || answer.end === 'lost') return [];
    return [{ checker: '', verdict: answer.verdict ?? ('unsure' as const), isRight: planted }];
  });
  return checkerCounts(observations)[0] ?? NO_CHECKS;
}

export function sumOfVerdicts({ right, wrong, unsure }: CheckCounts['right']): number {
  return right + wrong + unsure;
}

/**
 * How well a worker's “right” tells right from wrong answers: the mean of its shares of correct verdicts on both. `null`: too few
 * planted answers.
 */
export function trustIn({ right, wrong }: CheckCounts): number | null {
  const [ofRight, ofWrong] = [sumOfVerdicts(right), sumOfVerdicts(wrong)];
  if (ofRight < ENOUGH_CHECKED || ofWrong < ENOUGH_CHECKED) return null;
  return (right.right / ofRight + 1 - wrong.right / ofWrong) / 2;
}
