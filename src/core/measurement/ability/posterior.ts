/**
 * @file Fits the model: the most probable parameters, and a normal approximation of the posterior around them (Laplace). The
 * effects of each worker in each family are eliminated first, because each of them occurs in the tasks of one worker and one
 * family only. This leaves about a hundred parameters for five workers.
 */
import type { Cells } from './cells';
import { factorize, inverseOf, solveLower, solveUpper } from './cholesky';
import { bendAt, chanceRight, curveOf, distance, easeAt, logistic, type Curve } from './curve';
import {
  GROUPS,
  GUESS,
  INTERCEPT_AT,
  layoutOf,
  LOG_SLOPE_AT,
  precisions,
  type Deviations,
  type Group,
  type Layout,
} from './parameters';

export interface Posterior {
  readonly layout: Layout;
  /** The most probable values. */
  readonly values: Float64Array;
  /** The Cholesky factor of the precision matrix of `values`. */
  readonly factor: Float64Array;
  readonly workerFamily: WorkerFamilyEffects;
}

/** The effects of workers in families. Given the other parameters, they are independent of each other. */
export interface WorkerFamilyEffects {
  /** By worker and family. */
  readonly values: Float64Array;
  readonly precision: Float64Array;
  /** For each effect, `LINKS` elements of the precision matrix that link it to the parameters in `linkedTo`. */
  readonly links: Float64Array;
}

/** How many parameters a worker's tasks in a family depend on, besides its effect in the family. */
export const LINKS = 9;

/** Indexes of the parameters that a worker's tasks in a family depend on. */
export function linkedTo(layout: Layout, { domainOf }: Cells, worker: number, family: number): readonly number[] {
  return [
    INTERCEPT_AT,
    layout.worker(worker),
    layout.domain(worker, domainOf[family] ?? 0),
    layout.family(family),
    LOG_SLOPE_AT,
    layout.slope(worker),
    layout.familySlope(family),
    layout.curve(family),
    layout.lapse(worker),
  ];
}

/** How often the deviations are estimated. */
const ROUNDS = 3;
/** Weight of a deviation's prior, in effects. */
const PRIOR_WEIGHT = 6;
const STEPS = { first: 15, later: 4 };

export function fitPosterior(cells: Cells): Posterior {
  const layout = layoutOf(cells);
  let deviations: Deviations = eachGroup((group) => GROUPS[group].prior);
  let state: State = {
    values: Float64Array.from(layout.mean),
    effects: new Float64Array(cells.workers.length * cells.families.length),
  };
  for (let round = 0; ; round++) {
    const precision = precisions(layout, deviations);
    state = climb(cells, layout, precision, deviations, state, round === 0 ? STEPS.first : STEPS.later);
    const { factor, workerFamily } = equations(cells, layout, precision, deviations, state);
    if (round === ROUNDS) return { layout, values: state.values, factor, workerFamily };
    deviations = estimateDeviations(cells, layout, state, factor, workerFamily);
  }
}

function eachGroup(of: (group: Group) => number): Deviations {
  return {
    worker: of('worker'),
    domain: of('domain'),
    workerFamily: of('workerFamily'),
    family: of('family'),
    workerSlope: of('workerSlope'),
    familySlope: of('familySlope'),
    curve: of('curve'),
  };
}

interface State {
  readonly values: Float64Array;
  readonly effects: Float64Array;
}

/** Fisher scoring. A step that lowers the posterior is halved. */
function climb(
  cells: Cells,
  layout: Layout,
  precision: Float64Array,
  deviations: Deviations,
  start: State,
  steps: number,
): State {
  let state = start;
  let height = logPosterior(cells, layout, precision, deviations, state);
  for (let step = 0; step < steps; step++) {
    const { change, changeOfEffects } = equations(cells, layout, precision, deviations, state);
    let scale = 1;
    let next = state;
    let nextHeight = -Infinity;
    for (; scale > 0.01; scale /= 2) {
      next = { values: moved(state.values, change, scale), effects: moved(state.effects, changeOfEffects, scale) };
      nextHeight = logPosterior(cells, layout, precision, deviations, next);
      if (nextHeight >= height) break;
    }
    if (nextHeight < height) break;
    const gain = nextHeight - height;
    [state, height] = [next, nextHeight];
    if (gain < 1e-4) break;
  }
  return state;
}

