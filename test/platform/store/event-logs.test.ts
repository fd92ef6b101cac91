import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { fault } from '../../../src/core/contract';
import type { MeasurementBody } from '../../../src/core/contract/measurement/measurement';
import { parseMeasurementEvent } from '../../../src/core/contract/measurement/measurement-schema';
import { createEventLogs } from '../../../src/platform/store/event-logs';
import { measuredWorker, planOf } from '../../core/measurement/session/measured';
import { testDatabase } from './harness';

const answer = { end: 'answered', right: true, readable: true, text: '42', usd: 0.1, ms: 900 } as const;
const plan = planOf([measuredWorker('ash', { sampling: { temperature: 0.5 } })]);
const BODIES: readonly MeasurementBody[] = [
  {
    type: 'started',
    plan: { ...plan, workers: plan.workers.map((each) => ({ ...each, reasoning: 'high', reasoningTokens: 1024 })) },
  },
  { type: 'asked', item: { worker: 0, number: 0, family: 'sums', level: 3, seed: 7, planted: false }, usd: 0.2 },
  {
    type: 'answered',
    worker: 0,
    number: 0,
    answer: { ...answer, verdict: 'unsure', fault: fault('timeout', 'Late.') },
  },
  { type: 'worker-ended', worker: 0, fault: fault('unauthorized', 'No key.') },
  { type: 'stopped' },
  { type: 'resumed' },
  { type: 'finished' },
];
const eventsOf = (id: string, at = 0) => BODIES.map((body, seq) => ({ ...body, id, seq, at: at + seq }));

it('stores every kind of event, lists measurements newest first, and removes one', async () => {
  const database = testDatabase();
  const store = createEventLogs(database, 'measurements', parseMeasurementEvent);
  for (const event of [...eventsOf('one', 10), ...eventsOf('two', 20)]) await store.append(event);
  expect(await store.list()).toEqual([
    { id: 'two', startedAt: 20 },
    { id: 'one', startedAt: 10 },
  ]);
  expect(await store.read('one')).toEqual(eventsOf('one', 10));
  await store.remove('one');
  expect(await store.read('one')).toEqual([]);
  expect(await store.list()).toEqual([{ id: 'two', startedAt: 20 }]);
});

it('leaves out events that can’t be read, and keeps them stored', async () => {
  const database = testDatabase();
  const store = createEventLogs(database, 'measurements', parseMeasurementEvent);
  for (const event of eventsOf('one')) await store.append(event);
  await database.transact(['measurements'], 'readwrite', (transaction) =>
    transaction.objectStore('measurements').put({ type: 'later', id: 'one', seq: 9, at: 9 }, ['one', 9]),
  );
  expect(await store.read('one')).toHaveLength(BODIES.length);
  const count = await database.transact(['measurements'], 'readonly', (transaction) =>
    transaction.objectStore('measurements').count(),
  );
  expect(count).toBe(BODIES.length + 1);
});
