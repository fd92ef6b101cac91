/** @file A run whose plan had candidates and a retry, after an earlier plan of the same round was interrupted. */
import type { EventBody, StoredEvent } from '../../../src/core/contract';
import { runStarted, stampEvents, step } from '../../fixtures/run-events';

const conductor = {
  id: 'endpoint:x',
  label: 'Planner',
  kind: 'endpoint',
  model: 'planner-1',
  origin: 'https://api.example.org',
  price: { input: 1, output: 1 },
} as const;
const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
const problem = { code: 'not-found' as const, message: 'There are no lists.', at: 0 };
const refusal = { code: 'rate-limited', message: 'Too many calls.', retryable: true } as const;
const started: EventBody = { type: 'plan-started', round: 0, conductor, messages };
const candidate = (place: number, cost: number): EventBody => ({
  type: 'plan-candidate',
  round: 0,
  candidate: place,
  workflow: null,
  problem,
  text: `candidate ${place}`,
  usage: { input: 10, output: 2 },
  cost,
});

/**
 * The plans cost $0.16. An interrupted call for the second candidate of the first plan has an unknown cost. The other five
 * calls are a candidate of the first plan, then two candidates, a rate-limited call, and the final call.
 */
export function plannedAgain(): readonly StoredEvent[] {
  const retried = { type: 'plan-retried', round: 0, text: '', usage: null, next: 'stricter' } as const;
  return stampEvents([
    runStarted({ conductor, candidates: 2 }),
    { type: 'round-started', round: 0 },
    started,
    candidate(0, 0.01),
    { type: 'run-interrupted' },
    { type: 'run-resumed' },
    started,
    candidate(0, 0.02),
    candidate(1, 0.03),
    // The `plan-candidate` event has already recorded the cost of this text.
    { ...retried, problem, fault: null, text: 'candidate 1', cost: null },
    { ...retried, problem: null, fault: refusal, cost: 0 },
    {
      type: 'plan-finished',
      round: 0,
      workflow: { steps: [step(0, 'Solve it')] },
      thought: '',
      text: 'the plan',
      source: 'conductor',
      usage: { input: 30, output: 4, cached: 5 },
      cost: 0.1,
      finishReason: 'stop',
    },
  ]);
}
