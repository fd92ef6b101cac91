/**
 * @file Estimates how far a check can be trusted, from verdicts on answers of which it is known whether they were right.
 *
 * How often “right” is right depends on the solver: even a good check is often wrong about a solver that is rarely right. So
 * three rates are estimated separately, each as a Beta distribution:
 * - how often the checker says “right” of right answers, with the prior `SAYS_RIGHT_OF_RIGHT`
 * - how often the checker says “right” of wrong answers, with the prior `SAYS_RIGHT_OF_WRONG`
 * - how often the solver is right. Its prior counts as much as `PRIOR_RUNS` answers, at the ability that is declared or published,
 *   or else at one half
 *
 * Observations in another domain count `OTHER_DOMAIN`. The three rates give the probability that the answer is right:
 *
 *     P(right | “right”) = ability · ofRight / (ability · ofRight + (1 − ability) · ofWrong)
 *
 * What can be known: answers in batches whose grader needs no call are graded themselves, so all of their checks count. In other
 * graded runs, an answer that was checked is known to be right or wrong only if the run ended with the same answer, or if the run
 * ended with another answer that was graded right (`core/runs/checked-answers.ts`). Wrong answers that were found and then
 * replaced by another wrong answer stay unknown. This makes such a checker look more lenient than it is, never stricter.
 */
import type {
  CheckCounts,
  CheckObservation,
  CheckerRates,
  Domain,
  Interval,
  RightCount,
  VerdictCounts,
} from '../../contract';
import { shareOf, type Estimate } from './estimate';
import { OTHER_DOMAIN, PRIOR_RUNS, UNKNOWN_STRENGTH } from '../worker-record';

/** A check that sees a right answer usually says so (mean 0.8). */
export const SAYS_RIGHT_OF_RIGHT: RightCount = { right: 4, of: 5 };
/** A check that sees a wrong answer is often fooled (mean one third). */
export const SAYS_RIGHT_OF_WRONG: RightCount = { right: 1, of: 3 };
/** A checker is known if at least this many of its verdicts on right answers are known, and as many on wrong answers. */
export const ENOUGH_CHECKED = 10;

const NOTHING: CheckerRates = { ofRight: { right: 0, of: 0 }, ofWrong: { right: 0, of: 0 } };

/** How often a checker says “right” in a domain. Its observations in other domains count less. */
export function checkerRates(observations: readonly CheckObservation[], checker: string, domain: Domain): CheckerRates {
  return observations.reduce((rates, { checker: by, domain: where, verdict, isRight }) => {
    if (by !== checker) return rates;
    const weight = where === domain ? 1 : OTHER_DOMAIN;
    const saysRight = verdict === 'right';
    return isRight
      ? { ...rates, ofRight: plus(rates.ofRight, saysRight, weight) }
      : { ...rates, ofWrong: plus(rates.ofWrong, saysRight, weight) };
  }, NOTHING);
}

/**
 * The right answers of a solver in a domain, with its prior.
 * @param prior the solver's expected success rate without any answers. Default: one half
 */
export function solverAbility(
  observations: readonly CheckObservation[],
  solver: string,
  domain: Domain,
  prior = UNKNOWN_STRENGTH,
): RightCount {
  return observations.reduce<RightCount>(
    (ability, { solver: by, domain: where, isRight }) =>
      by === solver ? plus(ability, isRight, where === domain ? 1 : OTHER_DOMAIN) : ability,
    { right: PRIOR_RUNS * prior, of: PRIOR_RUNS },
  );
}

/** The ability of a solver about which nothing is known. */
const UNKNOWN_ABILITY: RightCount = { right: PRIOR_RUNS * UNKNOWN_STRENGTH, of: PRIOR_RUNS };

/** Whether enough is known about a checker to decide by its rates. */
export function isKnownChecker({ ofRight, ofWrong }: CheckerRates): boolean {
  return ofRight.of >= ENOUGH_CHECKED && ofWrong.of >= ENOUGH_CHECKED;
}

/**
 * The probability that an answer is right if the checker says so, with its 90 % interval.
 * @param ability the right answers of the solver, with its prior. See `solverAbility`
 */
export function precisionOf({ ofRight, ofWrong }: CheckerRates, ability: RightCount = UNKNOWN_ABILITY): Interval {
  const abilities = gridOf(ability);
  const right = gridOf(sumOf(ofRight, SAYS_RIGHT_OF_RIGHT));
  const wrong = gridOf(sumOf(ofWrong, SAYS_RIGHT_OF_WRONG));
  const bins = new Float64Array(BINS);
  let mean = 0;
  for (const able of abilities) {
    for (const hit of right) {
      for (const fooled of wrong) {
        const both = able.rate * hit.rate;
        const precision = both / (both + (1 - able.rate) * fooled.rate);
        const weight = able.weight * hit.weight * fooled.weight;
        const bin = Math.min(BINS - 1, Math.floor(precision * BINS));
        bins[bin] = (bins[bin] ?? 0) + weight;
        mean += weight * precision;
      }
    }
  }
  // The quantiles are middles of bins, so the mean may be beyond them by half a bin.
  return { mean, low: Math.min(mean, quantileOf(bins, 0.05)), high: Math.max(mean, quantileOf(bins, 0.95)) };
}

/** How often a checker gave each verdict, of right and of wrong answers. */
export interface CheckerCounts extends CheckCounts {
  readonly checker: string;
}

/** The verdicts of each checker, in all domains. The checkers are in order of their first observation. */
export function checkerCounts(
  observations: readonly Pick<CheckObservation, 'checker' | 'verdict' | 'isRight'>[],
): CheckerCounts[] {
  const found = new Map<string, CheckerCounts>();
  for (const { checker, verdict, isRight } of observations) {
    const counts = found.get(checker) ?? { checker, right: NO_VERDICTS, wrong: NO_VERDICTS };
    const side = isRight ? 'right' : 'wrong';
    found.set(checker, { ...counts, [side]: { ...counts[side], [verdict]: counts[side][verdict] + 1 } });
  }
  return [...found.values()];
}

