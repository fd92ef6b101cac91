/** @file Computes the results of a batch. Pauses between parts, so that the page stays responsive with many outcomes. */
import {
  GRADING_PROFILES,
  unitKey,
  type Batch,
  type BatchPlan,
  type GradingProfile,
  type Outcome,
  type PoolWorker,
} from '../../core/contract';
import { checkerCounts, checkerRows, type CheckerRow } from '../../core/analysis/statistics/check-trust';
import { BOOTSTRAP_DRAWS, pairedDifference, type Difference } from '../../core/evaluation/statistics/bootstrap';
import {
  byDataset,
  byMethod,
  rewardHistogram,
  stepCounts,
  workerShares,
  type RewardHistogram,
  type StepCounts,
  type WorkerShare,
} from '../../core/evaluation/statistics/workflows';
import { observationsOf } from '../../core/evaluation/batches/measured-checks';
import { disagreement } from '../../core/evaluation/statistics/disagreement';
import { paretoFront } from '../../core/analysis/statistics/pareto';
import { taskKey } from '../../core/evaluation/statistics/score';
import { resultsTable, type ResultsTable } from '../../core/evaluation/tables/results-table';

export interface CostScorePoint {
  readonly id: string;
  readonly label: string;
  /** Mean cost of a run, in `BatchResults.unit`. */
  readonly cost: number;
  /** Mean score, from 0 to 1. */
  readonly score: number;
  /** Standard error of the score. `null`: unknown. */
  readonly error: number | null;
  readonly isOnFront: boolean;
}

/** Workflow statistics of a method, on all datasets or on one dataset. */
export interface Workflows {
  readonly steps: StepCounts | null;
  readonly workers: readonly WorkerShare[];
  readonly rewards: RewardHistogram;
}

export interface BatchResults {
  readonly table: ResultsTable;
  /**
   * The difference between each method and the method at index `compared`. An entry is `null` if its method is
   * the one at `compared`, or if no task is graded for both methods. If `compared` is `null`, all entries are
   * `null`.
   */
  readonly differences: readonly (Difference | null)[];
  readonly points: readonly CostScorePoint[];
  /** Unit of the cost axis. `calls`: the cost of some calls is unknown, or all calls are free. */
  readonly unit: 'usd' | 'calls';
  /** Workflow statistics of each method, in the order of the plan. */
  readonly methods: readonly (Workflows & { readonly datasets: readonly Workflows[] })[];
  /** The `taskKey` of each task that some methods solve and others do not. */
  readonly disputed: ReadonlySet<string>;
  /**
   * How often the verdicts of workers in the role *verify* were true, by id of the worker. Empty: none were asked for verdicts or
   * measured.
   */
  readonly checkers: readonly CheckerRow[];
  /** Grading profiles under which at least one outcome has a verdict. */
  readonly profiles: readonly GradingProfile[];
  /** All workers of the batch, by id. */
  readonly workers: ReadonlyMap<string, PoolWorker>;
}

export interface ResultsOptions {
  readonly profile: GradingProfile;
  /** Index of the method with which the other methods are compared. `null`: no comparison. */
  readonly compared: number | null;
  /** Whether the answer format `answer-tags` changes the question of any task. Absent or `null`: unknown. */
  readonly hasTagTasks?: boolean | null;
  /** Yields to the event loop, so that the page can handle input. */
  readonly pause: () => Promise<void>;
}

/**
 * Maximum product of outcomes and bootstrap draws in one comparison. A comparison with very many outcomes still
 * makes `FEWEST_DRAWS` draws, and exceeds this maximum.
 */
const MOST_ADDITIONS = 10_000_000;
const FEWEST_DRAWS = 1_000;