function moved(values: Float64Array, change: Float64Array, scale: number): Float64Array {
  return values.map((value, index) => value + scale * (change[index] ?? 0));
}

function logPosterior(
  cells: Cells,
  layout: Layout,
  precision: Float64Array,
  deviations: Deviations,
  { values, effects }: State,
): number {
  let sum = 0;
  for (let index = 0; index < layout.size; index++) {
    sum -= ((precision[index] ?? 0) * ((values[index] ?? 0) - (layout.mean[index] ?? 0)) ** 2) / 2;
  }
  for (const effect of effects) sum -= (effect / deviations.workerFamily) ** 2 / 2;
  forEachCurve(cells, layout, values, effects, ({ curve, start, levels }) => {
    for (let level = 0; level < levels; level++) {
      const tasks = cells.tasks[start + level] ?? 0;
      if (tasks === 0) continue;
      const right = cells.right[start + level] ?? 0;
      const chance = chanceRight(curve, level, levels);
      sum += right * Math.log(chance) + (tasks - right) * Math.log(1 - chance);
    }
  });
  return sum;
}

interface Visit {
  readonly worker: number;
  readonly family: number;
  readonly levels: number;
  /** Index of the first level's cell. */
  readonly start: number;
  readonly curve: Curve;
}

function forEachCurve(
  cells: Cells,
  layout: Layout,
  values: Float64Array,
  effects: Float64Array,
  visit: (of: Visit) => void,
): void {
  const count = cells.families.length;
  for (let worker = 0; worker < cells.workers.length; worker++) {
    cells.families.forEach(({ levels }, family) => {
      const pair = worker * count + family;
      const curve = curveOf(cells, layout, values, effects[pair] ?? 0, worker, family);
      visit({ worker, family, levels, start: pair * cells.levels, curve });
    });
  }
}

/** The precision matrix at a point, and the step from there to the top of the parabola. */
function equations(
  cells: Cells,
  layout: Layout,
  prior: Float64Array,
  deviations: Deviations,
  { values, effects }: State,
): {
  readonly factor: Float64Array;
  readonly change: Float64Array;
  readonly changeOfEffects: Float64Array;
  readonly workerFamily: WorkerFamilyEffects;
} {
  const { size } = layout;
  const matrix = new Float64Array(size * size);
  const change = new Float64Array(size);
  for (let index = 0; index < size; index++) {
    matrix[index * size + index] = prior[index] ?? 0;
    change[index] = (prior[index] ?? 0) * ((layout.mean[index] ?? 0) - (values[index] ?? 0));
  }
  const precision = new Float64Array(effects.length).fill(1 / deviations.workerFamily ** 2);
  const changeOfEffects = effects.map((effect, pair) => -effect * (precision[pair] ?? 0));
  const links = new Float64Array(effects.length * LINKS);
  const slopes = new Float64Array(LINKS);
  forEachCurve(cells, layout, values, effects, ({ worker, family, levels, start, curve }) => {
    const linked = linkedTo(layout, cells, worker, family);
    const pair = worker * cells.families.length + family;
    const own = links.subarray(pair * LINKS, (pair + 1) * LINKS);
    let any = false;
    for (let level = 0; level < levels; level++) {
      const tasks = cells.tasks[start + level] ?? 0;
      if (tasks === 0) continue;
      any = true;
      const chance = derivatives(curve, level, levels, slopes);
      const weight = 1 / (chance * (1 - chance));
      const residual = ((cells.right[start + level] ?? 0) - tasks * chance) * weight;
      const ease = slopes[0] ?? 0;
      precision[pair] = (precision[pair] ?? 0) + tasks * weight * ease * ease;
      changeOfEffects[pair] = (changeOfEffects[pair] ?? 0) + residual * ease;
      linked.forEach((row, first) => {
        const slope = slopes[first] ?? 0;
        change[row] = (change[row] ?? 0) + residual * slope;
        own[first] = (own[first] ?? 0) + tasks * weight * ease * slope;
        linked.forEach((column, second) => {
          const cell = row * size + column;
          matrix[cell] = (matrix[cell] ?? 0) + tasks * weight * slope * (slopes[second] ?? 0);
        });
      });
    }
    if (!any) return;
    linked.forEach((row, first) => {
      const share = (own[first] ?? 0) / (precision[pair] ?? 0);
      change[row] = (change[row] ?? 0) - share * (changeOfEffects[pair] ?? 0);
      linked.forEach((column, second) => {
        const cell = row * size + column;
        matrix[cell] = (matrix[cell] ?? 0) - share * (own[second] ?? 0);
      });
    });
  });
  factorize(matrix, size);
  solveLower(matrix, size, change);
  solveUpper(matrix, size, change);
  for (let worker = 0; worker < cells.workers.length; worker++) {
    for (let family = 0; family < cells.families.length; family++) {
      const pair = worker * cells.families.length + family;
      let sum = changeOfEffects[pair] ?? 0;
      linkedTo(layout, cells, worker, family).forEach((row, link) => {
        sum -= (links[pair * LINKS + link] ?? 0) * (change[row] ?? 0);
      });
      changeOfEffects[pair] = sum / (precision[pair] ?? 0);
    }
  }
  return { factor: matrix, change, changeOfEffects, workerFamily: { values: effects, precision, links } };
}

