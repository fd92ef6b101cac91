/**
 * @file Uses a worker at any OpenAI-compatible address as an engine for plans, with the client that calls workers.
 */
import type { PoolWorker, TextEngine, WorkerClient } from '../contract';

/** Makes an engine that calls a worker. No such server is known to enforce a grammar, so no grammar is sent. */
export function endpointEngine(worker: PoolWorker, client: WorkerClient): TextEngine {
  const { model, origin, contextWindow } = worker;
  const context = contextWindow === undefined ? {} : { contextWindow };
  return {
    info: { engine: 'openai-compatible', model, origin, enforcesGrammar: false, ...context },
    async *generate({ messages, temperature, maxTokens, seed = 0 }, signal) {
      const options = { worker, attempt: 0, seed, temperature, maxTokens };
      yield* client.run(messages, options, signal);
    },
  };
}
