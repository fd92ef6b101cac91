/** @file Finds the runs whose questions are nearest in meaning to the search text. */
import type { NumberRange } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import type { QuestionVectors } from './question-vectors';
import type { Near } from './search-filter';

/** Maximum number of matches. Runs that are exactly as similar as the last match are also found. */
export const MOST_NEAR = 200;

export interface NearestRows {
  /** The rows of the matches. */
  readonly rows: readonly number[];
  /** The similarity of each match, by row. `NaN` for all other rows. */
  readonly similarities: Float32Array;
  /** Number of rows that are similar enough, but are left out because of `MOST_NEAR`. */
  readonly beyond: number;
  /** Selected rows whose question has no vector. */
  readonly missing: readonly number[];
}

type Vectors = Pick<QuestionVectors, 'slotOf' | 'similarities'>;

/**
 * Keeps the nearest rows of a selection, and removes all others from it.
 * @param within minimum and maximum similarity. The similarity must also be at least `least`
 */
export function keepNearest(
  { runs }: Pick<RunColumns, 'runs'>,
  selection: Selection,
  vectors: Vectors,
  { vector, least }: Near,
  within: NumberRange,
): NearestRows {
  const { questionHash } = runs.numbers;
  const lowest = Math.max(least, within.least ?? -1);
  const highest = within.most ?? 1;
  const bySlot = vectors.similarities(vector);
  const found = new Float32Array(selection.length);
  const near: number[] = [];
  const missing: number[] = [];
  for (let row = 0; row < selection.length; row++) {
    if (selection[row] !== 1) continue;
    const slot = vectors.slotOf(questionHash[row] ?? 0);
    if (slot === -1) missing.push(row);
    else {
      const similarity = (found[row] = bySlot[slot] ?? 0);
      if (similarity >= lowest && similarity <= highest) near.push(row);
    }
  }
  near.sort((one, other) => (found[other] ?? 0) - (found[one] ?? 0));
  const last = found[near[MOST_NEAR - 1] ?? -1] ?? -1;
  const rows = near.filter((row) => (found[row] ?? 0) >= last);
  selection.fill(0);
  const similarities = new Float32Array(selection.length).fill(NaN);
  for (const row of rows) {
    selection[row] = 1;
    similarities[row] = found[row] ?? 0;
  }
  return { rows, similarities, beyond: near.length - rows.length, missing };
}
