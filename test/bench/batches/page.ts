/**
 * @file Plays a batch with simulated workers in Chromium as the page does, in a Worker that stores runs and outcomes in IndexedDB.
 * `scripts/bench-batches.mjs` opens it, prints what it logs, and waits for `benchDone`. The hash is the number of tasks.
 */
import { createPlayDesk } from '../../../src/composition/evaluation/play-desk';
import { loadShippedCheckpoint } from '../../../src/composition/policy-checkpoint';
import { sha256Hex } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { createBatchStore } from '../../../src/platform/store/batches';
import { createDatabase } from '../../../src/platform/store/database';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { simulatedBatch, tableText } from '../../fixtures/evaluation/simulated-batch';

declare global {
  /** Digest of the table, once it is there. */
  var tableDigest: string | undefined;
}

async function benchBatches(tasks: number): Promise<void> {
  const database = createDatabase();
  const batches = createBatchStore(database);
  const batch = await simulatedBatch(createDatasetStore(database), tasks);
  await batches.put(batch);
  const units = unitsOf(batch.plan);
  const desk = createPlayDesk({ checkpoint: loadShippedCheckpoint });
  const before = performance.now();
  for await (const _ of desk.play(batch, units, { history: [] }, new AbortController().signal)) continue;
  const seconds = (performance.now() - before) / 1000;
  const rate = (units.length / seconds).toFixed(0);
  const stored = await batches.outcomes(batch.id);
  // Units that fail at once would look fast.
  const graded = stored.filter(({ status }) => status === 'graded').length;
  console.log(
    `  ${units.length} runs in a Worker with IndexedDB: ${rate} a second (aim: at least 300), ${graded} graded`,
  );
  globalThis.tableDigest = sha256Hex(tableText(batch, stored));
  database.close();
}

try {
  await benchBatches(Number(location.hash.slice(1)));
} catch (thrown) {
  console.error('The batch could not be measured.', thrown);
}
globalThis.benchDone = true;
