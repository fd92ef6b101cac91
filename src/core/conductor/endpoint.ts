/**
 * @file Any OpenAI-compatible address as the Conductor: the same client that calls a worker there is asked for the plan.
 */
import type { Conductor, PoolWorker, TextEngine, WorkerClient } from '../contract';
import { endpointConductorInfo } from './endpoint-info';
import { createLlmConductor, type LlmConductorOptions } from './llm';

/** A worker as an engine. No such address is known to enforce our grammar, so none is sent. */
function endpointEngine(worker: PoolWorker, client: WorkerClient): TextEngine {
  return {
    info: { engine: 'openai-compatible', model: worker.model, origin: worker.origin, enforcesGrammar: false },
    async *generate({ messages, temperature, maxTokens, seed = 0 }, signal) {
      const options = { worker, attempt: 0, seed, temperature, maxTokens };
      yield* client.run(messages, options, signal);
    },
  };
}

export interface EndpointConductorOptions extends Omit<LlmConductorOptions, 'info' | 'engine' | 'useGrammar'> {
  readonly worker: PoolWorker;
  readonly client: WorkerClient;
}

/** A Conductor that asks the model behind a worker. */
export function createEndpointConductor({ worker, client, ...options }: EndpointConductorOptions): Conductor {
  const info = endpointConductorInfo(worker);
  return createLlmConductor({ ...options, info, engine: endpointEngine(worker, client) });
}
