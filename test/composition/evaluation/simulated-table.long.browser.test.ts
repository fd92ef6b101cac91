/** @file Checks that a simulated batch gives the same results table in Chromium as in Node (see `simulated-table.test.ts`). */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlayDesk } from '../../../src/composition/evaluation/play-desk';
import { loadShippedCheckpoint } from '../../../src/composition/policy-checkpoint';
import { isAbort, unitKey, type Batch } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { createBatchStore } from '../../../src/platform/store/batches';
import { createDatabase, DATABASE } from '../../../src/platform/store/database';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { createRunStore } from '../../../src/platform/store/run-store';
import { SIMULATED_TASKS, simulatedBatch, tableText } from '../../fixtures/evaluation/simulated-batch';
import tableOfNode from '../../fixtures/evaluation/simulated-table.txt?raw';

const database = createDatabase();
const batches = createBatchStore(database);
const desk = createPlayDesk({ checkpoint: loadShippedCheckpoint });
let batch: Batch;

async function clear(): Promise<void> {
  database.close();
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
}

beforeEach(async () => {
  await clear();
  batch = await simulatedBatch(createDatasetStore(database), SIMULATED_TASKS);
  await batches.put(batch);
});
afterEach(clear);

/**
 * Runs the units that have no outcome. A unit is one repeat of one task with one method.
 * @param reports number of reports after which the Web Worker is terminated
 */
async function play(reports = Infinity): Promise<void> {
  const done = new Set((await batches.outcomes(batch.id)).map(unitKey));
  const units = unitsOf(batch.plan).filter((unit) => !done.has(unitKey(unit)));
  const closing = new AbortController();
  let left = reports;
  try {
    for await (const _ of desk.play(batch, units, { history: [] }, closing.signal)) {
      left -= 1;
      if (left === 0) closing.abort();
    }
  } catch (thrown) {
    if (!isAbort(thrown)) throw thrown;
  }
}

it('an uninterrupted batch gives the same table as in Node', async () => {
  await play();
  expect(tableText(batch, await batches.outcomes(batch.id))).toBe(tableOfNode);
});

it('a batch with interruptions and lost outcomes gives the same table as in Node, without duplicate runs', async () => {
  await play(1);
  const first = (await batches.outcomes(batch.id)).length;
  await play(2);
  const second = (await batches.outcomes(batch.id)).length;
  const all = unitsOf(batch.plan).length;
  expect([0 < first, first < second, second < all]).toEqual([true, true, true]);
  // A Web Worker that is terminated after it stores runs, but before it stores their outcomes, leaves runs without outcomes.
  // This test cannot hit that short moment. Instead, it removes stored outcomes.
  const stored = await batches.outcomes(batch.id);
  await batches.removeOutcomes(batch.id, stored.slice(0, 10));
  await play();
  const outcomes = await batches.outcomes(batch.id);
  expect(tableText(batch, outcomes)).toBe(tableOfNode);
  expect(await createRunStore(database).count()).toBe(new Set(outcomes.map(({ runId }) => runId)).size);
});
