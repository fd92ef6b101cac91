/** @file Filters saved runs. */
import type { RunStatus, RunSummary } from '../../core/contract';

export type RunsShown = 'all' | 'right' | 'wrong' | 'ungraded' | Exclude<RunStatus, 'finished'>;

export interface RunFilter {
  /** Every word must occur in the question, the Conductor's name or a worker's name. */
  readonly words: string;
  readonly show: RunsShown;
}

export function matchesFilter(summary: RunSummary, { words, show }: RunFilter): boolean {
  return isShown(summary, show) && holdsWords(summary, words);
}

function isShown(summary: RunSummary, show: RunsShown): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'right':
      return summary.correct === true;
    case 'wrong':
      return summary.correct === false;
    case 'ungraded':
      return summary.status === 'finished' && summary.correct === null;
    case 'running':
    case 'failed':
    case 'cancelled':
    case 'interrupted':
      return summary.status === show;
    default:
      return show satisfies never;
  }
}

function holdsWords(summary: RunSummary, words: string): boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const text = [summary.question, summary.conductor, ...summary.workers].join('\n').toLowerCase();
  return wanted.every((word) => text.includes(word));
}
