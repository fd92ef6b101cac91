/**
 * @file Turns a worker at an OpenAI-compatible address into an engine that writes plans. Calls for plans use the same client as
 * calls for steps.
 */
import type { PoolWorker, TextEngine, WorkerClient } from '../contract';

/** Makes an engine that calls a worker. No grammar is sent, because the worker's server may not enforce it. */
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
