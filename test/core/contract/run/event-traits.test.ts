import { expect, test } from 'vitest';
import { isKnownEvent, isStrict, traitsOf, type EventBody, type StoredEvent } from '../../../../src/core/contract';
import { eventSchemas } from '../../../../src/core/contract/storage/schema';
import { stampEvents } from '../../../fixtures/run-events';

const stamped = (type: string): StoredEvent => ({ type, runId: 'run-1', seq: 1, at: 0, segment: 0, elapsed: 0 });
const waiting = (cause: 'money' | null): EventBody[] => [
  { type: 'step-waiting', round: 0, step: 0, attempt: 0, for: cause, delay: null },
  { type: 'plan-waiting', round: 0, for: cause, delay: null },
];

test('every event type that has a schema also has traits', () => {
  expect(Object.keys(eventSchemas).filter((type) => !isKnownEvent(stamped(type)))).toEqual([]);
});

test('a waiting event is strict (stored before the run continues) only if it reports that the call is sent', () => {
  expect(stampEvents(waiting('money')).map(isStrict)).toEqual([false, false]);
  expect(stampEvents(waiting(null)).map(isStrict)).toEqual([true, true]);
});

test('an event of an unknown type has relaxed durability and updates the summary', () => {
  expect(traitsOf(stamped('step-praised'))).toEqual({ durability: 'relaxed', summary: 'write' });
});
