/** @file Plots of workers: their share of right runs by kind of question and by role, and their latency. */
import type { Domain, Role, RunFilter, StepFilter } from '../../core/contract';
import type { FigureData } from '../../core/analysis/figures';
import { FEW } from '../../core/analysis/figures/figure';
import type { Times } from '../../core/analysis/figures/latency';
import type { WorkerTable } from '../../core/analysis/figures/workers';
import { finePercent, listed, plural, shortDuration } from '../ui/figures';
import type { HeatRow, TableCell, WhiskerRow } from '../ui/plots/plot';
import { gradedBehind, runsBehind, withStep } from './links';
import type { PlotSpec } from './plot-spec';
import {
  countCell,
  estimateCells,
  estimateColumns,
  numberColumn,
  ROLE_ACTS,
  shareWords,
  textColumn,
  UNKNOWN_WORKER,
  type PlotContext,
} from './words';

/** Maximum number of leaders in a title. */
const MOST_LEADERS = 3;

export function workerDomainPlot(data: FigureData['worker-domain'], context: PlotContext): PlotSpec {
  return heatPlot(data, context, {
    heading: 'Kind of question',
    nameOf: (domain: Domain) => domain,
    findingOf: (domain) => domain,
    title: 'Share of right runs by worker and kind of question',
    conditionOf: (domain) => ({ domains: [domain] }),
    stepOf: () => ({}),
  });
}

export function workerRolePlot(data: FigureData['worker-role'], context: PlotContext): PlotSpec {
  return heatPlot(data, context, {
    heading: 'Role',
    nameOf: (role: Role) => role,
    findingOf: (role) => ROLE_ACTS[role],
    title: 'Share of right runs by worker and role',
    conditionOf: () => ({}),
    stepOf: (role) => ({ role }),
  });
}

interface HeatWords<Column> {
  /** Header of the second column of the plot's data table. */
  readonly heading: string;
  readonly nameOf: (column: Column) => string;
  /** Completes the title "Alder leads in …". */
  readonly findingOf: (column: Column) => string;
  /** Title of the plot if no worker leads. */
  readonly title: string;
  readonly conditionOf: (column: Column) => Partial<RunFilter>;
  readonly stepOf: (column: Column) => Partial<StepFilter>;
}

function heatPlot<Column>(
  { columns, rows, leaders, graded }: WorkerTable<Column>,
  context: PlotContext,
  { heading, nameOf, findingOf, title, conditionOf, stepOf }: HeatWords<Column>,
): PlotSpec {
  const drawn = rows.map(({ worker, cells }): HeatRow => ({
    key: worker,
    label: worker,
    mark: context.markOf(worker),
    cells: columns.map((column, index) => {
      const cell = cells[index];
      if (!cell) return null;
      return {
        value: cell.mean,
        n: cell.n,
        isFew: cell.n < FEW,
        title: `${worker}, ${nameOf(column)}`,
        lines: [`Right ${shareWords(cell)}`],
        href: gradedBehind(context, { ...conditionOf(column), ...withStep(context, { worker, ...stepOf(column) }) }),
      };
    }),
  }));
  const found = leaders
    .slice(0, MOST_LEADERS)
    .map(({ worker, column }, index) => `${worker}${index === 0 ? ' leads' : ''} in ${findingOf(column)}`);
  return {
    title: found.length > 0 ? listed(found) : title,
    caption: `Share of right runs among the runs that a worker took part in. Each cell has its share and its number of runs. Cells with fewer than ${FEW} runs are hatched. ${plural(graded, 'graded run')}.`,
    drawing: { kind: 'heat', columns: columns.map(nameOf), rows: drawn },
    table: {
      header: [textColumn('Worker'), textColumn(heading), ...estimateColumns('Share of right runs')],
      rows: rows.flatMap(({ worker, cells }) =>
        columns.map((column, index): TableCell[] => [
          worker,
          nameOf(column),
          ...estimateCells(cells[index] ?? null, finePercent),
        ]),
      ),
    },
  };
}

export function latencyPlot({ rows, calls }: FigureData['latency'], context: PlotContext): PlotSpec {
  const nameOf = (worker: string) => (worker === '' ? UNKNOWN_WORKER : worker);
  const withTimes = rows.filter(({ first, whole }) => first ?? whole);
  const drawn = withTimes.map(({ worker, provider, first, whole }): WhiskerRow => {
    const title = `${nameOf(worker)}, ${provider}`;
    const cell = (times: Times | null, name: string, condition: Partial<StepFilter>) =>
      times && {
        value: times.median,
        low: times.median,
        high: times.slow,
        title,
        lines: [
          `${name}: median ${shortDuration(times.median)}`,
          `90 % within ${shortDuration(times.slow)}`,
          `n = ${times.n}`,
        ],
        href: runsBehind(context, withStep(context, { worker, provider, isFinished: true, ...condition })),
      };
    return {
      key: title,
      label: hasOneProvider(rows, worker) ? nameOf(worker) : title,
      mark: context.markOf(worker),
      cells: [cell(first, 'First content', { hasContent: true }), cell(whole, 'Whole output', {})],
    };
  });
  const timeCells = (times: Times | null): TableCell[] =>
    times
      ? [
          { value: times.median, text: shortDuration(times.median) },
          { value: times.slow, text: shortDuration(times.slow) },
          countCell(times.n),
        ]
      : [null, null, null];
  return {
    title: 'Latency by worker and provider',
    caption: `Dots are medians. Lines end at the 90th percentile. Workers with fewer than ${FEW} finished steps are in the table only. ${plural(calls, 'finished step')}.`,
    drawing: {
      kind: 'rows',
      rows: drawn,
      panels: [
        { title: 'Until first content', words: shortDuration },
        { title: 'Until complete', words: shortDuration },
      ],
    },
    table: {
      header: [
        ...['Worker', 'Provider'].map(textColumn),
        ...[
          'Finished steps',
          'First content, median (ms)',
          'First content, 90 % (ms)',
          'First content, n',
          'Complete, median (ms)',
          'Complete, 90 % (ms)',
          'Complete, n',
        ].map(numberColumn),
      ],
      rows: rows.map(({ worker, provider, calls: own, first, whole }) => [
        nameOf(worker),
        provider,
        countCell(own),
        ...timeCells(first),
        ...timeCells(whole),
      ]),
    },
  };
}

function hasOneProvider(rows: readonly { readonly worker: string }[], worker: string): boolean {
  return rows.filter((row) => row.worker === worker).length === 1;
}
