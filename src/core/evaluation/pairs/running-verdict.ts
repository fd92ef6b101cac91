/**
 * @file The running verdict on the user's own questions: of pairs of answers that the user has compared blind, is the Conductor's
 * answer better more often than that of one worker alone? Users look at the verdict all the time, so it must hold at every look. A
 * test for a fixed number of pairs would not: looked at each time, it is wrong for almost half of all users.
 */

import type { Preference } from '../../contract';

/** The answer of one side of a pair. */
export interface PairSide {
  /** Length of the answer, in UTF-16 units. */
  readonly length: number;
  /** US dollars. `null`: unknown. */
  readonly usd: number | null;
}

/** Two answers to a question of the user. */
export interface ComparedPair {
  /** Identifies the worker, the prompt and the Conductor. Pairs of different series are never counted together. */
  readonly series: string;
  /** When the user decided, ms since the epoch. */
  readonly at: number;
  readonly preferred: Preference;
  readonly conductor: PairSide;
  readonly alone: PairSide;
}

export interface Tally {
  /** Number of pairs in which the Conductor's answer is better. */
  readonly wins: number;
  readonly losses: number;
  /** Pairs without a winner. They do not count for the verdict. */
  readonly equal: number;
  readonly neither: number;
  /** How much more probable the wins and losses are with a difference than without one. */
  readonly evidence: number;
  /** Who is better. `null`: the evidence does not allow a verdict. */
  readonly better: 'conductor' | 'alone' | null;
}

export interface RunningVerdict {
  readonly series: string;
  readonly all: Tally;
  /** Only pairs whose answers have a similar length, because longer answers are often preferred for their length. */
  readonly similar: Tally;
  readonly skipped: SkippedPairs;
}

/** The pairs that the user skipped. If they differ from the others, the verdict may be biased. */
export interface SkippedPairs {
  readonly count: number;
  /** Of these: the Conductor's answer is longer. */
  readonly longer: number;
  /** Of these: the Conductor's answer cost more. */
  readonly dearer: number;
}

/** Evidence from which a verdict is given. Without a difference, at most 5 % of users ever reach it. */
export const ENOUGH_EVIDENCE = 20;
/** Both parameters of the prior, a beta distribution: a win of either side is expected to be about as probable as the other's. */
const PRIOR = 5;
/** Maximum ratio of the lengths of two answers that count as similar. */
const SIMILAR = 1.5;

/** The verdict of each series. The series with the newest pair comes first. */
export function runningVerdicts(pairs: readonly ComparedPair[]): readonly RunningVerdict[] {
  const newest = pairs.toSorted((one, other) => other.at - one.at);
  return [...new Set(newest.map(({ series }) => series))].map((series) => {
    const own = newest.filter((pair) => pair.series === series);
    const skipped = own.filter(({ preferred }) => preferred === 'skipped');
    return {
      series,
      all: tally(own),
      similar: tally(own.filter(isSimilar)),
      skipped: {
        count: skipped.length,
        longer: skipped.filter(({ conductor, alone }) => conductor.length > alone.length).length,
        dearer: skipped.filter(({ conductor, alone }) => (conductor.usd ?? 0) > (alone.usd ?? 0)).length,
      },
    };
  });
}

/**
 * The Bayes factor for a difference after `wins` and `losses`: B(5 + w, 5 + l) / B(5, 5) · 2^(w + l), with the beta function B. Its
 * expected value without a difference is 1 after any number of pairs, so it exceeds 20 at some time with a probability of at most
 * 1/20 (Ville's inequality).
 */
export function evidenceOf(wins: number, losses: number): number {
  const rising = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => Math.log(from + index)).reduce((sum, each) => sum + each, 0);
  const pairs = wins + losses;
  return Math.exp(rising(PRIOR, wins) + rising(PRIOR, losses) - rising(2 * PRIOR, pairs) + pairs * Math.LN2);
}

function tally(pairs: readonly ComparedPair[]): Tally {
  const countOf = (wanted: Preference) => pairs.filter(({ preferred }) => preferred === wanted).length;
  const [wins, losses] = [countOf('conductor'), countOf('alone')];
  const evidence = evidenceOf(wins, losses);
  const better = evidence < ENOUGH_EVIDENCE ? null : wins > losses ? 'conductor' : 'alone';
  return { wins, losses, equal: countOf('equal'), neither: countOf('neither'), evidence, better };
}

function isSimilar({ conductor, alone }: ComparedPair): boolean {
  const [short, long] = [Math.min(conductor.length, alone.length), Math.max(conductor.length, alone.length)];
  return long <= SIMILAR * short;
}
