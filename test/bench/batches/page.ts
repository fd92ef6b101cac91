/**
 * @file Runs a batch with simulated workers in Chromium. As in Podium, a Web Worker runs the batch and stores runs and outcomes
 * in IndexedDB. `scripts/bench-batches.mjs` opens this page, prints its console output, and waits for `benchDone`. The URL's hash
 * is the number of tasks. With a hash like `1000,wait`, the batch starts when `startBench` is called. A stored batch is resumed.
 */
import { createPlayDesk } from '../../../src/composition/evaluation/play-desk';
import { loadShippedCheckpoint } from '../../../src/composition/policy-checkpoint';
import { sha256Hex, unitKey } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { createBatchStore } from '../../../src/platform/store/batches';
import { createDatabase } from '../../../src/platform/store/database';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { simulatedBatch, tableText } from '../../fixtures/evaluation/simulated-batch';

declare global {
  /** SHA-256 of the results table, set after the batch. */
  var tableDigest: string | undefined;
  /** Number of runs with an outcome so far. */
  var outcomesDone: number | undefined;
  var runsPerSecond: number | undefined;
  var startBench: (() => void) | undefined;
}

const ID = 'batch';

async function benchBatches(tasks: number): Promise<void> {
  const database = createDatabase();
  const batches = createBatchStore(database);
  const stored = await batches.get(ID);
  const batch = stored ?? (await simulatedBatch(createDatasetStore(database), tasks));
  if (!stored) await batches.put(batch);
  const known = new Set((await batches.outcomes(ID)).map(unitKey));
  const units = unitsOf(batch.plan).filter((unit) => !known.has(unitKey(unit)));
  const desk = createPlayDesk({ checkpoint: loadShippedCheckpoint });
  const before = performance.now();
  globalThis.outcomesDone = known.size;
  for await (const outcomes of desk.play(batch, units, { history: [] }, new AbortController().signal))
    globalThis.outcomesDone += outcomes.length;
  const seconds = (performance.now() - before) / 1000;
  globalThis.runsPerSecond = units.length / seconds;
  const all = await batches.outcomes(ID);
  // The number of graded runs is printed, because runs that fail immediately would look fast.
  const graded = all.filter(({ status }) => status === 'graded').length;
  const where = document.visibilityState === 'visible' ? 'foreground' : 'background';
  const left = known.size === 0 ? `${units.length} runs` : `the last ${units.length} runs`;
  console.log(
    `  ${left} in a Web Worker with IndexedDB, page in the ${where}: ${runsPerSecond.toFixed(0)} a second (aim: at least 300), ${graded} graded`,
  );
  globalThis.tableDigest = sha256Hex(tableText(batch, all));
  database.close();
}

try {
  const [tasks, when] = location.hash.slice(1).split(',');
  if (when === 'wait') await new Promise<void>((resolve) => (globalThis.startBench = resolve));
  await benchBatches(Number(tasks));
} catch (thrown) {
  console.error('The batch could not be measured.', thrown);
}
globalThis.benchDone = true;
