/** @file Texts, intervals and table cells that several plots of the *Analyze* page share. */
import type { CheckCounts, Role, RunFilter, Shape } from '../../core/contract';
import type { Estimate } from '../../core/analysis/statistics/estimate';
import { count, money, percent } from '../ui/figures';
import type { PlotTable, RowMark, TableCell, Whisker } from '../ui/plots/plot';

/** What a plot depends on besides its data. */
export interface PlotContext {
  /** The page's filter, prepared by `narrowable` for links to runs. */
  readonly filter: RunFilter;
  /** Returns the two letters and the color of the worker with this name. `undefined`: the user no longer has this worker. */
  readonly markOf: (worker: string) => RowMark | undefined;
  /** The verdicts of workers on planted answers, by their names. */
  readonly planted: ReadonlyMap<string, CheckCounts>;
}

/** `62 % (55 to 69 %), n = 210` */
export function shareWords({ mean, interval, n }: Estimate): string {
  const range = interval ? ` (${Math.round(100 * interval.low)} to ${percent(interval.high)})` : '';
  return `${percent(mean)}${range}, n = ${count(n)}`;
}

/** `$0.0021 ($0.0018 to $0.0024), n = 210` */
export function costWords({ mean, interval, n }: Estimate): string {
  const range = interval ? ` (${money(Math.max(0, interval.low))} to ${money(interval.high)})` : '';
  return `${money(mean)}${range}, n = ${count(n)}`;
}

export function whiskerOf({ mean, interval }: Estimate): Whisker {
  return { value: mean, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Like `whiskerOf`, for a quantity that is never negative: the lower end is at least 0. */
export function positiveWhiskerOf(estimate: Estimate): Whisker {
  const whisker = whiskerOf(estimate);
  return { ...whisker, low: whisker.low === null ? null : Math.max(0, whisker.low) };
}

type Header = PlotTable['header'][number];
export const textColumn = (name: string): Header => ({ name, isNumber: false });
export const numberColumn = (name: string): Header => ({ name, isNumber: true });

/** Headers for an estimate: its mean, both ends of its interval, and its sample size. */
export function estimateColumns(name: string): readonly Header[] {
  return [name, `${name}, low`, `${name}, high`, `${name}, n`].map(numberColumn);
}

/** The cells for `estimateColumns`. */
export function estimateCells(estimate: Estimate | null, words: (value: number) => string): readonly TableCell[] {
  if (!estimate) return [null, null, null, { value: 0, text: '0' }];
  const { mean, interval, n } = estimate;
  const cell = (value: number) => ({ value, text: words(value) });
  return [cell(mean), interval ? cell(interval.low) : null, interval ? cell(interval.high) : null, countCell(n)];
}

const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Formats US dollars for an axis, with two significant digits: `$0.025`. */
export function tickMoney(usd: number): string {
  return `$${short.format(usd)}`;
}

export function countCell(value: number): TableCell {
  return { value, text: count(value) };
}

export function moneyCell(value: number): TableCell {
  return { value, text: money(value) };
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'] as const;

/** A count as the first word of a sentence: `No`, `Three`, `12`. */
export function numberWord(value: number): string {
  return NUMBERS[value] ?? count(value);
}

/** The label for an unknown worker. Only damaged runs have unknown workers. */
export const UNKNOWN_WORKER = 'Unknown worker';

export const SHAPE_NAMES: Readonly<Record<Shape, string>> = {
  'one step': 'One step',
  chain: 'Chain',
  'fan-in': 'Fan-in',
  'plan-execute': 'Plan, execute',
  'verify-refine': 'Verify, refine',
  debate: 'Debate',
  tree: 'Tree',
  other: 'Other',
};

export const ROLE_ACTS: Readonly<Record<Role, string>> = {
  plan: 'planning',
  solve: 'solving',
  verify: 'verifying',
  refine: 'refining',
  aggregate: 'aggregating',
  decide: 'deciding',
};
