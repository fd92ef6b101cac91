/** @file Calls workers of the test server and collects their events. */
import { toPoolWorker, type Channel, type Clock, type Fault, type KeySource } from '../../../src/core/contract';
import type { WorkerClient, WorkerEvent, WorkerOptions, WorkerSetup } from '../../../src/core/contract';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { createOpenAiWorkers, type OpenAiWorkersOptions } from '../../../src/platform/workers/openai-client';

/** Returns a worker whose model id selects a scenario of the test server. */
export function setupOf(baseUrl: string, model: string, more: Partial<WorkerSetup> = {}): WorkerSetup {
  const base = { id: `worker-${model}`, name: `Worker ${model}`, mark: 'WO', colour: 1, price: null, description: '' };
  return { ...base, baseUrl, model, needsKey: false, ...more };
}

export function optionsFor(setup: WorkerSetup): WorkerOptions {
  return { worker: toPoolWorker(setup), attempt: 0, seed: 7, temperature: 0.2, maxTokens: 64 };
}

export function workersFor(
  setup: WorkerSetup,
  clock: Clock,
  more: Partial<OpenAiWorkersOptions> & { keys?: KeySource } = {},
): WorkerClient {
  return createOpenAiWorkers({
    setup: (id) => (id === setup.id ? setup : undefined),
    keys: createMemoryKeys(),
    clock,
    ...more,
  });
}

export interface CollectedReply {
  readonly events: readonly WorkerEvent[];
  readonly content: string;
  readonly reasoning: string;
  /** The last event. */
  readonly end: WorkerEvent | undefined;
  readonly fault: Fault | null;
}

export async function collect(events: AsyncIterable<WorkerEvent>): Promise<CollectedReply> {
  const all: WorkerEvent[] = [];
  for await (const event of events) all.push(event);
  const textOf = (channel: Channel) =>
    all.map((event) => (event.type === 'delta' && event.channel === channel ? event.text : '')).join('');
  const end = all.at(-1);
  return {
    events: all,
    content: textOf('content'),
    reasoning: textOf('reasoning'),
    end,
    fault: end?.type === 'failed' ? end.fault : null,
  };
}

export const QUESTION = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is six times seven?' },
] as const;