/** The probability of a right answer, and its derivatives by the parameters in `linkedTo`. The first one is also that by the effect in the family. */
export function derivatives(curve: Curve, level: number, levels: number, slopes: Float64Array): number {
  const share = logistic(easeAt(curve, level, levels));
  const byEase = (1 - GUESS - curve.lapse) * share * (1 - share);
  const bySlope = -byEase * curve.slope * distance(level, levels);
  slopes.fill(byEase, 0, 4);
  slopes.fill(bySlope, 4, 7);
  slopes[7] = byEase * bendAt(level, levels);
  slopes[8] = -curve.lapse * (1 - curve.lapse) * share;
  return GUESS + (1 - GUESS - curve.lapse) * share;
}

/** One step of expectation maximization, with a weak prior. */
function estimateDeviations(
  cells: Cells,
  layout: Layout,
  { values, effects }: State,
  factor: Float64Array,
  { precision, links }: WorkerFamilyEffects,
): Deviations {
  const { size } = layout;
  const variance = inverseOf(factor, size);
  const sums = new Map<Group, { squares: number; count: number }>();
  const add = (group: Group, square: number) => {
    const { squares, count } = sums.get(group) ?? { squares: 0, count: 0 };
    sums.set(group, { squares: squares + square, count: count + 1 });
  };
  layout.group.forEach((group, index) => {
    if (group) add(group, (values[index] ?? 0) ** 2 + (variance[index * size + index] ?? 0));
  });
  for (let worker = 0; worker < cells.workers.length; worker++) {
    for (let family = 0; family < cells.families.length; family++) {
      const pair = worker * cells.families.length + family;
      const linked = linkedTo(layout, cells, worker, family);
      let spread = 0;
      linked.forEach((row, first) => {
        linked.forEach((column, second) => {
          const product = (links[pair * LINKS + first] ?? 0) * (links[pair * LINKS + second] ?? 0);
          spread += product * (variance[row * size + column] ?? 0);
        });
      });
      const own = precision[pair] ?? 0;
      add('workerFamily', (effects[pair] ?? 0) ** 2 + 1 / own + spread / own ** 2);
    }
  }
  return eachGroup((group) => {
    const { squares, count } = sums.get(group) ?? { squares: 0, count: 0 };
    return Math.sqrt((PRIOR_WEIGHT * GROUPS[group].prior ** 2 + squares) / (PRIOR_WEIGHT + count));
  });
}
