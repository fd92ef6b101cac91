/**
 * @file Any OpenAI-compatible address as an engine for plans: the same client that calls a worker there is asked.
 */
import type { PoolWorker, TextEngine, WorkerClient } from '../contract';

/** A worker as an engine. No such address is known to enforce our grammar, so none is sent. */
export function endpointEngine(worker: PoolWorker, client: WorkerClient): TextEngine {
  return {
    info: { engine: 'openai-compatible', model: worker.model, origin: worker.origin, enforcesGrammar: false },
    async *generate({ messages, temperature, maxTokens, seed = 0 }, signal) {
      const options = { worker, attempt: 0, seed, temperature, maxTokens };
      yield* client.run(messages, options, signal);
    },
  };
}
