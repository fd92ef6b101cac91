/** @file Plots of spending: by period, by worker and by purpose. */
import type { FigureData } from '../../core/analysis/figures';
import type { Purpose } from '../../core/contract';
import type { PeriodUnit } from '../../core/analysis/figures/periods';
import type { SpendTotal } from '../../core/analysis/figures/spend';
import { dateAndTime } from '../ui/dates';
import { money, percent, plural } from '../ui/figures';
import type { BarRow, Column } from '../ui/plots/plot';
import { runsBehind, withStep } from './links';
import type { PlotSpec } from './plot-spec';
import { countCell, moneyCell, numberColumn, textColumn, tickMoney, UNKNOWN_WORKER, type PlotContext } from './words';
import { shortDate } from './sequence-dates';

const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });

/** `$1.20 in 40 runs. 3 calls have no known cost.` */
function totalWords({ usd, runs, unpriced }: SpendTotal): string {
  const missing = unpriced === 0 ? '' : ` ${plural(unpriced, 'call has', 'calls have')} no known cost.`;
  return `${money(usd)} in ${plural(runs, 'run')}.${missing}`;
}

function periodName(unit: PeriodUnit, from: number): string {
  switch (unit) {
    case 'day':
      return shortDate(from);
    case 'week':
      return `Week of ${shortDate(from)}`;
    case 'month':
      return month.format(from);
    case 'year':
      return String(new Date(from).getFullYear());
    default:
      return unit satisfies never;
  }
}

export function spendDayPlot(data: FigureData['spend-day'], context: PlotContext): PlotSpec {
  const { unit, periods, total } = data;
  const columns = periods.map(({ from, to, usd, runs }): Column => ({
    key: String(from),
    value: usd,
    label: unit === 'week' ? shortDate(from) : periodName(unit, from),
    title: periodName(unit, from),
    lines: [money(usd), plural(runs, 'run')],
    href: runsBehind(context, { startedAt: { least: from, most: to } }),
  }));
  return {
    title: `Spending by ${unit}`,
    caption: `US dollars, by the start date of the runs. ${totalWords(total)}`,
    drawing: { kind: 'columns', columns, words: tickMoney },
    table: {
      header: [textColumn('From'), textColumn('Until'), numberColumn('Cost (USD)'), numberColumn('Runs')],
      rows: periods.map(({ from, to, usd, runs }) => [
        dateAndTime(from),
        dateAndTime(to),
        moneyCell(usd),
        countCell(runs),
      ]),
    },
  };
}

export function spendWorkerPlot(data: FigureData['spend-worker'], context: PlotContext): PlotSpec {
  const { rows, total } = data;
  const all = rows.reduce((sum, { usd }) => sum + usd, 0);
  const share = (usd: number) => (all === 0 ? 0 : usd / all);
  const nameOf = (worker: string | null) =>
    worker === null ? 'Other workers' : worker === '' ? UNKNOWN_WORKER : worker;
  const shown = rows.flatMap(({ worker }) => worker ?? []);
  const drawn = rows.map(({ worker, usd, calls }): BarRow => ({
    key: nameOf(worker),
    label: nameOf(worker),
    mark: worker === null ? undefined : context.markOf(worker),
    value: usd,
    interval: null,
    words: money(usd),
    note: percent(share(usd)),
    title: nameOf(worker),
    lines: [`${money(usd)}, ${percent(share(usd))} of the cost of steps`, plural(calls, 'step')],
    href: runsBehind(context, withStep(context, worker === null ? { otherThan: shown } : { worker })),
  }));
  const [first] = rows;
  return {
    title:
      first?.worker && rows.length > 1 && share(first.usd) > 0.5
        ? `${first.worker} takes ${percent(share(first.usd))} of the cost of steps`
        : 'Spending by worker',
    caption: `US dollars for steps, without plans and judges. All costs: ${totalWords(total)}`,
    drawing: { kind: 'bars', rows: drawn, headings: ['Worker', 'Cost of its steps', 'Share'] },
    table: {
      header: [textColumn('Worker'), numberColumn('Cost (USD)'), numberColumn('Share'), numberColumn('Steps')],
      rows: rows.map(({ worker, usd, calls }) => [
        nameOf(worker),
        moneyCell(usd),
        { value: share(usd), text: percent(share(usd)) },
        countCell(calls),
      ]),
    },
  };
}

const PURPOSES: Readonly<Record<Purpose, string>> = {
  steps: 'Steps',
  plans: 'Plans',
  judges: 'Judges',
  discarded: 'Discarded steps',
  later: 'Calls after the run',
};

export function spendPurposePlot(data: FigureData['spend-purpose'], context: PlotContext): PlotSpec {
  const { rows, total } = data;
  const share = (usd: number) => usd / total.usd;
  const drawn = rows.map(({ purpose, usd, runs }): BarRow => ({
    key: purpose,
    label: PURPOSES[purpose],
    value: usd,
    interval: null,
    words: money(usd),
    note: percent(share(usd)),
    title: PURPOSES[purpose],
    lines: [`${money(usd)}, ${percent(share(usd))} of all costs`, plural(runs, 'run')],
    href: runsBehind(context, { spentOn: [purpose] }),
  }));
  const plans = rows.find(({ purpose }) => purpose === 'plans')?.usd ?? 0;
  return {
    title: share(plans) >= 0.01 ? `Plans take ${percent(share(plans))} of the cost` : 'Spending by purpose',
    caption: `US dollars. ${totalWords(total)}`,
    drawing: { kind: 'bars', rows: drawn, headings: ['Purpose', 'Cost', 'Share'] },
    table: {
      header: [textColumn('Purpose'), numberColumn('Cost (USD)'), numberColumn('Share'), numberColumn('Runs')],
      rows: rows.map(({ purpose, usd, runs }) => [
        PURPOSES[purpose],
        moneyCell(usd),
        { value: share(usd), text: percent(share(usd)) },
        countCell(runs),
      ]),
    },
  };
}
