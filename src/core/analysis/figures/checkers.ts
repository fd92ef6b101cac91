/** @file Figure: for each worker that checked answers, how often its verdicts were true. */
import type { CheckCounts } from '../../contract';
import { addChecks, type RunColumns, type Selection } from '../columns/layout';
import { checkerFigures, NO_CHECKS, type CheckerFigures } from '../statistics/check-trust';
import { FEW, tooFew, type Figure } from './figure';

export interface Checkers {
  /** Sorted by the number of checked answers whose truth is known, highest first. */
  readonly rows: readonly ({ readonly worker: string } & CheckerFigures)[];
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
  const rows = [...sums]
    .map(([code, counts]) => ({ worker: names.worker[code] ?? '', ...checkerFigures(counts) }))
    .toSorted((one, other) => other.answers - one.answers);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  return answers < FEW ? tooFew(answers, FEW) : { isEnough: true, data: { rows, answers } };
}
