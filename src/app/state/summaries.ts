/** @file Lists of run summaries: newest first, each run once. */
import type { RunSummary } from '../../core/contract';

/** Appends a page. Runs that are in the list already are kept as they are. */
export function addPage(summaries: readonly RunSummary[], page: readonly RunSummary[]): readonly RunSummary[] {
  const known = new Set(summaries.map(({ id }) => id));
  return [...summaries, ...page.filter(({ id }) => !known.has(id))];
}

/** Inserts a summary in order, replacing an older one of the same run. */
export function putSummary(summaries: readonly RunSummary[], summary: RunSummary): readonly RunSummary[] {
  const others = without(summaries, summary.id);
  const before = others.findIndex(({ startedAt }) => startedAt <= summary.startedAt);
  return before < 0 ? [...others, summary] : others.toSpliced(before, 0, summary);
}

export function without(summaries: readonly RunSummary[], runId: string): readonly RunSummary[] {
  return summaries.filter(({ id }) => id !== runId);
}
