/**
 * @file What WebLLM says while it puts a model together. It says so in sentences only; those that are not known here are passed
 * over, so that other wording costs no more than a number on the screen.
 */
import type { LoadProgress } from '../../../core/contract';

/** @param total bytes of all weights, which WebLLM tells as a part only */
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
