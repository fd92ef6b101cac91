/**
 * @file The invented prices of sample runs. Simulated workers are free, so without these prices, the sample runs could not show
 * how costs and right answers are related.
 */
import {
  costOf,
  estimateInput,
  estimateTokens,
  type Message,
  type Price,
  type Usage,
  type WorkerClient,
} from '../../src/core/contract';

/** US dollars for a million tokens, by the id of the worker. */
const PRICES: Readonly<Record<string, Price>> = {
  'sim:alder': { input: 0.8, output: 4 },
  'sim:birch': { input: 2.5, output: 10 },
  'sim:cedar': { input: 3, output: 15 },
  'sim:dogwood': { input: 5, output: 25 },
  'sim:elm': { input: 0.15, output: 0.6 },
};

/** The price of the simulated model that writes plans. */
export const MODEL_PRICE: Price = { input: 0.8, output: 4 };

/** The usage of a call, estimated from its texts. */
export function usageOf(messages: readonly Message[], output: string): Usage {
  return { input: estimateInput(messages), output: estimateTokens(output), estimated: true };
}

/** Wraps a client, so that each call reports its cost at the invented prices. */
export function withInventedPrices(client: WorkerClient): WorkerClient {
  return {
    async *run(messages, options, signal) {
      let output = '';
      for await (const event of client.run(messages, options, signal)) {
        if (event.type === 'delta') output += event.text;
        if (event.type !== 'finished') yield event;
        else yield { ...event, cost: costOf(usageOf(messages, output), PRICES[options.worker.id] ?? null) };
      }
    },
  };
}
