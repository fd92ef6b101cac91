/** @file What skipping settled steps costs: how far checks that settle answers can be trusted, and what the skipped steps would do. */
import type { SettlingResult } from '../../contract';
import type { PlayResult } from './players';

/** The result of one plan on one item, with settled steps skipped, and with all steps called. The checks gave the same verdicts. */
export interface BothWays {
  readonly skipped: PlayResult;
  readonly whole: PlayResult;
}

/** Counts over all items. */
export function settlingOf(played: readonly BothWays[]): SettlingResult {
  const cutShort = played.filter(({ skipped }) => skipped.cutShort);
  const count = (of: (each: BothWays) => boolean) => cutShort.filter(of).length;
  return {
    cutShort: cutShort.length,
    right: count(({ skipped }) => skipped.correct),
    repaired: count(({ skipped, whole }) => !skipped.correct && whole.correct),
    broken: count(({ skipped, whole }) => skipped.correct && !whole.correct),
  };
}

/** Of the answers that checks settled, the share of right ones. `null`: no answer was settled. */
export function settledPrecision({ cutShort, right }: SettlingResult): number | null {
  return cutShort === 0 ? null : right / cutShort;
}
