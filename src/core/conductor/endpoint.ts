/**
 * @file Turns a worker at an OpenAI-compatible address into an engine that writes plans. Its calls use the same client as the calls
 * of steps.
 */
import type { PoolWorker, TextEngine, WorkerClient } from '../contract';

/** Makes an engine that calls a worker. It is not known whether the worker's server enforces a grammar, so no grammar is sent. */
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
