/** @file The messages between the page and the Web Worker that compares texts. */
import type { DiffPiece } from '../../core/analysis/diff-piece';

export interface DiffRequest {
  readonly id: number;
  readonly before: string;
  readonly after: string;
}

export interface DiffResponse {
  readonly id: number;
  /** `null`: the texts are too different or too long. */
  readonly pieces: readonly DiffPiece[] | null;
}
