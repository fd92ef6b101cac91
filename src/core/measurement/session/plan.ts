/** @file Plans a measurement within a budget: the tasks and the planted answers of each worker, with their price and time. */
import { costOf, isFree, worstCost } from '../../contract';
import {
  MEASURED_TOKENS,
  type MeasuredDataset,
  type MeasuredWorker,
  type MeasurementPlan as StoredPlan,
} from '../../contract/measurement/measurement';
import { MEASURED_DOMAINS } from '../ability/observation';
import { planMeasurement, type MeasurementPlan } from '../ability/plan-measurement';
import type { OfferedDataset } from './dataset-tasks';

/** A worker to measure, with its setup's settings for thinking. */
export type Measurable = Pick<MeasuredWorker, 'worker' | 'reasoning' | 'reasoningTokens'>;

/** Of this many tasks, one more is a planted answer to check. */
const TASKS_A_CHECK = 5;
/** Expected tokens of a prompt with a generated task. */
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
  /** The chosen datasets, as they are stored. */
  readonly datasets: readonly MeasuredDataset[];
}

/**
 * Keeps the maximum cost of one call apart, because a call starts only if its maximum cost fits the budget.
 * @param usd the budget
 * @param chosen datasets that take part. Each of them counts as a domain
 */
export function planFor(
  measurables: readonly Measurable[],
  usd: number,
  chosen: readonly OfferedDataset[] = [],
): PlannedMeasurement {
  const longest = Math.max(INPUT, ...chosen.map(({ tokens }) => tokens));
  const most = Math.max(0, ...measurables.map(({ worker }) => worstCost(worker, longest, MEASURED_TOKENS) ?? 0));
  const domains = MEASURED_DOMAINS.length + chosen.length;
  const input = (INPUT * MEASURED_DOMAINS.length + chosen.reduce((sum, { tokens }) => sum + tokens, 0)) / domains;
  const facts = measurables.map((measurable) => factsOf(measurable, input));
  const plan = planMeasurement(facts, Math.max(0, usd - most), domains);
  const workers = measurables.flatMap((measurable, index) => {
    const tasks = plan.workers[index]?.tasks ?? 0;
    return tasks === 0 ? [] : [{ ...measurable, tasks, checks: Math.floor(tasks / TASKS_A_CHECK) }];
  });
  const datasets = chosen.map(({ id, name, revision, isConfidential }) => ({ id, name, revision, isConfidential }));
  return { plan, workers, datasets };
}

/** The plan to store. @param revision of the generated tasks */
export function storedPlan(
  { workers, datasets }: PlannedMeasurement,
  given: Pick<StoredPlan, 'seed' | 'usd' | 'revision'>,
): StoredPlan {
  return { workers, ...(datasets.length > 0 ? { datasets } : {}), ...given };
}

/** @param input expected tokens of a prompt */
function factsOf(measurable: Measurable, input: number) {
  const { worker } = measurable;
  const { output, seconds } = expectedOf(measurable);
  const cost = isFree(worker) ? 0 : costOf({ input, output }, worker.price);
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
