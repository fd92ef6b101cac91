import { expect, test } from 'vitest';
import { detailOf, headOf } from '../../../src/app/run/event-words';
import { fault, foldEvents, type EventBody } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { scriptedRun } from '../scripted-runs';

const key = { round: 0, step: 2, attempt: 0 };
const MORE: EventBody[] = [
  {
    type: 'step-retried',
    ...key,
    fault: fault('rate-limited', 'Too many calls.'),
    usage: null,
    cost: null,
    delay: 500,
  },
  { type: 'step-skipped', ...key, because: 1 },
  { type: 'run-graded', correct: false, by: 'person', detail: '' },
  { type: 'cap-reached', cap: 'usd', limit: 1, wanted: 2 },
];
const EVENTS = stampEvents([...finishedRunBodies(), ...MORE]);
const run = foldEvents(EVENTS);

function wordsOf(type: string, nth = 0): string {
  const event = EVENTS.filter((each) => each.type === type)[nth];
  if (!event || !run) throw new Error(`no ${type}`);
  const head = headOf(event, run);
  return `${head ? `${head.number}: ` : ''}${detailOf(event, run)}`;
}

test.each([
  ['run-started', 0, '3 workers'],
  ['plan-finished', 0, '3 steps'],
  ['plan-step-known', 1, '2: Birch'],
  ['step-started', 0, '1: '],
  ['step-started', 2, '3: sees 1 and 2'],
  ['step-finished', 1, '2: 15 tok'],
  ['step-delta', 2, '1: done'],
  ['step-retried', 0, '3: too many calls'],
  ['step-skipped', 0, '3: step 2 has no result'],
  ['run-finished', 0, '3: step 3 answers'],
  ['run-graded', 0, 'wrong'],
  ['cap-reached', 0, 'cost'],
])('describes the event %s (index %i among the events of this type) as “%s”', (type, nth, words) => {
  expect(wordsOf(type, nth)).toBe(words);
});

test('mentions that a step sees earlier rounds, and continues the step numbers of round 1 in round 2', () => {
  const solve = { worker: 0, start: 100, end: 200 };
  const later = {
    planStart: 210,
    steps: [
      { ...solve, seesEarlier: true },
      { ...solve, access: [0], seesEarlier: true },
    ],
  };
  const twoRounds = scriptedRun({ rounds: [{ steps: [solve], ended: 200, recursed: true }, later] });
  const called = (step: number) => {
    const bodies: EventBody[] = [
      { type: 'step-started', round: 1, step, attempt: 0, workerId: 'w1', messages: [], sha256: 'a'.repeat(64) },
    ];
    return stampEvents(bodies).map((event) => detailOf(event, twoRounds));
  };
  expect(called(0)).toEqual(['sees earlier rounds']);
  expect(called(1)).toEqual(['sees 2 and earlier rounds']);
});

test('marks an event from a newer version of Podium', () => {
  if (!run) throw new Error('no run');
  const event = { runId: run.id, seq: 99, at: 0, segment: 0, elapsed: 0, type: 'step-applauded' };
  expect(detailOf(event, run)).toBe('from a newer version of Podium');
  expect(headOf(event, run)).toBeNull();
});
