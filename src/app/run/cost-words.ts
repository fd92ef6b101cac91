/** @file Formats the cells of the cost table of a run. */
import type { CostRow, Costs } from '../../core/analysis/run-costs';
import type { Run } from '../../core/contract';
import { count, duration, money } from '../ui/figures';
import { isCostUnknown } from '../shared/run-cost-word';
import { stepNumber } from '../score/parts';
import { roleLabel } from '../score/score-words';

const UNKNOWN = '–';

export interface CostCells {
  readonly key: string;
  /** Number of the step, or `null` for a plan. */
  readonly number: number | null;
  readonly colour: number;
  readonly worker: string;
  readonly role: string;
  readonly attempts: string;
  readonly input: string;
  readonly output: string;
  readonly time: string;
  readonly cost: string;
  /** The row's share of the run's cost, 0 to 1. `null` if the row has no calls, or if `totalUsd` is 0. */
  readonly share: number | null;
}

/**
 * Formats the cells of a row.
 * @param totalUsd cost of the whole run in US dollars
 * @param index the row's position in the table
 */
export function costCells(run: Run, row: CostRow, totalUsd: number, index: number): CostCells {
  const { kind, round, step, stepRun, worker, by, attempts } = row;
  const called = attempts > 0;
  const plan = run.rounds.length > 1 ? `Plan of round ${round + 1}` : 'Plan';
  return {
    key: `${index}`,
    number: step === null ? null : stepNumber(run, { round, step }),
    colour: worker?.colour ?? 0,
    worker:
      kind === 'plan'
        ? (run.rounds[round]?.plan?.conductor.label ?? run.conductor.label)
        : (by ?? worker?.name ?? 'No worker'),
    role:
      kind === 'comparison'
        ? 'Comparison of answers'
        : kind === 'alone'
          ? 'Answer alone'
          : kind === 'plan' || !stepRun
            ? plan
            : `${roleLabel(stepRun.step)}${kind === 'discarded' ? ', discarded' : ''}`,
    attempts: called
      ? count(attempts)
      : stepRun?.status === 'reused' || stepRun?.status === 'settled'
        ? stepRun.status
        : UNKNOWN,
    input: called ? tokens(row, 'input') : UNKNOWN,
    output: called ? tokens(row, 'output') : UNKNOWN,
    time: row.time === null ? UNKNOWN : duration(row.time),
    cost: called ? costWords(row) : UNKNOWN,
    share: called && totalUsd > 0 ? row.usd / totalUsd : null,
  };
}

/** Formats the number of input or output tokens: "2,731" or "about 300". */
export function tokens(costs: Costs, side: 'input' | 'output'): string {
  return `${costs.estimated ? 'about ' : ''}${count(costs[side])}`;
}

/** Formats a cost: "$0.0021", "$0.0021 + 1 unpriced" or "unknown". */
export function costWords({ usd, unpriced }: Pick<Costs, 'usd' | 'unpriced'>): string {
  if (unpriced === 0) return money(usd);
  return isCostUnknown({ usd, unpriced }) ? 'unknown' : `${money(usd)} + ${count(unpriced)} unpriced`;
}
