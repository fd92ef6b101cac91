import { describe, expect, test } from 'vitest';
import { defaultSelection, selectionFrom, selectionOf } from '../../../src/app/run/selection';
import { foldEvents, type Run } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const EVENTS = stampEvents(finishedRunBodies());
const runAfter = (type: string, nth = 1): Run => {
  let seen = 0;
  const last = EVENTS.findIndex((event) => event.type === type && ++seen === nth);
  const run = foldEvents(EVENTS.slice(0, last + 1));
  if (!run) throw new Error('no run');
  return run;
};

describe('the default selection', () => {
  test('is the plan until a step is called', () => {
    expect(defaultSelection(runAfter('run-started'))).toEqual({ kind: 'plan', round: 0 });
    expect(defaultSelection(runAfter('plan-finished'))).toEqual({ kind: 'plan', round: 0 });
  });
  test('is the newest called step until the run has an answer', () => {
    expect(defaultSelection(runAfter('step-started', 1))).toEqual({ kind: 'step', round: 0, step: 0 });
    expect(defaultSelection(runAfter('step-started', 2))).toEqual({ kind: 'step', round: 0, step: 1 });
  });
  test('is the step that gave the answer once the run has an answer', () => {
    expect(defaultSelection(runAfter('run-finished'))).toEqual({ kind: 'step', round: 0, step: 2 });
  });
});

test('an event belongs to its step, its plan or the run', () => {
  const first = (type: string) => EVENTS.find((event) => event.type === type) ?? EVENTS[0];
  const of = (type: string) => {
    const event = first(type);
    return event ? selectionOf(event) : undefined;
  };
  expect(of('step-finished')).toEqual({ kind: 'step', round: 0, step: 0 });
  expect(of('plan-step-known')).toEqual({ kind: 'step', round: 0, step: 0 });
  expect(of('plan-finished')).toEqual({ kind: 'plan', round: 0 });
  expect(of('round-started')).toBeNull();
  expect(of('run-started')).toBeNull();
});

test('the selected step is read from an address, and is `null` if the address names no step', () => {
  expect(selectionFrom('step=1.2')).toEqual({ kind: 'step', round: 1, step: 2 });
  for (const query of [undefined, '', 'step=', 'step=a.b', 'step=-1.2', 'other=1.2']) {
    expect(selectionFrom(query)).toBeNull();
  }
});