export async function computeResults(
  batch: Batch,
  outcomes: readonly Outcome[],
  { profile, compared, hasTagTasks = null, pause }: ResultsOptions,
): Promise<BatchResults> {
  const { plan } = batch;
  const groups = byMethod(outcomes, plan.methods.length);
  const table = resultsTable(batch, outcomes, { profile, hasTagTasks });
  await pause();
  const methods: BatchResults['methods'][number][] = [];
  for (const own of groups) {
    const datasets = byDataset(own, plan.datasets.length).map((each) => workflowsOf(each, profile));
    methods.push({ ...workflowsOf(own, profile), datasets });
    await pause();
  }
  const differences: (Difference | null)[] = [];
  const reference = compared === null ? undefined : groups[compared];
  for (const [index, own] of groups.entries()) {
    const isReference = reference === undefined || index === compared;
    const draws = Math.max(
      FEWEST_DRAWS,
      Math.min(BOOTSTRAP_DRAWS, Math.floor(MOST_ADDITIONS / Math.max(1, own.length))),
    );
    differences.push(isReference ? null : pairedDifference(own, reference, { profile, seed: plan.seed, draws }));
    await pause();
  }
  const { tasks } = disagreement(outcomes, plan.methods.length, profile);
  await pause();
  const disputed = tasks.filter(({ right, wrong }) => right.length > 0 && wrong.length > 0).map(taskKey);
  return {
    table,
    differences,
    ...costScore(table),
    methods,
    disputed: new Set(disputed),
    checkers: checkersOf(plan, outcomes),
    profiles: GRADING_PROFILES.filter((each) => outcomes.some(({ verdicts }) => verdicts[each] !== undefined)),
    workers: new Map(plan.methods.flatMap(({ settings }) => settings.pool).map((worker) => [worker.id, worker])),
  };
}

/** Methods with equal settings share runs, so each run counts once. */
function checkersOf({ measuredChecks = [] }: BatchPlan, outcomes: readonly Outcome[]): readonly CheckerRow[] {
  const byRun = new Map(outcomes.map((outcome) => [outcome.runId ?? unitKey(outcome), outcome.checks ?? []]));
  const planted = checkerCounts(observationsOf(measuredChecks)).map(
    ({ checker, ...counts }) => [checker, counts] as const,
  );
  return checkerRows(checkerCounts([...byRun.values()].flat()), new Map(planted));
}

function workflowsOf(outcomes: readonly Outcome[], profile: GradingProfile): Workflows {
  return {
    steps: stepCounts(outcomes),
    workers: workerShares(outcomes),
    rewards: rewardHistogram(outcomes, profile),
  };
}

function costScore({ methods }: ResultsTable): Pick<BatchResults, 'points' | 'unit'> {
  const scored = methods.flatMap(({ id, label, mean, usage }) => (mean && usage ? [{ id, label, mean, usage }] : []));
  const isPriced = scored.every(({ usage }) => usage.unpriced === 0) && scored.some(({ usage }) => usage.usd > 0);
  const plain = scored.map(({ id, label, mean, usage }) => ({
    id,
    label,
    cost: isPriced ? usage.usd : usage.calls,
    score: mean.mean,
    error: mean.error,
  }));
  const front = new Set(paretoFront(plain).map(({ id }) => id));
  return {
    points: plain.map((point) => ({ ...point, isOnFront: front.has(point.id) })),
    unit: isPriced ? 'usd' : 'calls',
  };
}

/** The method with the best mean score under the profile `strict`. `null`: no method has a score on every dataset. */
export function bestMethod(
  batch: Batch,
  outcomes: readonly Outcome[],
): { readonly label: string; readonly score: number } | null {
  const { methods } = resultsTable(batch, outcomes, { profile: 'strict' });
  const scored = methods.flatMap(({ label, mean }) => (mean ? [{ label, score: mean.mean }] : []));
  return scored.toSorted((one, other) => other.score - one.score)[0] ?? null;
}

/** The outcomes of all methods on one task. */
export interface TaskRow {
  /** The result of `taskKey` for this task. */
  readonly key: string;
  /** Index into the plan's datasets. */
  readonly dataset: number;
  readonly taskId: string;
  /** For each method, its outcomes in the order of the repeats. Missing outcomes are left out. */
  readonly methods: readonly (readonly Outcome[])[];
}

/** The tasks of a batch with the outcomes of all methods, in the order of the plan. */
export function taskRows({ plan }: Batch, outcomes: readonly Outcome[]): readonly TaskRow[] {
  const known = new Map(outcomes.map((outcome) => [unitKey(outcome), outcome]));
  return plan.datasets.flatMap(({ taskIds }, dataset) =>
    taskIds.map((taskId): TaskRow => {
      const methods = plan.methods.map((_, method) =>
        Array.from({ length: plan.repeats }, (__, repeat) =>
          known.get(unitKey({ dataset, taskId, method, repeat })),
        ).filter((outcome) => outcome !== undefined),
      );
      return {
        key: taskKey({ dataset, taskId }),
        dataset,
        taskId,
        methods,
      };
    }),
  );
}
