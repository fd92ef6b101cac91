import { expect, test } from 'vitest';
import { isKnownEvent, isStrict, traitsOf, type EventBody, type StoredEvent } from '../../../../src/core/contract';
import { eventSchemas } from '../../../../src/core/contract/storage/schema';
import { stampEvents } from '../../../fixtures/run-events';

const stamped = (type: string): StoredEvent => ({ type, runId: 'run-1', seq: 1, at: 0, segment: 0, elapsed: 0 });
const waiting = (cause: 'money' | null): EventBody[] => [
  { type: 'step-waiting', round: 0, step: 0, attempt: 0, for: cause, delay: null },
  { type: 'plan-waiting', round: 0, for: cause, delay: null },
];

test('every type of event that has a schema has a durability and an effect on the summary', () => {
  expect(Object.keys(eventSchemas).filter((type) => !isKnownEvent(stamped(type)))).toEqual([]);
});

test('stores a waiting event with strict durability only if the event reports that the call is sent', () => {
  expect(stampEvents(waiting('money')).map(isStrict)).toEqual([false, false]);
  expect(stampEvents(waiting(null)).map(isStrict)).toEqual([true, true]);
});

test('an event of an unknown type updates the summary, and is stored with relaxed durability', () => {
  expect(traitsOf(stamped('step-praised'))).toEqual({ durability: 'relaxed', summary: 'write' });
});
