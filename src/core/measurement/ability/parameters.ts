/**
 * @file The parameters of the model of right answers, and their priors.
 *
 * A worker answers a task of a level right with the probability
 *
 *   guess + (1 − guess − lapse) · logistic(ease − slope · x + curve · (x² − mean of x²))
 *
 * where x is the level, counted from the middle of the family's levels. Ease is the sum of an intercept, the worker's effect, its
 * effects in the domain and in the family, and the family's effect. The slope is a product of a worker's and a family's factor.
 * Lapses are a worker's wrong answers to tasks that are easy for it. All effects are normally distributed around 0 with
 * deviations that are estimated, so that they are shrunk as far as the data suggest.
 */
import type { Cells } from './cells';

/** Share of right answers to tasks that are far too hard. The families' checkers make guessing rare. */
export const GUESS = 0.03;

/** The groups of effects whose deviations are estimated. `prior`: their deviation before any data. */
export const GROUPS = {
  worker: { prior: 0.8 },
  domain: { prior: 0.4 },
  workerFamily: { prior: 0.4 },
  family: { prior: 0.7 },
  workerSlope: { prior: 0.2 },
  familySlope: { prior: 0.25 },
  curve: { prior: 0.15 },
} as const;
export type Group = keyof typeof GROUPS;
export type Deviations = Readonly<Record<Group, number>>;

/** The prior of a parameter that has a fixed one, on the scale of the parameter. */
const INTERCEPT = { mean: 0.3, deviation: 1.5 };
const LOG_SLOPE = { mean: Math.log(0.85), deviation: 0.4 };
/** The log-odds of a lapse. Lapses of a few per cent are usual, because formats fail and answers are cut off. */
const LAPSE = { mean: Math.log(0.03 / 0.97), deviation: 0.9 };

/** Where each parameter is. The effects of a worker in a family are kept apart, because the fit eliminates them. */
export interface Layout {
  readonly size: number;
  readonly group: readonly (Group | null)[];
  readonly mean: Float64Array;
  readonly fixedDeviation: Float64Array;
  readonly worker: (worker: number) => number;
  readonly slope: (worker: number) => number;
  readonly lapse: (worker: number) => number;
  readonly domain: (worker: number, domain: number) => number;
  readonly family: (family: number) => number;
  readonly familySlope: (family: number) => number;
  readonly curve: (family: number) => number;
}

export const INTERCEPT_AT = 0;
export const LOG_SLOPE_AT = 1;

export function layoutOf({ workers, families, domains }: Cells): Layout {
  const perWorker = 3 + domains.length;
  const familyStart = 2 + workers.length * perWorker;
  const size = familyStart + families.length * 3;
  const layout = {
    size,
    worker: (worker: number) => 2 + worker * perWorker,
    slope: (worker: number) => 2 + worker * perWorker + 1,
    lapse: (worker: number) => 2 + worker * perWorker + 2,
    domain: (worker: number, domain: number) => 2 + worker * perWorker + 3 + domain,
    family: (family: number) => familyStart + family * 3,
    familySlope: (family: number) => familyStart + family * 3 + 1,
    curve: (family: number) => familyStart + family * 3 + 2,
  };
  const group: (Group | null)[] = Array.from({ length: size }, () => null);
  const [mean, fixedDeviation] = [new Float64Array(size), new Float64Array(size)];
  const fix = (index: number, prior: { mean: number; deviation: number }) => {
    mean[index] = prior.mean;
    fixedDeviation[index] = prior.deviation;
  };
  fix(INTERCEPT_AT, INTERCEPT);
  fix(LOG_SLOPE_AT, LOG_SLOPE);
  workers.forEach((_, worker) => {
    group[layout.worker(worker)] = 'worker';
    group[layout.slope(worker)] = 'workerSlope';
    fix(layout.lapse(worker), LAPSE);
    domains.forEach((__, domain) => (group[layout.domain(worker, domain)] = 'domain'));
  });
  families.forEach((_, family) => {
    group[layout.family(family)] = 'family';
    group[layout.familySlope(family)] = 'familySlope';
    group[layout.curve(family)] = 'curve';
  });
  return { ...layout, group, mean, fixedDeviation };
}

/** The inverse of the prior's variance, for each parameter of the layout. */
export function precisions({ group, fixedDeviation, size }: Layout, deviations: Deviations): Float64Array {
  const precision = new Float64Array(size);
  group.forEach((each, index) => {
    precision[index] = 1 / (each ? deviations[each] : (fixedDeviation[index] ?? 1)) ** 2;
  });
  return precision;
}
