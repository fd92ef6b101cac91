/** @file Figures: for each worker, the share of right answers among its runs, by domain of the question and by role. */
import { DOMAINS, ROLES, type Domain, type Role } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { shareOf, type Estimate } from '../statistics/estimate';
import { highestOf } from '../statistics/interval';
import { FEW, ranked, RIGHT, tooFew, UNGRADED, type Figure } from './figure';

export interface WorkerTable<Column> {
  readonly columns: readonly Column[];
  /** Sorted by the sum of `n` in all cells, highest first. */
  readonly rows: readonly {
    readonly worker: string;
    /** One cell for each column. `n`: the worker's graded runs in the column. `null`: there are no such runs. */
    readonly cells: readonly (Estimate | null)[];
  }[];
  /**
   * Columns in which one worker is right more often than every other worker, at 95 % confidence. Ignores workers that have fewer
   * than 10 graded runs in the column.
   */
  readonly leaders: readonly { readonly column: Column; readonly worker: string }[];
  /** Number of graded runs with steps. */
  readonly graded: number;
}

/** By the domain of the question. Needs 10 graded runs with steps. */
export function workerDomainFigure(columns: RunColumns, selection: Selection): Figure<WorkerTable<Domain>> {
  return workerTable(columns, selection, DOMAINS, (run) => columns.runs.kinds.domain[run] ?? 0);
}

/** By the role of the step. Needs 10 graded runs with steps. */
export function workerRoleFigure(columns: RunColumns, selection: Selection): Figure<WorkerTable<Role>> {
  return workerTable(columns, selection, ROLES, (_, step) => columns.steps.kinds.role[step] ?? 0);
}

/** @param columnOf returns the index of the column in which a step counts */
function workerTable<Column>(
  { runs, steps, stepsOf, names }: RunColumns,
  selection: Selection,
  columns: readonly Column[],
  columnOf: (run: number, step: number) => number,
): Figure<WorkerTable<Column>> {
  const width = columns.length;
  const size = names.worker.length * width;
  const [counts, right, lastRun] = [new Uint32Array(size), new Uint32Array(size), new Int32Array(size).fill(-1)];
  const totals = new Uint32Array(names.worker.length);
  const { worker } = steps.codes;
  const { grade } = runs.kinds;
  let graded = 0;
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1 || grade[run] === UNGRADED) continue;
    const end = stepsOf.end(run);
    const start = stepsOf.start(run);
    if (end > start) graded += 1;
    for (let step = start; step < end; step++) {
      const code = worker[step] ?? 0;
      const cell = code * width + columnOf(run, step);
      // A worker with several steps in a run counts once per column.
      if (lastRun[cell] === run) continue;
      lastRun[cell] = run;
      counts[cell] = (counts[cell] ?? 0) + 1;
      totals[code] = (totals[code] ?? 0) + 1;
      if (grade[run] === RIGHT) right[cell] = (right[cell] ?? 0) + 1;
    }
  }
  if (graded < FEW) return tooFew(graded, FEW);
  const { codes } = ranked(totals);
  const named = codes.filter((code) => names.worker[code] !== '');
  const shown = columns.flatMap((column, index) =>
    named.some((code) => (counts[code * width + index] ?? 0) > 0) ? [{ column, index }] : [],
  );
  const leaders = shown.flatMap(({ column, index }) => {
    const shares = named.map((code) => ({
      worker: names.worker[code] ?? '',
      count: right[code * width + index] ?? 0,
      of: counts[code * width + index] ?? 0,
    }));
    const leader = highestOf(shares.filter(({ of }) => of >= FEW));
    return leader ? [{ column, worker: leader.worker }] : [];
  });
  const rows = named.map((code) => ({
    worker: names.worker[code] ?? '',
    cells: shown.map(({ index }) => shareOf(right[code * width + index] ?? 0, counts[code * width + index] ?? 0)),
  }));
  return { isEnough: true, data: { columns: shown.map(({ column }) => column), rows, leaders, graded } };
}
