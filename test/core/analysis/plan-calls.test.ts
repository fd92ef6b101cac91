import { expect, it } from 'vitest';
import { planCalls, plansOf } from '../../../src/core/analysis/plan-calls';
import { foldEvents, type StoredEvent } from '../../../src/core/contract';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';
import { plannedAgain } from './planned-again';

function callsOf(events: readonly StoredEvent[]) {
  const run = foldEvents(events);
  if (!run) throw new Error('The run has not started.');
  return run.rounds.flatMap((round) => plansOf(round).map((plan) => planCalls(run, plan)));
}

it('the calls of a plan include candidates, retries and interrupted calls, without duplicates', () => {
  const calls = callsOf(plannedAgain());
  expect(calls.map((plan) => plan.map(({ text, cost }) => [text, cost]))).toEqual([
    [
      ['candidate 0', 0.01],
      ['', null],
    ],
    [
      ['candidate 0', 0.02],
      ['candidate 1', 0.03],
      ['', 0],
      ['the plan', 0.1],
    ],
  ]);
});

it('each call of a plan begins when the previous call ends', () => {
  const [, second = []] = callsOf(plannedAgain());
  for (const [index, { startedAt, endedAt }] of second.entries()) {
    expect(endedAt).toBeGreaterThan(startedAt);
    if (index > 0) expect(startedAt).toBe(second[index - 1]?.endedAt);
  }
});

it('a plan that no model wrote has no calls', () => {
  const bodies = finishedRunBodies().map((body) => (body.type === 'plan-started' ? { ...body, messages: [] } : body));
  expect(callsOf(stampEvents(bodies))).toEqual([[]]);
});
