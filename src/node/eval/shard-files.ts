/** @file The plan, runs, outcomes and lock files of a shard. A shard is the part of a batch that one process runs. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson, type Batch } from '../../core/contract';
import { batchSchema } from '../../core/contract/evaluation/batch-schema';
import { exists } from '../exists';
import { UsageError } from '../exit-codes';
import { readTextFile } from '../read-text';
import { fileWords } from '../store/storage-fault';
import { writeWholeFile } from '../store/whole-file';
import type { EvaluationPlan } from './plan-file';
import { isShard, type Shard } from './shards';

export interface ShardPaths {
  readonly plan: string;
  readonly runs: string;
  readonly outcomes: string;
  readonly lock: string;
}

export function shardPaths(folder: string, { index, of }: Shard): ShardPaths {
  const path = (name: string) => join(folder, `shard-${index}-of-${of}.${name}`);
  return { plan: path('plan.json'), runs: path('runs.jsonl'), outcomes: path('outcomes.jsonl'), lock: path('lock') };
}

const FORMAT = 'podium-shard';

const fileSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  digest: z.string(),
  index: z.int(),
  of: z.int(),
  batch: batchSchema,
});

export interface StoredShard extends Shard {
  readonly digest: string;
  readonly batch: Batch;
}

/** Writes the plan of a shard. After a crash, the file is either complete or missing. */
export async function writeShardPlan(path: string, { index, of }: Shard, plan: EvaluationPlan): Promise<void> {
  const { digest, batch } = plan;
  const text = `${JSON.stringify({ format: FORMAT, version: 1, digest, index, of, batch }, null, 2)}\n`;
  await writeWholeFile(path, text);
}

/** Returns `null` if there is no such file. Throws a `UsageError` if the file can't be read or is damaged. */
export async function readShardPlan(path: string): Promise<StoredShard | null> {
  if (!(await exists(path))) return null;
  const parsed = z.safeParse(fileSchema, parseJson(await readTextFile(path)));
  if (!parsed.success || !isShard(parsed.data))
    throw new UsageError(
      `${path} is not the plan of a shard. Delete the files of this shard, then run the command again.`,
    );
  return parsed.data;
}

/** The paths of all shard plans in a folder. Throws a `UsageError` if the folder can't be read. */
export async function listShardPlans(folder: string): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (thrown) {
    throw new UsageError(`Couldn’t read the folder ${folder}. ${fileWords(thrown)}`);
  }
  return names.filter((name) => /^shard-\d+-of-\d+\.plan\.json$/.test(name)).map((name) => join(folder, name));
}
