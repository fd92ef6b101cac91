/**
 * @file Parses WebLLM's progress while it assembles a model. WebLLM reports sentences. Unknown ones are ignored, so that changed
 * wording only hides a number.
 */
import type { LoadProgress } from '../../../core/contract';

/** @param total bytes of all weights. WebLLM reports only the ratio */
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
