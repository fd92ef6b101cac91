import { expect, it } from 'vitest';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { readShard, shardOf } from '../../../src/node/eval/shards';
import { simulatedBatch } from './plans';

it('divides a batch among 8 shards whose sizes are within 40 % of the mean', () => {
  const { plan } = simulatedBatch(100);
  const units = unitsOf(plan);
  const sizes = Array<number>(8).fill(0);
  for (const unit of units) {
    const index = shardOf(plan, unit, 8) - 1;
    sizes[index] = (sizes[index] ?? 0) + 1;
  }
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(units.length);
  expect(sizes).toHaveLength(8);
  const mean = units.length / 8;
  expect(sizes.every((size) => size > 0.6 * mean && size < 1.4 * mean)).toBe(true);
});

it.each([
  ['3/8', {}, { index: 3, of: 8 }],
  ['auto/8', { JOB_COMPLETION_INDEX: '0' }, { index: 1, of: 8 }],
  ['auto/8', { JOB_COMPLETION_INDEX: '7' }, { index: 8, of: 8 }],
  ['auto/8', { SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_MIN: '1' }, { index: 1, of: 8 }],
  // The variables that Slurm sets for `--array=3,5`.
  ['auto/8', { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_MIN: '3', SLURM_ARRAY_TASK_COUNT: '2' }, { index: 3, of: 8 }],
  ['auto/8', { SLURM_ARRAY_TASK_ID: '5', SLURM_ARRAY_TASK_MIN: '3', SLURM_ARRAY_TASK_COUNT: '2' }, { index: 5, of: 8 }],
  [
    'auto/auto',
    { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_COUNT: '4' },
    { index: 1, of: 4 },
  ],
])('reads the shard %s with the environment variables %j', (text, environment, shard) => {
  expect(readShard(text, environment)).toEqual(shard);
});

it.each(['0/8', '9/8', 'auto/8', 'auto/auto', '1', '1/0', '-1/8', '1.5/8'])('rejects --shard %s', (text) => {
  // With `auto/8`, the index of the job must be at most 7.
  expect(() => readShard(text, { JOB_COMPLETION_INDEX: '8' })).toThrow(/^(--shard|There is no shard|There must be) /);
});

it('rejects the Slurm array id 0 with --shard auto/8, where each id is the number of a shard, from 1 to 8', () => {
  const environment = { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_COUNT: '8' };
  expect(() => readShard('auto/8', environment)).toThrow('Don’t use the id 0');
});
