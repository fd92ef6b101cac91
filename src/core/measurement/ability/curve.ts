/** @file The probability of a right answer at each level, as described in `parameters.ts`. */
import type { Cells } from './cells';
import { GUESS, INTERCEPT_AT, LOG_SLOPE_AT, type Layout } from './parameters';

/** One worker in one family. */
export interface Curve {
  readonly ease: number;
  readonly slope: number;
  readonly bend: number;
  readonly lapse: number;
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Levels from the middle of the family's levels. */
export function distance(level: number, levels: number): number {
  return level - (levels - 1) / 2;
}

/** The factor of the curve's bend at a level: about 2/3 at the ends, −1/3 in the middle. */
export function bendAt(level: number, levels: number): number {
  if (levels < 3) return 0;
  const half = (levels - 1) / 2;
  return (distance(level, levels) / half) ** 2 - (levels + 1) / (3 * (levels - 1));
}

export function curveOf(
  { domainOf }: Cells,
  layout: Layout,
  values: Float64Array,
  workerFamily: number,
  worker: number,
  family: number,
): Curve {
  return {
    ease:
      (values[INTERCEPT_AT] ?? 0) +
      (values[layout.worker(worker)] ?? 0) +
      (values[layout.domain(worker, domainOf[family] ?? 0)] ?? 0) +
      (values[layout.family(family)] ?? 0) +
      workerFamily,
    slope: Math.exp(
      (values[LOG_SLOPE_AT] ?? 0) + (values[layout.slope(worker)] ?? 0) + (values[layout.familySlope(family)] ?? 0),
    ),
    bend: values[layout.curve(family)] ?? 0,
    lapse: logistic(values[layout.lapse(worker)] ?? 0),
  };
}

/** The log-odds before guesses and lapses. */
export function easeAt({ ease, slope, bend }: Curve, level: number, levels: number): number {
  return ease - slope * distance(level, levels) + bend * bendAt(level, levels);
}

/** The probability of a right answer. */
export function chanceRight(curve: Curve, level: number, levels: number): number {
  return GUESS + (1 - GUESS - curve.lapse) * logistic(easeAt(curve, level, levels));
}
