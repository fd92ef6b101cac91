import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  callUsd,
  modelFamily,
  POOL_SIZE,
  suggestPool,
  type PoolCandidate,
} from '../../../src/core/analysis/suggest-pool';
import { publishedRecord } from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';

const candidate = (model: string, input: number, more: Partial<PoolCandidate> = {}): PoolCandidate => ({
  model,
  price: { input, output: input * 4 },
  published: publishedRecord(KNOWN_MODELS, { model }),
  graded: null,
  ...more,
});

const LIST = [
  candidate('openai/gpt-5', 1.25),
  candidate('openai/gpt-4.1-nano', 0.1),
  candidate('google/gemini-2.5-pro', 1.25),
  candidate('anthropic/claude-sonnet-4', 3),
  candidate('acme/rocket-2', 0.5),
  candidate('acme/rocket-1', 0.1),
  candidate('x-ai/grok-5', 4),
  candidate('openai/text-embedding-3-large', 0.1),
  candidate('openrouter/auto', 0, { price: null }),
];
const models = (usd: number, list = LIST) => suggestPool(list, usd).map(({ model }) => model);

describe('a suggested pool', () => {
  test('has the published models first, one of each family, and says why', () => {
    const pool = suggestPool(LIST, 1);
    expect(pool.map(({ model, reason }) => [model, reason.by])).toEqual([
      ['google/gemini-2.5-pro', 'published'],
      ['openai/gpt-5', 'published'],
      ['anthropic/claude-sonnet-4', 'published'],
      ['x-ai/grok-5', 'unknown'],
      ['acme/rocket-2', 'unknown'],
    ]);
    const [first] = pool;
    expect(first?.reason).toMatchObject({
      record: { source: expect.stringContaining('arxiv.org'), date: '2026-11-22' },
    });
  });

  test('takes a cheaper model of a family, so that three families fit under the limit', () => {
    expect(models(0.006)).toEqual(['acme/rocket-2', 'openai/gpt-4.1-nano']);
    expect(models(0.03)).toHaveLength(3);
  });

  test('prefers models that did well in own runs, and avoids models that failed there', () => {
    const list = LIST.map((each) => {
      if (each.model === 'acme/rocket-1') return { ...each, graded: { right: 9, runs: 10 } };
      return each.model === 'openai/gpt-5' ? { ...each, graded: { right: 0, runs: 10 } } : each;
    });
    expect(models(1, list)[0]).toBe('acme/rocket-1');
    expect(models(1, list)).toContain('openai/gpt-4.1-nano');
    expect(models(1, list)).not.toContain('openai/gpt-5');
  });

  test('is empty if no price is known or no model is cheap enough', () => {
    expect(models(0.0001)).toEqual([]);
    expect(models(1, [candidate('a', 1, { price: null })])).toEqual([]);
  });
});

test.each([
  ['accounts/fireworks/models/qwen3-32b', 'qwen'],
  ['openai/o3-mini', 'openai'],
  ['gpt-5:nitro', 'openai'],
  ['deepseek/deepseek-r1-distill-qwen-32b', 'deepseek'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'meta'],
  ['mistralai/mixtral-8x7b', 'mistral'],
  ['acme/rocket-2', 'acme'],
  ['rocket-2', 'rocket'],
  ['7b', '7b'],
])('the family of %s is %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

const anyCandidate = fc.record({
  model: fc.constantFrom('gpt-5', 'gpt-4', 'claude-3', 'gemini-2', 'qwen3', 'llama-3', 'grok-3', 'kimi-2', 'tts-1'),
  price: fc.option(fc.record({ input: fc.double({ min: 0, max: 50, noNaN: true }), output: fc.nat(100) })),
  graded: fc.option(fc.record({ right: fc.nat(5), runs: fc.constant(5) })),
  published: fc.constant(null),
});
const anyList = fc.uniqueArray(anyCandidate, { selector: ({ model }) => model });
const anyLimit = fc.double({ min: 0, max: 1, noNaN: true });

describe('every suggested pool', () => {
  test('has at most six models of different families with known prices, and costs at most the limit', () => {
    fc.assert(
      fc.property(anyList, anyLimit, (list, usd) => {
        const pool = suggestPool(list, usd);
        expect(pool.length).toBeLessThanOrEqual(POOL_SIZE.most);
        expect(new Set(pool.map(({ family }) => family)).size).toBe(pool.length);
        expect(pool.reduce((total, each) => total + each.usd, 0)).toBeLessThanOrEqual(usd + 1e-9);
        for (const { model, usd: cost } of pool) {
          const price = list.find((each) => each.model === model)?.price;
          expect(price && callUsd(price)).toBe(cost);
        }
      }),
    );
  });

  test('has three models if the cheapest models of three families fit under the limit', () => {
    fc.assert(
      fc.property(anyList, anyLimit, (list, usd) => {
        const cheapest = new Map<string, number>();
        for (const { model, price } of list) {
          if (!price || model === 'tts-1') continue;
          const family = modelFamily(model);
          cheapest.set(family, Math.min(callUsd(price), cheapest.get(family) ?? Infinity));
        }
        const three = [...cheapest.values()].toSorted((one, other) => one - other).slice(0, POOL_SIZE.least);
        const isPossible = three.length === 3 && three.reduce((total, each) => total + each, 0) < usd - 1e-9;
        if (isPossible) expect(suggestPool(list, usd).length).toBeGreaterThanOrEqual(POOL_SIZE.least);
      }),
    );
  });

  test('does not depend on the order of the list', () => {
    fc.assert(
      fc.property(anyList, anyLimit, (list, usd) => {
        expect(suggestPool(list.toReversed(), usd)).toEqual(suggestPool(list, usd));
      }),
    );
  });
});
