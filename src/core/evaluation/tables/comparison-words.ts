/** @file States in words whether a Conductor pays. */
import { money } from '../../contract';
import type { Comparison, Pair } from '../statistics/comparisons';
import type { Estimate, PairedScores } from '../statistics/paired';

/** The result of a comparison: its differences, a verdict if the interval allows one, and what was spent. */
export function comparisonSentences(comparison: Comparison): readonly string[] {
  const { label, workers, alone, equalCost, matched, thinking, isMix, isCheaper } = comparison;
  const [first = '', ...others] = workers;
  const worker = others.length === 0 ? `${first} alone` : `the best single worker (mostly ${first})`;
  const { scores } = alone;
  const difference = pointsWords({ ...scores, value: Math.abs(scores.value) });
  const place = scores.value < 0 ? 'below' : 'above';
  const opening = `On these ${countWords(scores.tasks)} tasks, ${label} is ${difference} points ${place} ${worker}`;
  return [
    `${opening}${ratioWords(alone)}${equalCost ? equalWords(equalCost.scores, scores.tasks) : ''}.`,
    ...(isCheaper ? [`One call to the best worker costs more than ${label}, so there is no equal-cost control.`] : []),
    ...(equalCost ? [verdictWords(equalCost.scores, isMix), spentWords(label, equalCost)] : [tooClose(scores)]),
    ...(thinking
      ? [`With a worker alone that thinks the most, the difference at equal cost is ${pointsWords(thinking.scores)}.`]
      : []),
    ...(matched ? [`With a control that is matched per task, the difference is ${pointsWords(matched.scores)}.`] : []),
  ].filter((sentence) => sentence !== '');
}

function ratioWords({ ratio, isPriced }: Pair): string {
  if (!ratio) return '';
  const times = `${ratio.value.toFixed(1)} times`;
  return isPriced ? `, at ${times} its cost` : `, with ${times} as many calls`;
}

function equalWords(scores: PairedScores, tasks: number): string {
  const fewer = scores.tasks < tasks ? ` (${countWords(scores.tasks)} tasks)` : '';
  return `; at equal cost${fewer} the difference is ${pointsWords(scores)}`;
}

function verdictWords(scores: PairedScores, isMix: boolean): string {
  switch (scores.verdict) {
    case 'better':
      return isMix ? 'So choosing the worker pays on such tasks.' : 'So conducting pays on such tasks.';
    case 'worse':
      return isMix
        ? 'So drawing one of the best two workers is better at the same cost.'
        : 'So one worker alone is better at the same cost.';
    case null:
      return tooClose(scores);
    default:
      return scores.verdict satisfies never;
  }
}

/** How many more tasks a verdict would take. Empty if there is a verdict. */
function tooClose({ verdict, moreTasks }: PairedScores): string {
  if (verdict !== null) return '';
  if (moreTasks === null) return 'So far, there is no difference.';
  return `That is not enough for a verdict: it would take about ${roughly(moreTasks)} more such tasks.`;
}

/** A smaller amount is shown as 0, because sums of costs are not exact. */
const LEAST_USD = 0.000_05;

/** What both have spent on the tasks in all. */
function spentWords(label: string, { isPriced, totals: [own, control] }: Pair): string {
  const total = ({ value, plusMinus }: Estimate) =>
    isPriced
      ? `${money(value)} ± ${money(plusMinus < LEAST_USD ? 0 : plusMinus)}`
      : `${countWords(value)} ± ${countWords(plusMinus)}`;
  const [verb, unit] = isPriced ? ['spent', ''] : ['made', ' calls'];
  return `In all, ${label} ${verb} ${total(own)}${unit}, and its control ${total(control)}.`;
}

/** Percentage points: `0.8 ± 3.1`. */
function pointsWords({ value, plusMinus }: Estimate): string {
  const points = (100 * Math.abs(value)).toFixed(1);
  return `${value < 0 && points !== '0.0' ? '−' : ''}${points} ± ${(100 * plusMinus).toFixed(1)}`;
}

function countWords(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Rounded to two significant digits. */
function roughly(value: number): string {
  return countWords(Number(value.toPrecision(2)));
}
