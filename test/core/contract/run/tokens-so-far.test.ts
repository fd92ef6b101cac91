import { describe, expect, it } from 'vitest';
import { foldEvents, planBeingWritten, tokensSoFar, type EventBody, type Run } from '../../../../src/core/contract';
import { runStarted, stampEvents } from '../../../fixtures/run-events';

const started = [
  runStarted({ planSeconds: 60 }),
  { type: 'round-started', round: 0 },
  {
    type: 'plan-started',
    round: 0,
    conductor: { id: 'local:a', label: 'Tiny', kind: 'webllm', model: 'Tiny' },
    messages: [{ role: 'user', parts: [{ kind: 'question' }] }],
  },
] as const satisfies readonly EventBody[];
const delta = (text: string, channel: 'content' | 'reasoning' = 'content'): EventBody => {
  return { type: 'plan-delta', round: 0, channel, text };
};
function folded(...more: readonly EventBody[]): Run {
  const run = foldEvents(stampEvents([...started, ...more]));
  if (!run) throw new Error('No run.');
  return run;
}

describe('the tokens of a run so far', () => {
  it('are unknown before a model starts to write the first plan', () => {
    expect(tokensSoFar(folded())).toEqual({ tokens: null, isEstimated: false });
    expect(folded().planSeconds).toBe(60);
  });

  it('are estimated from the text and the reasoning of the plan that a model is writing', () => {
    const run = folded(delta('Think. .', 'reasoning'), delta('model_id = ['));
    expect(tokensSoFar(run)).toEqual({ tokens: 5, isEstimated: true });
    expect(planBeingWritten(run)?.text).toBe('model_id = [');
  });

  it('are the reported tokens after an attempt at the plan has failed', () => {
    const usage = { input: 100, output: 20 };
    const failure = { code: 'timeout', message: 'Late.', retryable: false } as const;
    const lost = { problem: null, fault: failure, text: 'model', usage, cost: 0 } as const;
    const run = folded(delta('model'), { type: 'plan-retried', round: 0, ...lost, next: 'fallback' });
    expect(tokensSoFar(run)).toEqual({ tokens: 120, isEstimated: false });
    expect(planBeingWritten(run), 'no model writes the fallback plan').toBeNull();
  });

  it('are zero for a run that ended without using any tokens', () => {
    const run = folded({ type: 'run-cancelled' });
    expect(tokensSoFar(run).tokens).toBe(0);
    expect(planBeingWritten(run)).toBeNull();
  });
});
