import { afterEach, expect, it } from 'vitest';
import { createPlayDesk } from '../../../src/composition/evaluation/play-desk';
import { loadShippedCheckpoint } from '../../../src/composition/policy-checkpoint';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { foldEvents, type Outcome } from '../../../src/core/contract';
import { conductorMethod } from '../../../src/core/evaluation/batches/methods';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { createBatchStore } from '../../../src/platform/store/batches';
import { createDatabase, DATABASE } from '../../../src/platform/store/database';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { createRunStore } from '../../../src/platform/store/run-store';
import { addDataset, batchOf, methodSettings, practiceTasks } from '../../fixtures/evaluation/practice';
import { singleWorkerMethods } from '../../fixtures/evaluation/template-methods';

/** Few tasks keep the test fast. `npm run bench -- batches` measures batches of many tasks. */
const TASKS = 8;

const database = createDatabase();
afterEach(async () => {
  database.close();
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });
});

it('runs a batch in a Web Worker, and stores its runs and outcomes', async () => {
  const tasks = practiceTasks(TASKS);
  const settings = methodSettings();
  const batches = createBatchStore(database);
  const batch = batchOf(await addDataset(createDatasetStore(database), tasks, 'puzzles'), tasks, {
    methods: [
      ...singleWorkerMethods(settings),
      conductorMethod(HEURISTIC_INFO, settings),
      conductorMethod(POLICY_INFO, settings),
      conductorMethod(POLICY_INFO, settings, { access: 'all' }),
    ],
  });
  await batches.put(batch);
  const desk = createPlayDesk({ checkpoint: loadShippedCheckpoint });
  const outcomes: Outcome[] = [];
  for await (const some of desk.play(batch, unitsOf(batch.plan), { history: [] }, new AbortController().signal)) {
    outcomes.push(...some);
  }
  expect(outcomes).toHaveLength(TASKS * 8);
  expect(outcomes.every(({ status }) => status === 'graded')).toBe(true);
  expect(await batches.outcomes(batch.id)).toHaveLength(TASKS * 8);
  const store = createRunStore(database);
  expect(await store.count()).toBe(TASKS * 8);
  const run = foldEvents(await store.read(outcomes[0]?.runId ?? ''));
  expect(run).toMatchObject({ status: 'finished', batch: { id: batch.id }, grade: { by: 'grader' } });
});

it('fails only the policy’s runs of a batch if the policy’s weights can’t be loaded', async () => {
  const tasks = practiceTasks(2);
  const settings = methodSettings();
  const batches = createBatchStore(database);
  const batch = batchOf(await addDataset(createDatasetStore(database), tasks, 'puzzles'), tasks, {
    methods: [conductorMethod(HEURISTIC_INFO, settings), conductorMethod(POLICY_INFO, settings)],
  });
  await batches.put(batch);
  const desk = createPlayDesk({ checkpoint: () => Promise.reject(new Error('The weights are lost.')) });
  const played = desk.play(batch, unitsOf(batch.plan), { history: [] }, new AbortController().signal);
  for await (const _ of played);
  const outcomes = await batches.outcomes(batch.id);
  const statuses = (method: number) => outcomes.flatMap((each) => (each.method === method ? each.status : []));
  expect([statuses(0), statuses(1)]).toEqual([
    ['graded', 'graded'],
    ['failed', 'failed'],
  ]);
});
