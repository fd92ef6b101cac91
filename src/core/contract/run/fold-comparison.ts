/** @file Adds paid calls after the end of a run to the run: comparisons of answers, and the answer of one worker alone. */
import type { Account } from '../money/account';
import type { AnswerComparison } from './answer-comparison';
import { append, replaceAt } from './fold-arrays';
import { addSpent } from './fold-updates';
import type { AloneAnswer } from './pair';
import type { Run, Spent } from './state';

/** Adds a comparison to a run and to what the run has spent. The record of an ended call replaces that of the pending call. */
export function addComparison(run: Run, call: AnswerComparison): Run {
  const { compared } = run;
  const index = call.pending ? -1 : compared.findLastIndex(({ pending, sha256 }) => pending && sha256 === call.sha256);
  const before = compared[index];
  if (!before) return { ...addSpent(run, call), compared: append(compared, call) };
  return addSpent({ ...run, spent: without(run.spent, before), compared: replaceAt(compared, index, call) }, call);
}

/** Adds the answer of one worker alone to a run and to what the run has spent. Each record replaces the one before it. */
export function addAloneAnswer(run: Run, { usage, cost, billed, output, calls, fault, pending }: AloneAnswer): Run {
  const before = run.aloneAnswer;
  if (before && before.output !== null) return run;
  const aloneAnswer = { usage, cost, output, ...(billed ? { billed } : {}), calls, fault, pending };
  return addSpent({ ...run, aloneAnswer, spent: before ? without(run.spent, before) : run.spent }, aloneAnswer);
}

/** What a run has spent on its answer, without later comparisons and without the answer of one worker alone. */
export function spentOnAnswer({
  spent,
  compared,
  aloneAnswer,
}: Pick<Run, 'spent' | 'compared' | 'aloneAnswer'>): Spent {
  return [...compared, ...(aloneAnswer ? [aloneAnswer] : [])].reduce(without, spent);
}

function without(spent: Spent, { usage, cost, billed }: Account): Spent {
  return {
    ...spent,
    input: spent.input - (usage?.input ?? 0),
    output: spent.output - (usage?.output ?? 0),
    usd: Math.max(0, spent.usd - (cost ?? 0)),
    billed: spent.billed - (billed ? (cost ?? 0) : 0),
    unpriced: spent.unpriced - (cost === null ? 1 : 0),
  };
}
