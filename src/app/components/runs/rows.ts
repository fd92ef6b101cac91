/** @file The rows of the list of runs: a heading for each day, and its runs below. */
import type { RunSummary } from '../../../core/contract';
import { dayLabel } from '../dates';

export type RunRow =
  | { readonly kind: 'day'; readonly key: string; readonly label: string }
  | { readonly kind: 'run'; readonly key: string; readonly summary: RunSummary };

/**
 * Groups runs by the day on which they started.
 * @param summaries newest first
 * @param now the current time, ms since the epoch
 */
export function rowsByDay(summaries: readonly RunSummary[], now: number): RunRow[] {
  const rows: RunRow[] = [];
  let day = '';
  for (const summary of summaries) {
    const label = dayLabel(summary.startedAt, now);
    if (label !== day) rows.push({ kind: 'day', key: `day of ${summary.id}`, label });
    day = label;
    rows.push({ kind: 'run', key: `run ${summary.id}`, summary });
  }
  return rows;
}
