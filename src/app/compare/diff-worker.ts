/** @file The Web Worker that compares texts word by word, so that long texts do not block the page. */
import { wordDiff } from '../../core/analysis/word-diff';
import type { DiffRequest, DiffResponse } from './diff-messages';

self.addEventListener('message', ({ data: { id, before, after } }: MessageEvent<DiffRequest>) => {
  const response: DiffResponse = { id, pieces: wordDiff(before, after) };
  self.postMessage(response);
});
