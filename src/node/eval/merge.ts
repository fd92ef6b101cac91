/** @file Merges the outcomes of shards. Rejects shards of different evaluations. */
import { basename, dirname } from 'node:path';
import { unitKey, type Batch, type Outcome } from '../../core/contract';
import { unitsOf } from '../../core/evaluation/batches/units';
import { exists } from '../exists';
import { UsageError } from '../exit-codes';
import { readOutcomes } from './outcome-file';
import { listShardPlans, readShardPlan, shardPaths, type StoredShard } from './shard-files';
import { shardOf } from './shards';

export interface MergedShards {
  readonly batch: Batch;
  /** The outcomes in the order of the plan's units. */
  readonly outcomes: readonly Outcome[];
  /** Total number of shards, including missing shards. */
  readonly of: number;
  /** 1-based indexes of the shards without a plan file in the folder. */
  readonly missing: readonly number[];
  /** Number of units (see `shards.ts`) without an outcome. */
  readonly holes: number;
  /** Path of each shard's run file, by shard index. A shard without a run file has no entry. */
  readonly runs: ReadonlyMap<number, string>;
}

/**
 * Merges the shards in a folder. Throws a `UsageError` if the folder has no shards, or shards that
 * can't be merged. Leaves out damaged lines.
 * @param report called with a sentence about the damaged lines of a file
 */
export async function mergeShards(folder: string, report: (sentence: string) => void): Promise<MergedShards> {
  const shards = await readShards(folder);
  const [first] = shards;
  if (!first)
    throw new UsageError(`There are no shards in ${folder}. Give the folder that podium eval --out has written.`);
  const { batch, of } = first;
  const found = new Map<string, Outcome>();
  const runs = new Map<number, string>();
  for (const shard of shards) {
    const files = shardPaths(folder, shard);
    if (await exists(files.runs)) runs.set(shard.index, files.runs);
    if (!(await exists(files.outcomes))) continue;
    for (const outcome of await readOutcomes(files.outcomes, report)) {
      if (outcome.batchId !== batch.id || shardOf(batch.plan, outcome, of) !== shard.index) {
        throw new UsageError(`${files.outcomes} has outcomes of another shard. The files were mixed up.`);
      }
      found.set(unitKey(outcome), outcome);
    }
  }
  const units = unitsOf(batch.plan);
  const outcomes = units.flatMap((unit) => found.get(unitKey(unit)) ?? []);
  const present = new Set(shards.map(({ index }) => index));
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !present.has(index));
  return { batch, outcomes, of, missing, holes: units.length - outcomes.length, runs };
}

async function readShards(folder: string): Promise<readonly StoredShard[]> {
  const shards: StoredShard[] = [];
  for (const path of await listShardPlans(folder)) {
    const shard = await readShardPlan(path);
    if (!shard) continue;
    if (shardPaths(dirname(path), shard).plan !== path) {
      throw new UsageError(`${path} was renamed: it is shard ${shard.index} of ${shard.of}.`);
    }
    const [first] = shards;
    if (first && first.digest !== shard.digest) {
      throw new UsageError(
        `${folder} has shards of different plans. The plan of ${basename(path)} differs from the others.`,
      );
    }
    if (first && first.of !== shard.of) {
      throw new UsageError(
        `${folder} mixes shards of ${first.of} with shards of ${shard.of}. Merge only shards with the same total.`,
      );
    }
    shards.push(shard);
  }
  return shards.toSorted((one, other) => one.index - other.index);
}
