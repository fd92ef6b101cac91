/** @file A failed run for tests of exports. A model planned it. The first step is retried once, and the second step fails. */
import {
  foldEvents,
  type EventBody,
  type PoolWorker,
  type RunEvent,
  type StoredEvent,
} from '../../../../src/core/contract';
import type { RunRecord } from '../../../../src/core/analysis/exports/table';
import { poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

const ENDPOINT: PoolWorker = poolWorker(0, {
  kind: 'endpoint',
  model: 'large-1',
  origin: 'https://api.mistral.ai',
  sampling: { topP: 0.9, topK: 40, presencePenalty: 0.5 },
});

export function recordOf(events: readonly StoredEvent[]): RunRecord {
  const run = foldEvents(events);
  if (!run) throw new Error('The run has not started.');
  return { run, events, providerOf: (origin) => (origin.includes('mistral') ? 'mistral_ai' : null) };
}

export function exportedRun(runId = 'run-1', more: readonly EventBody[] = []): readonly RunEvent[] {
  const first = { round: 0, step: 0, attempt: 0 };
  const retry = { ...first, attempt: 1 };
  const second = { round: 0, step: 1, attempt: 0 };
  const conductor = {
    id: 'endpoint:x',
    label: 'Planner',
    kind: 'endpoint',
    model: 'planner-1',
    origin: 'http://localhost:8080',
  } as const;
  const messages = [{ role: 'user' as const, parts: [{ kind: 'question' as const }] }];
  const call = (key: typeof first): EventBody => ({
    type: 'step-started',
    ...key,
    workerId: ENDPOINT.id,
    messages,
    sha256: 'a'.repeat(64),
  });
  const fault = { code: 'overloaded', message: 'The provider says: secret detail.', retryable: true } as const;
  const steps = [step(0, 'Solve the riddle'), step(1, 'Verify it', [0])];
  return stampEvents(
    [
      runStarted({ question: { text: 'A private riddle' }, pool: [ENDPOINT, poolWorker(1)], conductor }),
      { type: 'round-started', round: 0 },
      { type: 'plan-started', round: 0, conductor, messages, sampling: { temperature: 0.2, maxTokens: 900 } },
      {
        type: 'plan-finished',
        round: 0,
        workflow: { steps },
        thought: '',
        text: 'the plan as text',
        source: 'conductor',
        usage: { input: 100, output: 20 },
        cost: 0.002,
        finishReason: 'stop',
      },
      { type: 'step-queued', ...first },
      call(first),
      { type: 'step-retried', ...first, fault, usage: null, cost: null, delay: 10 },
      call(retry),
      { type: 'step-delta', ...retry, channel: 'content', text: 'forty' },
      {
        type: 'step-finished',
        ...retry,
        output: 'forty',
        reasoning: 'I thought about it',
        usage: { input: 10, output: 5, reasoning: 3, cached: 4 },
        cost: 0.001,
        finishReason: 'length',
      },
      { type: 'step-queued', ...second },
      call(second),
      { type: 'step-failed', ...second, fault, output: '', reasoning: '', usage: null, cost: null },
      { type: 'round-finished', round: 0, outcome: 'failed' },
      { type: 'run-failed', fault },
      ...more,
    ],
    { runId },
  );
}

export const GRADE: Extract<EventBody, { type: 'run-graded' }> = {
  type: 'run-graded',
  correct: true,
  by: 'person',
  detail: 'I looked it up',
};
