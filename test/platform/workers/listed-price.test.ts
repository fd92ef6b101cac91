import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listedPrice, pricedFields } from '../../../src/platform/workers/listed-price';

const priceIn = (entry: object) => listedPrice(z.object(pricedFields).parse(entry));

describe('the price of a listed model', () => {
  test.each([
    [
      'OpenRouter',
      { pricing: { prompt: '0.0000003', completion: '0.0000012', input_cache_read: '0.00000003' } },
      0.3,
      1.2,
    ],
    ['numbers per token', { pricing: { prompt: 0.000003, completion: 0.000015 } }, 3, 15],
    ['Vercel', { pricing: { input: '0.00000125', output: '0.00001' } }, 1.25, 10],
    ['Together', { pricing: { hourly: 0, input: 0.18, output: 0.6, base: 0 } }, 0.18, 0.6],
    ['Perplexity', { pricing: { input: '1', output: '3' } }, 1, 3],
    ['DeepInfra', { metadata: { pricing: { input_tokens: 0.03, output_tokens: 0.05 } } }, 0.03, 0.05],
    ['LiteLLM', { input_cost_per_token: 0.000002, output_cost_per_token: 0.000008 }, 2, 8],
    ['free', { pricing: { input: 0, output: 0 } }, 0, 0],
  ])('is read from a server’s list: %s', (_, entry, input, output) => {
    expect(priceIn(entry)).toMatchObject({ input, output });
  });

  test('includes the price of cached input if the list states it', () => {
    expect(priceIn({ pricing: { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' } })).toEqual(
      {
        input: 1,
        output: 2,
        cachedInput: 0.1,
      },
    );
  });

  test.each([
    [{}],
    [{ pricing: null }],
    [{ pricing: 'free' }],
    [{ pricing: { prompt: '-1', completion: '-1' } }],
    [{ pricing: { prompt: '0.1' } }],
    [{ pricing: { input: 'cheap', output: '' } }],
    [{ pricing: { input: { usd: 1 }, output: [2] } }],
    [{ metadata: [] }],
    [{ input_cost_per_token: 1e300, output_cost_per_token: 1e300 }],
  ])('is unknown for %j', (entry) => {
    expect(priceIn(entry)).toBeNull();
  });
});
