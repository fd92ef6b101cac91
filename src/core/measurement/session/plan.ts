/** @file Plans a measurement within a budget: the tasks and the planted answers of each worker, with their price and time. */
import { costOf, isFree, worstCost } from '../../contract';
import {
  MEASURED_TOKENS,
  type MeasuredWorker,
  type MeasurementPlan as StoredPlan,
} from '../../contract/measurement/measurement';
import { planMeasurement, type MeasurementPlan } from '../ability';

/** A worker to measure, with its setup's settings for thinking. */
export type Measurable = Pick<MeasuredWorker, 'worker' | 'reasoning' | 'reasoningTokens'>;

/** Of this many tasks, one more is a planted answer to check. */
const TASKS_A_CHECK = 5;
/** Expected tokens of a prompt. */
const INPUT = 300;
/** Expected output tokens of a call, and expected seconds, by whether the worker thinks. */
const THINKING = { output: 2_400, seconds: 40 };
const PLAIN = { output: 600, seconds: 10 };
/** If it is not known whether the worker thinks. */
const UNKNOWN = { output: 1_500, seconds: 20 };

export interface PlannedMeasurement {
  readonly plan: MeasurementPlan;
  /** The workers with their tasks, for `Measurer.start`. Workers without tasks are left out. */
  readonly workers: readonly MeasuredWorker[];
}

/**
 * Keeps the maximum cost of one call apart, because a call starts only if its maximum cost fits the budget.
 * @param usd the budget
 */
export function planFor(measurables: readonly Measurable[], usd: number): PlannedMeasurement {
  const most = Math.max(0, ...measurables.map(({ worker }) => worstCost(worker, INPUT, MEASURED_TOKENS) ?? 0));
  const plan = planMeasurement(measurables.map(factsOf), Math.max(0, usd - most));
  const workers = measurables.flatMap((measurable, index) => {
    const tasks = plan.workers[index]?.tasks ?? 0;
    return tasks === 0 ? [] : [{ ...measurable, tasks, checks: Math.floor(tasks / TASKS_A_CHECK) }];
  });
  return { plan, workers };
}

/** The plan to store. @param revision of the generated tasks */
export function storedPlan(
  { workers }: PlannedMeasurement,
  given: Pick<StoredPlan, 'seed' | 'usd' | 'revision'>,
): StoredPlan {
  return { workers, ...given };
}

function factsOf(measurable: Measurable) {
  const { worker } = measurable;
  const { output, seconds } = expectedOf(measurable);
  const cost = isFree(worker) ? 0 : costOf({ input: INPUT, output }, worker.price);
  const share = 1 + 1 / TASKS_A_CHECK;
  return {
    id: worker.id,
    costPerTask: cost === null ? null : cost * share,
    secondsPerTask: seconds * share,
    thinking: worker.thinks ?? true,
  };
}

function expectedOf({ worker: { thinks } }: Measurable): typeof PLAIN {
  if (thinks === undefined) return UNKNOWN;
  return thinks ? THINKING : PLAIN;
}
