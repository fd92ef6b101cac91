/** @file Counts what a worker said of planted answers. */
import type { AskedItem } from '../../contract/measurement/measurement-state';

/** How often a worker said “right” of planted answers. Calls without a readable verdict count as not said. */
export interface CheckCounts {
  readonly ofRight: { readonly saidRight: number; readonly of: number };
  readonly ofWrong: { readonly saidRight: number; readonly of: number };
}

/** With fewer planted answers of each kind, Conductors are told nothing about a worker's checks. */
const ENOUGH_CHECKED = 10;

export function checkCounts(items: readonly AskedItem[]): CheckCounts {
  const count = (planted: boolean) => {
    const these = items.filter(({ item, answer }) => item.planted === planted && answer && answer.end !== 'lost');
    return { saidRight: these.filter(({ answer }) => answer?.verdict === 'right').length, of: these.length };
  };
  return { ofRight: count(true), ofWrong: count(false) };
}

/**
 * How well a worker's “right” tells right from wrong answers: the mean of its shares of correct verdicts on both. `null`: too few
 * planted answers.
 */
export function trustIn({ ofRight, ofWrong }: CheckCounts): number | null {
  if (ofRight.of < ENOUGH_CHECKED || ofWrong.of < ENOUGH_CHECKED) return null;
  return (ofRight.saidRight / ofRight.of + 1 - ofWrong.saidRight / ofWrong.of) / 2;
}
