/** @file Formats the totals of all runs that match the filter as one line. */
import type { RunTotals } from '../../core/contract';
import { count, duration, listed, money, plural } from '../ui/figures';
import { madeUpWords } from '../shared/made-up-words';

/**
 * Returns the parts of the line, such as "58 right, 12 wrong, 30 not graded". Plan validity and rewards are
 * omitted if no run has them. The cost includes judges (models that grade answers), unlike the cost of each
 * run in the list. The line also says how much of the cost is for judges, and how much is at the made-up
 * prices of sample runs.
 */
export function totalsWords(totals: RunTotals): readonly string[] {
  const { runs, right, wrong, ungraded, valid, invalid, rewarded, rewards, unpriced, time } = totals;
  const rest = totals.unsearched === 0 ? [] : [`still searching ${plural(totals.unsearched, 'run')}`];
  if (runs === 0) return rest;
  const unknown = unpriced > 0 ? [`${plural(unpriced, 'call')} of unknown cost`] : [];
  const known = totals.usd + totals.judgeUsd === 0 && unpriced > 0 ? [] : [knownCost(totals)];
  return [
    plural(runs, 'run'),
    right + wrong === 0 ? 'none graded' : `${count(right)} right, ${count(wrong)} wrong, ${count(ungraded)} not graded`,
    ...(valid + invalid === 0 ? [] : [`plans: ${count(valid)} valid, ${count(invalid)} invalid`]),
    ...(rewarded === 0 ? [] : [`mean reward ${(rewards / rewarded).toFixed(2)} (n = ${count(rewarded)})`]),
    [...known, ...unknown].join(known.some((words) => words.includes(',')) ? ', and ' : ' and '),
    duration(time),
    ...rest,
  ];
}

function knownCost({ usd, judgeUsd, madeUpUsd }: RunTotals): string {
  if (judgeUsd === 0 && madeUpUsd > 0 && madeUpUsd === usd) return madeUpWords(usd);
  const parts = [
    ...(judgeUsd > 0 ? [`judges ${money(judgeUsd)}`] : []),
    ...(madeUpUsd > 0 ? [madeUpWords(madeUpUsd)] : []),
  ];
  return money(usd + judgeUsd) + (parts.length > 0 ? `, of which ${listed(parts)}` : '');
}
