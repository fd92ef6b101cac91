/**
 * @file Parses the sentences in which WebLLM reports its progress while it loads a model. Unknown
 * sentences are ignored. If WebLLM changes its wording, only the progress is missing.
 */
import type { LoadProgress } from '../../../core/contract';

/**
 * Returns the progress in a report, or `null` for an unknown sentence.
 * @param total bytes of all files. WebLLM reports only the loaded fraction (0 to 1)
 */
export function readProgress(
  report: { readonly progress: number; readonly text: string },
  total: number | null,
): LoadProgress | null {
  const { text, progress } = report;
  if (/^Loading model from cache/.test(text)) {
    const loaded = total === null || !Number.isFinite(progress) ? null : Math.round(progress * total);
    return { phase: 'loading', loaded, total, speed: null, cached: true };
  }
  if (/^Loading GPU shader modules/.test(text)) {
    return { phase: 'compiling', loaded: null, total: null, speed: null, cached: true };
  }
  return null;
}
