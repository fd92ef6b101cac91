/** @file Tests that files of an earlier version can be read. See test/e2e/stored-formats.spec.ts for the other formats. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBatchFile } from '../../src/core/evaluation/tables/batch-file';
import { readPool } from '../../src/node/pool';

const FOLDER = join(import.meta.dirname, '../fixtures/stored');

it('a pool file of an earlier version keeps its worker and its Conductor', async () => {
  const { workers, conductor, notices } = await readPool(join(FOLDER, 'pool.json'));
  expect(workers.map(({ name, model }) => [name, model])).toEqual([['Desk', 'small']]);
  expect([conductor, notices]).toEqual(['template:best-single', []]);
});

it('a results file of an earlier version keeps its outcomes', async () => {
  const { batch, outcomes } = readBatchFile(await readFile(join(FOLDER, 'results.podium-batch.json'), 'utf8'), 'read');
  expect(batch.plan.methods.map(({ label }) => label)).toEqual(['lynx (recorded)', 'toad (recorded)']);
  expect(outcomes).toHaveLength(8);
});