/** How often a checker's verdicts were true. The shares have 95 % intervals. `null`: there are no such verdicts. */
export interface CheckerFigures {
  /** The share of right answers among those that the checker called right. */
  readonly rightWasRight: Estimate | null;
  /** The share of wrong answers among those that the checker called wrong. */
  readonly wrongWasWrong: Estimate | null;
  /** How often the checker called a wrong answer right. */
  readonly fooled: Estimate | null;
  /** Number of answers without a clear verdict. */
  readonly unsure: number;
  /** Number of answers whose truth is known. */
  readonly answers: number;
  /**
   * P(an answer is right | the checker says so) for the mix of solvers that it saw, with its 90 % interval. Planted answers count
   * too. A check settles by the lower end. `null`: too little is known about the checker.
   */
  readonly precision: Interval | null;
}

/** @param planted the verdicts on planted answers. Only `precision` depends on them */
export function checkerFigures({ right, wrong }: CheckCounts, planted: CheckCounts = NO_CHECKS): CheckerFigures {
  const [ofRight, ofWrong] = [answersOf(right), answersOf(wrong)];
  const rates = {
    ofRight: sumOf({ right: right.right, of: ofRight }, { right: planted.right.right, of: answersOf(planted.right) }),
    ofWrong: sumOf({ right: wrong.right, of: ofWrong }, { right: planted.wrong.right, of: answersOf(planted.wrong) }),
  };
  const ability = sumOf({ right: ofRight, of: ofRight + ofWrong }, UNKNOWN_ABILITY);
  return {
    rightWasRight: shareOf(right.right, right.right + wrong.right),
    wrongWasWrong: shareOf(wrong.wrong, right.wrong + wrong.wrong),
    fooled: shareOf(wrong.right, ofWrong),
    unsure: right.unsure + wrong.unsure,
    answers: ofRight + ofWrong,
    precision: isKnownChecker(rates) ? precisionOf(rates, ability) : null,
  };
}

function answersOf({ right, wrong, unsure }: VerdictCounts): number {
  return right + wrong + unsure;
}

/** A row of a table of checkers. */
export interface CheckerRow extends CheckerFigures {
  readonly worker: string;
  /** Whether the answers were planted to measure the worker. Half of these are right. */
  readonly isPlanted: boolean;
}

/**
 * One row for a worker's checks in runs, and one for those of planted answers. Only the first of them has the trust, by both.
 * Most answers first.
 */
export function checkerRows(
  checked: readonly CheckerCounts[],
  planted: ReadonlyMap<string, CheckCounts>,
): readonly CheckerRow[] {
  const inRuns = new Map(checked.map(({ checker, ...counts }) => [checker, counts]));
  const byWorker = [...new Set([...inRuns.keys(), ...planted.keys()])].map((worker): readonly CheckerRow[] => {
    const [own, measured] = [inRuns.get(worker), planted.get(worker)];
    const figures = checkerFigures(own ?? NO_CHECKS, measured);
    const precision = own ? null : figures.precision;
    return [
      ...(own ? [{ worker, isPlanted: false, ...figures }] : []),
      ...(measured ? [{ worker, isPlanted: true, ...checkerFigures(measured), precision }] : []),
    ];
  });
  const answers = (rows: readonly CheckerRow[]) => rows.reduce((sum, row) => sum + row.answers, 0);
  return byWorker.toSorted((one, other) => answers(other) - answers(one)).flat();
}

const NO_VERDICTS: VerdictCounts = { right: 0, wrong: 0, unsure: 0 };
/** No observations. */
export const NO_CHECKS: CheckCounts = { right: NO_VERDICTS, wrong: NO_VERDICTS };

function plus({ right, of }: RightCount, isRight: boolean, weight: number): RightCount {
  return { right: right + (isRight ? weight : 0), of: of + weight };
}

function sumOf(one: RightCount, other: RightCount): RightCount {
  return { right: one.right + other.right, of: one.of + other.of };
}

/** Number of points that stand for a Beta distribution, and number of bins for the result. */
const POINTS = 48;
const BINS = 2000;
/** The points reach this many standard deviations from the mean. */
const REACH = 5;

interface Point {
  readonly rate: number;
  readonly weight: number;
}

/** A Beta distribution as points of equal distance, with the probability of each. */
function gridOf({ right, of }: RightCount): readonly Point[] {
  const [a, b] = [right, of - right];
  const mean = a / of;
  const reach = REACH * Math.sqrt((mean * (1 - mean)) / (of + 1));
  const low = Math.max(0, mean - reach);
  const width = (Math.min(1, mean + reach) - low) / POINTS;
  const logs = Array.from({ length: POINTS }, (_, index) => {
    const rate = low + (index + 0.5) * width;
    return { rate, log: (a - 1) * Math.log(rate) + (b - 1) * Math.log1p(-rate) };
  });
  const most = Math.max(...logs.map(({ log }) => log));
  const points = logs.map(({ rate, log }) => ({ rate, weight: Math.exp(log - most) }));
  const sum = points.reduce((total, { weight }) => total + weight, 0);
  return points.map(({ rate, weight }) => ({ rate, weight: weight / sum }));
}

/** The middle of the bin that contains the quantile. */
function quantileOf(bins: Float64Array, share: number): number {
  let below = 0;
  const bin = bins.findIndex((weight) => (below += weight) >= share);
  return ((bin === -1 ? BINS - 1 : bin) + 0.5) / BINS;
}
