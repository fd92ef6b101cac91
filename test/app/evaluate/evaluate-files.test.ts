import { expect, it } from 'vitest';
import { exportPlan, importBatch } from '../../../src/app/evaluate/evaluate-files';
import { fault, FaultError } from '../../../src/core/contract';
import { readBatchFile, writeBatchFile } from '../../../src/core/evaluation/tables/batch-file';
import { outcome, storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore } from '../../fixtures/evaluation/memory-stores';

it('leaves no batch and no results behind when an import cannot be stored', async () => {
  const text = writeBatchFile(storedBatch('1'), [outcome(true)], { app: '1.0.0', exportedAt: 1_770_000_000_000 });
  for (const refused of ['put', 'addOutcomes'] as const) {
    const stored = createMemoryBatchStore();
    const full = async () => {
      throw new FaultError(fault('storage-full', 'There is no room.'));
    };
    const batches = { ...stored, [refused]: full };
    await expect(importBatch(new Blob([text]), batches, 'new')).rejects.toMatchObject({
      fault: { code: 'storage-full' },
    });
    expect(await stored.list()).toEqual([]);
    expect(await stored.outcomes('new')).toEqual([]);
  }
});

it('exports the plan of a batch but not its outcomes, and returns `false` if no file was picked', async () => {
  const batch = storedBatch('1');
  let [name, text] = ['', ''];
  const written = await exportPlan(batch, async (suggested) => {
    name = suggested;
    return { write: async (stream) => void (text = await new Response(stream).text()) };
  });
  expect(written).toBe(true);
  expect(name).toMatch(/-plan-.*\.podium-batch\.json$/);
  const file = readBatchFile(text, 'read');
  expect(file.batch.plan).toEqual(batch.plan);
  expect(file.outcomes).toEqual([]);
  expect(await exportPlan(batch, async () => null)).toBe(false);
});
