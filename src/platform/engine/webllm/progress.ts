/**
 * @file Parses the progress that WebLLM reports while it loads a model. WebLLM reports sentences. Unknown sentences are
 * ignored, so a changed wording only hides the progress.
 */
import type { LoadProgress } from '../../../core/contract';

/**
 * Returns the progress in a report, or `null` for an unknown sentence.
 * @param total bytes of all files. WebLLM reports only the share that is loaded
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
