import { describe, expect, it } from 'vitest';
import { endpointEngine } from '../../../src/core/conductor/endpoint';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import { createLlmConductor } from '../../../src/core/conductor/llm';
import { FakeClock } from '../../fixtures/fake-clock';
import {
  costOf,
  estimateTokens,
  type Message,
  type Usage,
  type WorkerClient,
  type WorkerEvent,
  type WorkerOptions,
} from '../../../src/core/contract';
import { ending, proposed, request, worker } from './requests';

const remote = worker(1, {
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1, output: 10 },
  model: 'big',
});
const PLAN = 'model_id = [0]\nsubtasks = ["Solve it."]\naccess_list = [[]]';

function client(cost: number | null, usage: Usage | null = { input: 1000, output: 100 }) {
  const calls: { messages: readonly Message[]; options: WorkerOptions }[] = [];
  const run: WorkerClient['run'] = async function* (messages, options): AsyncGenerator<WorkerEvent> {
    calls.push({ messages, options });
    yield { type: 'delta', channel: 'content', text: PLAN };
    yield { type: 'finished', usage, cost, finishReason: 'stop' };
  };
  return { calls, run };
}

function conductor(caller: WorkerClient) {
  return createLlmConductor({
    info: endpointConductorInfo(remote),
    engine: endpointEngine(remote, caller),
    clock: new FakeClock(),
  });
}

describe('an endpoint as the Conductor', () => {
  it('writes the plan with the worker’s model, and reports the model and its origin', async () => {
    const caller = client(null);
    const events = await proposed(conductor(caller), request());
    expect(events[0]).toMatchObject({
      type: 'plan-started',
      conductor: { id: 'endpoint:birch', kind: 'endpoint', model: 'big', origin: 'https://api.example.com' },
      engine: 'openai-compatible',
    });
    expect(ending(events, 'plan-finished').workflow.steps).toEqual([{ worker: 0, subtask: 'Solve it.', access: [] }]);
    expect(caller.calls[0]?.options).toMatchObject({ worker: remote, attempt: 0, temperature: 0.2, maxTokens: 1024 });
  });

  it('reports when its call starts to wait and when the call is sent', async () => {
    const run: WorkerClient['run'] = async function* (): AsyncGenerator<WorkerEvent> {
      yield { type: 'waiting', for: 'limit', delay: 900 };
      yield { type: 'waiting', for: null, delay: null };
      yield { type: 'delta', channel: 'content', text: PLAN };
      yield { type: 'finished', usage: null, cost: null, finishReason: 'stop' };
    };
    const events = await proposed(conductor({ run }), request());
    expect(events.slice(1, 3)).toEqual([
      { type: 'plan-waiting', for: 'limit', delay: 900 },
      { type: 'plan-waiting', for: null, delay: null },
    ]);
  });

  it('computes the cost only if the server reports none', async () => {
    for (const [told, cost] of [
      [null, 0.002],
      [0.5, 0.5],
    ] as const) {
      const events = await proposed(conductor(client(told)), request());
      expect(ending(events, 'plan-finished').cost).toBe(cost);
    }
  });

  it('estimates the usage if the server reports none, and marks the usage as estimated', async () => {
    const events = await proposed(conductor(client(null, null)), request());
    const { usage, cost } = ending(events, 'plan-finished');
    expect(usage).toMatchObject({ estimated: true, output: estimateTokens(PLAN), reasoning: 0 });
    expect(usage?.input).toBeGreaterThan(500);
    expect(cost).toBe(costOf(usage, remote.price));
  });
});
