/** @file Short texts for a run in the list of runs. */
import { isSampleRun, type RunSummary, type RunTotals } from '../../core/contract';
import { duration, money, plural, count, listed } from '../ui/figures';
import { AT_MADE_UP_PRICES, madeUpWords } from '../shared/made-up-words';
import type { Checked } from './run-actions.svelte';

/** The duration of a finished run, or the status of any other run. */
export function timeWord(summary: RunSummary): string {
  switch (summary.status) {
    case 'finished':
      return duration(summary.time);
    case 'running':
      return 'running';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'stopped';
    case 'interrupted':
      return 'interrupted';
    default:
      return summary.status satisfies never;
  }
}

/** `$0.0014`, or `$0.0014 + ?` if the cost of some calls is unknown. */
export function costWord({ usd, unpriced }: Pick<RunSummary, 'usd' | 'unpriced'>): string {
  return unpriced > 0 ? `${money(usd)} + ?` : money(usd);
}

/** Explains made-up prices and the `+ ?` of `costWord`. `''` if the cost has neither. */
export function costNote({ id, usd, unpriced }: Pick<RunSummary, 'id' | 'usd' | 'unpriced'>): string {
  const notes = [
    ...(usd > 0 && isSampleRun(id) ? [AT_MADE_UP_PRICES] : []),
    ...(unpriced > 0 ? [`${usd > 0 ? 'and ' : ''}${plural(unpriced, 'call')} of unknown cost`] : []),
  ];
  return notes.join(', ');
}

/** Accessible name of a run's `MiniScore`: "4 steps, 15.0 s". */
export function shapeLabel(summary: RunSummary): string {
  return `${plural(summary.steps, 'step')}, ${timeWord(summary)}`;
}

/** Whether the run can be resumed, because it ended without an answer. */
export function canResume({ status }: RunSummary): boolean {
  return status === 'interrupted' || status === 'cancelled' || status === 'failed';
}

/** "Checked: 12 right, 3 wrong and 5 can’t be checked." */
export function checkedWords({ right, wrong, unchecked, own }: Checked): string {
  const parts = [
    `${count(right)} right`,
    `${count(wrong)} wrong`,
    ...(unchecked > 0 ? [`${count(unchecked)} can’t be checked`] : []),
    ...(own > 0 ? [`${plural(own, 'run keeps', 'runs keep')} your own grade`] : []),
  ];
  return `Checked: ${listed(parts)}.`;
}

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
