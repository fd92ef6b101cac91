/**
 * @file Compares the result table of a simulated batch in Node with a snapshot file. `simulated-table.long.browser.test.ts` compares
 * Chromium's table with the same file.
 */
import { expect, it } from 'vitest';
import { createPolicyConductor } from '../../../../src/core/conductor/policy';
import { unitKey, type Outcome } from '../../../../src/core/contract';
import { unitsOf } from '../../../../src/core/evaluation/batches/units';
import checkpoint from '../../../../models/policy/checkpoint.json';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import { memoryRuns, practiceConductor, practicePlayer } from '../../../fixtures/evaluation/practice';
import { SIMULATED_TASKS, simulatedBatch, tableText } from '../../../fixtures/evaluation/simulated-batch';

/** To update the snapshot file, for example after training the policy, run `npx vitest run --project unit simulated-table -u`. */
const TABLE = '../../../fixtures/evaluation/simulated-table.txt';

const policy = createPolicyConductor(checkpoint);

async function setUp() {
  const datasets = createMemoryDatasetStore();
  const batch = await simulatedBatch(datasets, SIMULATED_TASKS);
  const batches = createMemoryBatchStore();
  const store = memoryRuns();
  const play = (units = unitsOf(batch.plan), storing: Pick<typeof batches, 'addOutcomes'> = batches) =>
    practicePlayer({
      datasets,
      batches: { ...batches, addOutcomes: storing.addOutcomes },
      store,
      conductorFor: (info) => (info.kind === 'policy' ? policy : practiceConductor(info)),
    }).play(batch, units, { history: [] }, new AbortController().signal);
  return { batch, batches, store, play };
}

it('a simulated batch gives the snapshot table if it is not interrupted', async () => {
  const { batch, batches, play } = await setUp();
  for await (const _ of play()) continue;
  await expect(tableText(batch, await batches.outcomes(batch.id))).toMatchFileSnapshot(TABLE);
});

it('a simulated batch gives the snapshot table if the page closes before it stores the outcomes of stored runs', async () => {
  const { batch, batches, store, play } = await setUp();
  let pages = 0;
  const dying = {
    addOutcomes: async (outcomes: readonly Outcome[]) => {
      pages += 1;
      if (pages > 2) throw new Error('The page is gone.');
      await batches.addOutcomes(outcomes);
    },
  };
  const killed = (async () => {
    for await (const _ of play(undefined, dying)) continue;
  })();
  await expect(killed).rejects.toThrow('The page is gone.');
  const done = new Set((await batches.outcomes(batch.id)).map(unitKey));
  expect(store.runs.size).toBeGreaterThan(done.size);
  const left = unitsOf(batch.plan).filter((unit) => !done.has(unitKey(unit)));
  for await (const _ of play(left)) continue;
  await expect(tableText(batch, await batches.outcomes(batch.id))).toMatchFileSnapshot(TABLE);
});
