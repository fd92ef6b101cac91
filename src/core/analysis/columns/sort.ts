/** @file Sorts selected runs. */
import type { RunSort } from '../../contract';
import { KINDS, NO_KIND, type RunColumns, type Selection } from './layout';

/**
 * The rows of the selected runs in order. Runs with equal keys are sorted newest first, and then by id.
 * @param similarities similarity to the search text, by row. `null`: the search is not by meaning
 */
export function sortRows(
  columns: RunColumns,
  selection: Selection,
  { by, descending }: RunSort,
  similarities: Float32Array | null = null,
): Uint32Array {
  const rows = rowsOf(selection);
  const { startedAt } = columns.runs.numbers;
  const newestFirst = (one: number, other: number) =>
    (startedAt[other] ?? 0) - (startedAt[one] ?? 0) || compareTexts(columns.ids[one] ?? '', columns.ids[other] ?? '');
  const key = by === 'similarity' ? (row: number) => similarities?.[row] ?? NaN : keyOf(columns, by);
  const sign = descending ? -1 : 1;
  rows.sort((one, other) => {
    const left = key(one);
    const right = key(other);
    // Runs without a sort key come last in both directions.
    if (Number.isNaN(left)) return Number.isNaN(right) ? newestFirst(one, other) : 1;
    if (Number.isNaN(right)) return -1;
    return left === right ? newestFirst(one, other) : sign * (left - right);
  });
  return Uint32Array.from(rows);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The selected rows, last added first. This order is close to newest first (the default), so sorting is fast. */
function rowsOf(selection: Selection): number[] {
  const rows: number[] = [];
  for (let row = selection.length - 1; row >= 0; row--) if (selection[row] === 1) rows.push(row);
  return rows;
}

/** A function that returns the sort key of a row. `NaN`: the run has none. */
function keyOf(columns: RunColumns, by: Exclude<RunSort['by'], 'similarity'>): (row: number) => number {
  const { numbers, kinds, codes } = columns.runs;
  switch (by) {
    case 'startedAt':
    case 'time':
    case 'tokens':
    case 'usd':
    case 'reward': {
      const column = numbers[by];
      return (row) => column[row] ?? NaN;
    }
    case 'question':
    case 'conductor': {
      const ranks = ranksOf(columns.names[by]);
      const column = codes[by];
      return (row) => ranks[column[row] ?? 0] ?? NaN;
    }
    case 'shape':
    case 'grade': {
      const column = kinds[by];
      const none = by === 'shape' ? NO_KIND : KINDS.grade.indexOf('none');
      return (row) => (column[row] === none ? NaN : (column[row] ?? NaN));
    }
    case 'steps':
      return (row) => columns.stepsOf.end(row) - columns.stepsOf.start(row);
    default:
      return by satisfies never;
  }
}

const ranks = new WeakMap<readonly string[], { readonly length: number; readonly ranks: Float64Array }>();

/** The rank of each text in the alphabetical order of the user's language. The ranks are cached until texts are added. */
function ranksOf(texts: readonly string[]): Float64Array {
  const known = ranks.get(texts);
  if (known?.length === texts.length) return known.ranks;
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const order = texts.map((_, index) => index).sort((one, other) => compare(texts[one] ?? '', texts[other] ?? ''));
  const made = new Float64Array(texts.length);
  let rank = 0;
  for (const [place, index] of order.entries()) {
    const before = order[place - 1];
    if (before !== undefined && compare(texts[before] ?? '', texts[index] ?? '') !== 0) rank += 1;
    made[index] = rank;
  }
  ranks.set(texts, { length: texts.length, ranks: made });
  return made;
}
