/** @file Plans a measurement: how many tasks each worker gets for a budget, what it costs, and how precise it will be. */
import { LEAST_TASKS } from './fit-abilities';
import { MEASURED_DOMAINS } from './observation';

/** Number of tasks in each domain of a full measurement. */
const FULL_TASKS = 30;

/**
 * The half-width of an ability's 90 % interval is about SPREAD / √(tasks + PRIOR_TASKS). Taken from `npm run bench -- measure`.
 */
const SPREAD = 0.6;
const PRIOR_TASKS = 20;

/** Answers of thinking models may be much longer than estimated. So the plan reserves more money for them. */
const THINKING_RESERVE = 1.5;

export interface MeasuredWorker {
  readonly id: string;
  /** The estimated cost of a task, in US dollars. `null`: unknown, so the worker can't be measured within a budget. */
  readonly costPerTask: number | null;
  readonly secondsPerTask: number;
  readonly thinking: boolean;
}

export interface WorkerPlan {
  readonly worker: string;
  readonly tasks: number;
  /** US dollars. */
  readonly cost: number;
  /** Expected half-width of the 90 % interval of the overall ability, from 0 to 1. `null`: no tasks. */
  readonly halfWidth: number | null;
  /** There are too few tasks for statements about single domains. */
  readonly pooled: boolean;
}

export interface MeasurementPlan {
  readonly workers: readonly WorkerPlan[];
  /** US dollars, at most the budget. */
  readonly cost: number;
  /** Expected duration if the workers answer at the same time, each of them one task after another. */
  readonly seconds: number;
  /** With fewer tasks of a worker, there is no statement about single domains. */
  readonly pooledBelow: number;
  /** Cost of a full measurement of all workers with known prices, in US dollars. */
  readonly fullCost: number;
  /** Expected half-width of the interval in a full measurement. */
  readonly fullHalfWidth: number;
}

/** The expected half-width of the 90 % interval of an overall ability. */
function expectedHalfWidth(tasks: number): number {
  return SPREAD / Math.sqrt(tasks + PRIOR_TASKS);
}

/**
 * Spends the budget where it narrows the intervals most. So expensive workers get fewer tasks, and no worker gets more than in a
 * full measurement.
 * @param budget US dollars
 * @param domains number of domains. Tasks are given in portions of one task a domain
 */
export function planMeasurement(
  workers: readonly MeasuredWorker[],
  budget: number,
  domains: number = MEASURED_DOMAINS.length,
): MeasurementPlan {
  const full = FULL_TASKS * domains;
  const tasks = new Map(workers.map(({ id }) => [id, 0]));
  const tasksOf = ({ id }: MeasuredWorker) => tasks.get(id) ?? 0;
  let left = budget;
  for (;;) {
    const affordable = workers.filter((worker) => tasksOf(worker) < full && domains * reserved(worker) <= left);
    if (affordable.length === 0) break;
    const next = affordable.reduce((best, each) =>
      gain(each, tasksOf(each), domains) > gain(best, tasksOf(best), domains) ? each : best,
    );
    tasks.set(next.id, tasksOf(next) + domains);
    left -= domains * reserved(next);
  }
  const pooledBelow = LEAST_TASKS * domains;
  const plans = workers.map((worker): WorkerPlan => {
    const count = tasksOf(worker);
    return {
      worker: worker.id,
      tasks: count,
      cost: count * (worker.costPerTask ?? 0),
      halfWidth: count > 0 ? expectedHalfWidth(count) : null,
      pooled: count < pooledBelow,
    };
  });
  return {
    workers: plans,
    cost: plans.reduce((sum, { cost }) => sum + cost, 0),
    seconds: Math.max(0, ...workers.map((worker) => tasksOf(worker) * worker.secondsPerTask)),
    pooledBelow,
    fullCost: workers.reduce((sum, { costPerTask }) => sum + full * (costPerTask ?? 0), 0),
    fullHalfWidth: expectedHalfWidth(full),
  };
}

/** Dollars that a task of the worker may use up. */
function reserved({ costPerTask, thinking }: MeasuredWorker): number {
  return (costPerTask ?? Infinity) * (thinking ? THINKING_RESERVE : 1);
}

/** How much a portion narrows the interval, per dollar. */
function gain(worker: MeasuredWorker, tasks: number, portion: number): number {
  const narrowed = expectedHalfWidth(tasks) ** 2 - expectedHalfWidth(tasks + portion) ** 2;
  return narrowed / (reserved(worker) + 1e-9);
}
