import { expect, it } from 'vitest';
import { importBatch } from '../../../src/app/state/evaluate-files';
import { fault, FaultError } from '../../../src/core/contract';
import { writeBatchFile } from '../../../src/core/evaluation/tables';
import { outcome, storedBatch } from '../../fixtures/evaluation/batches';
import { createMemoryBatchStore } from '../../fixtures/evaluation/memory-stores';

it('leaves no batch and no results behind when storage refuses an import', async () => {
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
