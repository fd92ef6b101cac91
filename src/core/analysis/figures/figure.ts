/** @file Helpers that the figures of the page *Analyze* share. */
import { GRADES, isMoment } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { isDecided } from '../columns/run-facts';

/** A group needs this many runs or calls for a finding. Smaller groups are shown, but without a finding. */
export const FEW = 10;

/**
 * The data of a figure. If there are too few runs, plans or steps: how many there are, and how many the figure
 * needs.
 */
export type Figure<Data> =
  | { readonly isEnough: true; readonly data: Data }
  | { readonly isEnough: false; readonly have: number; readonly needed: number };

export function tooFew(have: number, needed: number): { isEnough: false; have: number; needed: number } {
  return { isEnough: false, have, needed };
}

export const RIGHT = GRADES.indexOf('right');
export const UNGRADED = GRADES.indexOf('none');

/**
 * Rows of the selected runs whose plan the Conductor decided (see `isDecided`), oldest first. Leaves out damaged runs without a
 * valid start time.
 */
export function decidedRuns(columns: RunColumns, selection: Selection): Uint32Array {
  const { runs } = columns;
  const { startedAt } = runs.numbers;
  const rows = new Uint32Array(runs.length);
  let count = 0;
  for (let run = 0; run < runs.length; run++) {
    if (selection[run] !== 1 || !isMoment(startedAt[run] ?? NaN)) continue;
    if (isDecided(columns, run)) rows[count++] = run;
  }
  return sortByTime(columns, rows.subarray(0, count));
}

/**
 * Returns the rows in order of start time. First checks whether they are already in order, because sorting would
 * be the slowest part of computing a figure.
 */
function sortByTime({ runs }: RunColumns, rows: Uint32Array): Uint32Array {
  const { startedAt } = runs.numbers;
  const time = (row: number) => startedAt[row] ?? 0;
  for (let index = 1; index < rows.length; index++) {
    if (time(rows[index] ?? 0) < time(rows[index - 1] ?? 0)) {
      return rows.sort((one, other) => time(one) - time(other) || one - other);
    }
  }
  return rows;
}

/** At most `most` indexes from `first` to `last`, evenly spread, including both ends. */
export function spread(first: number, last: number, most: number): number[] {
  const count = Math.min(most, last - first + 1);
  if (count <= 1) return last < first ? [] : [last];
  return Array.from({ length: count }, (_, index) => Math.round(first + (index * (last - first)) / (count - 1)));
}

/**
 * Ranks the codes of a column, such as the codes of workers. `codes`: the codes whose count is above 0, highest count first.
 * `places`: for each code, its index in `codes`, or -1 if its count is 0.
 */
export function ranked(counts: Uint32Array): { readonly codes: readonly number[]; readonly places: Int32Array } {
  const codes = [...counts.keys()]
    .filter((code) => (counts[code] ?? 0) > 0)
    .toSorted((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other);
  const places = new Int32Array(counts.length).fill(-1);
  for (const [place, code] of codes.entries()) places[code] = place;
  return { codes, places };
}
