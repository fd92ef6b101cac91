/**
 * @file Divides the units of a batch into shards. Each process computes the same division from the plan and the number of
 * shards, so the processes need no coordination.
 */
import { sha256Hex, type BatchPlan, type Unit } from '../../core/contract';
import { UsageError } from '../exit-codes';

export interface Shard {
  /** 1-based. */
  readonly index: number;
  readonly of: number;
}

/** Maximum number of shards. No cluster needs that many. */
const MOST_SHARDS = 100_000;

/**
 * Parses the option `--shard`. `3/8` means shard 3 of 8. With `auto` before the slash, the index
 * comes from the environment of a Slurm or Kubernetes job. With `auto` after the slash, the number
 * of shards comes from Slurm. Throws a `UsageError` if the text or the environment is invalid, or
 * if there is no such shard.
 * @param text `null`: one shard with all units
 */
export function readShard(text: string | null, environment: NodeJS.ProcessEnv): Shard {
  if (text === null) return { index: 1, of: 1 };
  const found = /^(auto|\d+)\/(auto|\d+)$/.exec(text);
  if (!found) throw new UsageError(`--shard must look like 1/8 or auto/8, not “${text}”.`);
  const [, index = '', count = ''] = found;
  const of = count === 'auto' ? countOf(environment) : Number(count);
  const shard = { index: index === 'auto' ? indexOf(environment, count === 'auto') : Number(index), of };
  if (of > MOST_SHARDS) throw new UsageError(`There can be at most ${MOST_SHARDS} shards, not ${count}.`);
  if (of < 1) throw new UsageError('There must be at least one shard.');
  if (!isShard(shard)) {
    throw new UsageError(`There is no shard ${shard.index} of ${of}. The shards have the numbers 1 to ${of}.`);
  }
  return shard;
}

/** Whether there can be such a shard. */
export function isShard({ index, of }: Shard): boolean {
  return of <= MOST_SHARDS && index >= 1 && index <= of;
}

/**
 * Reads the 1-based shard index of this process from the environment of a Slurm array or a Kubernetes Indexed
 * Job.
 * @param isWhole `true`: the Slurm array has one id for each shard, and its ids may start at any number.
 * `false`: each id is the index of a shard, and the array may leave shards out
 */
function indexOf(environment: NodeJS.ProcessEnv, isWhole: boolean): number {
  const task = numberIn(environment, 'SLURM_ARRAY_TASK_ID');
  if (task !== null) {
    // The first id of the array belongs to shard 1.
    if (isWhole) return task - (numberIn(environment, 'SLURM_ARRAY_TASK_MIN') ?? 1) + 1;
    if (task > 0) return task;
    throw new UsageError(
      'With --shard auto/N, the ids of the Slurm array are the numbers of the shards, from 1 to N. Don’t use the id 0.',
    );
  }
  const completion = numberIn(environment, 'JOB_COMPLETION_INDEX');
  if (completion !== null) return completion + 1;
  throw new UsageError('--shard auto needs SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX in the environment.');
}

function countOf(environment: NodeJS.ProcessEnv): number {
  const count = numberIn(environment, 'SLURM_ARRAY_TASK_COUNT');
  if (count !== null) return count;
  throw new UsageError('--shard …/auto needs SLURM_ARRAY_TASK_COUNT in the environment. Give the number of shards.');
}

function numberIn(environment: NodeJS.ProcessEnv, name: string): number | null {
  const text = environment[name];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

/** The 1-based index of a unit's shard. */
export function shardOf({ datasets, methods }: BatchPlan, unit: Unit, of: number): number {
  const { revision = '' } = datasets[unit.dataset] ?? {};
  const { id = '' } = methods[unit.method] ?? {};
  const digest = sha256Hex(JSON.stringify([revision, unit.taskId, id, unit.repeat]));
  // Uses only the first 48 bits of the digest, because a JavaScript number is exact only up to 53
  // bits.
  return (Number.parseInt(digest.slice(0, 12), 16) % of) + 1;
}
