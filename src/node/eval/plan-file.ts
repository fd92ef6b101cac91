/**
 * @file Reads the plan of an evaluation from a `podium-batch` file, as the page exports it, and applies the command's options.
 */
import { MOST_SEED, sha256Hex, type Batch, type BatchPlan } from '../../core/contract';
import { readBatchFile } from '../../core/evaluation/tables/batch-file';
import { withMeasuredChecks } from '../../core/evaluation/batches/measured-checks';
import { readMeasuredChecks } from '../measure/measurement-file';
import type { CommandLine, OptionTypes } from '../command-line';
import { UsageError } from '../exit-codes';
import { readTextFile } from '../read-text';

/** The options about a plan: the files of its datasets, and values that override the plan's own. */
export const PLAN_OPTIONS = {
  data: { type: 'string', multiple: true },
  map: { type: 'string', multiple: true },
  'accept-references': { type: 'boolean' },
  limit: { type: 'string' },
  repeats: { type: 'string' },
  seed: { type: 'string' },
  jobs: { type: 'string', short: 'j' },
  measured: { type: 'string' },
} as const satisfies OptionTypes;

export interface EvaluationPlan {
  /**
   * The batch. The command's options are applied to its plan. The batch's id is the start of `digest`, so all
   * shards of a plan have the same batch id.
   */
  readonly batch: Batch;
  /** SHA-256 of all parts of the plan that determine the results. Shards with the same digest can be merged. */
  readonly digest: string;
}

/** Throws a `UsageError` if the file can't be read or an option is invalid, and a `FaultError` if the file is not a batch. */
export async function readPlan(path: string, line: CommandLine): Promise<EvaluationPlan> {
  const { batch } = readBatchFile(await readTextFile(path), 'plan');
  const measured = line.text('measured');
  const plan = await withMeasuredChecks(
    changed(batch.plan, line),
    measured === null ? undefined : await readMeasuredChecks(measured),
  );
  const digest = digestOf(plan);
  return { batch: { ...batch, id: digest.slice(0, 32), plan, isImported: false }, digest };
}

function changed(plan: BatchPlan, line: CommandLine): BatchPlan {
  const limit = line.count('limit', 1);
  const seed = line.count('seed', 0);
  if (seed !== null && seed > MOST_SEED) throw new UsageError(`--seed must be at most ${MOST_SEED}.`);
  const datasets = plan.datasets.map((dataset) => ({
    ...dataset,
    taskIds: dataset.taskIds.slice(0, limit ?? undefined),
  }));
  return {
    ...plan,
    datasets,
    repeats: line.count('repeats', 1) ?? plan.repeats,
    seed: seed ?? plan.seed,
    concurrency: line.count('jobs', 1) ?? plan.concurrency,
  };
}

/**
 * The digest excludes the budget, the number of parallel runs and the columns of the datasets, because they don't change results.
 * Shards may differ in them.
 */
function digestOf({ usd: _usd, concurrency: _concurrency, ...plan }: BatchPlan): string {
  const datasets = plan.datasets.map(({ map: _map, ...dataset }) => dataset);
  return sha256Hex(JSON.stringify({ ...plan, datasets }));
}
