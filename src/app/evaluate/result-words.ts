/** @file Formats the values and the notes of a results table. */
import type { Difference } from '../../core/evaluation/statistics';
import type { MethodRow, ReferenceRow } from '../../core/evaluation/tables';
import { costWords } from './evaluate-words';

const NONE = '–';

const inPercent = (share: number) => (100 * share).toFixed(1);

/** Percentage points with a sign: `+2.5`, `−1.0`. Zero has no sign: `0.0`. */
function points(share: number): string {
  const value = inPercent(Math.abs(share));
  return value === '0.0' ? value : `${share < 0 ? '−' : '+'}${value}`;
}

/** `84.2 ± 2.1`. */
export function scoreWords(score: { readonly mean: number; readonly error: number | null } | null): string {
  if (!score) return NONE;
  return score.error === null ? inPercent(score.mean) : `${inPercent(score.mean)} ± ${inPercent(score.error)}`;
}

export function shareWords(share: number | null): string {
  return share === null ? NONE : inPercent(share);
}

/** `+2.5 (−1.0 to +6.0)`. */
export function differenceWords(value: Difference | null): string {
  return value ? `${points(value.difference)} (${points(value.low)} to ${points(value.high)})` : NONE;
}

/** The mean cost per task: `$0.012`, or `at least $0.012` if the cost of some calls is unknown. */
export function costPerTask({ usage }: Pick<MethodRow, 'usage'>): string {
  return usage ? costWords(usage) : NONE;
}

/** The notes below a table, each once. Each note begins with the labels of its rows, or with "Each method". */
export function notesOf(rows: readonly (MethodRow | ReferenceRow)[]): readonly string[] {
  const isMethod = ({ kind }: MethodRow | ReferenceRow) => kind === 'method';
  const methods = rows.filter(isMethod).length;
  const all = [...new Set(rows.flatMap(({ notes }) => notes))];
  return all.map((note) => {
    const own = rows.filter(({ notes }) => notes.includes(note));
    const isOfEach = methods > 1 && own.length === methods && own.every(isMethod);
    return `${isOfEach ? 'Each method' : own.map(({ label }) => label).join(', ')}: ${note}`;
  });
}
