/** @file The Web Worker that compares texts word by word, so that long texts do not block the page. */
import type { DiffPiece } from '../../core/analysis/diff-piece';
import { wordDiff } from '../../core/analysis/word-diff';
import { serveCalls } from '../../platform/serve-calls';

/** What the Web Worker compares. */
export interface DiffOrder {
  readonly before: string;
  readonly after: string;
}

serveCalls<DiffOrder, readonly DiffPiece[] | null>(self, ({ before, after }) => wordDiff(before, after));
