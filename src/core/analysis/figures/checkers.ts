/** @file Figure: for each worker that checked answers, how often its verdicts were true. */
import type { CheckCounts } from '../../contract';
import { addChecks, type RunColumns, type Selection } from '../columns/layout';
import { checkerFigures, NO_CHECKS, type CheckerCounts } from '../statistics/check-trust';
import { FEW, tooFew, type Figure } from './figure';

export interface Checkers {
  /** The verdicts of each worker, by its name, on answers whose truth is known. */
  readonly checkers: readonly CheckerCounts[];
  /** Number of checked answers whose truth is known. */
  readonly answers: number;
}

/** Needs 10 checked answers whose truth is known. */
export function checkersFigure({ steps, names }: RunColumns, selection: Selection): Figure<Checkers> {
  const { run, worker, checks } = steps.codes;
  const sums = new Map<number, CheckCounts>();
  for (let step = 0; step < steps.length; step++) {
    const packed = checks[step] ?? 0;
    if (packed === 0 || selection[run[step] ?? 0] !== 1) continue;
    const code = worker[step] ?? 0;
    sums.set(code, addChecks(sums.get(code) ?? NO_CHECKS, packed));
  }
  const checkers = [...sums].map(([code, counts]) => ({ checker: names.worker[code] ?? '', ...counts }));
  const answers = checkers.reduce((sum, counts) => sum + checkerFigures(counts).answers, 0);
  return answers < FEW ? tooFew(answers, FEW) : { isEnough: true, data: { checkers, answers } };
}
