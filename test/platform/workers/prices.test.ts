import { describe, expect, test } from 'vitest';
import { knownPrice, priceTable } from '../../../src/platform/workers/prices';
import table from '../../../src/platform/workers/prices.json';
import { PROVIDERS } from '../../../src/platform/workers/providers';

describe('the price table', () => {
  test('has a known provider, a source and a past date in each row', () => {
    const rows = priceTable.parse(table);
    for (const { provider, date, source, models } of rows) {
      expect(PROVIDERS.map(({ id }) => id)).toContain(provider);
      expect(Date.parse(date)).toBeLessThan(Date.now());
      expect(source).toMatch(/^https:/);
      for (const { input, output, cachedInput = 0 } of Object.values(models)) {
        expect(output).toBeGreaterThan(input);
        expect(cachedInput).toBeLessThan(input);
      }
    }
    const names = rows.flatMap(({ provider, models }) => Object.keys(models).map((model) => `${provider} ${model}`));
    expect(new Set(names).size).toBe(names.length);
  });

  test('has a price for a model name, and the same price for its dated versions', () => {
    const known = knownPrice('anthropic', 'claude-haiku-4-5');
    expect(known).toMatchObject({ price: { input: 1, output: 5, cachedInput: 0.1 }, date: '2026-11-21' });
    expect(knownPrice('anthropic', 'claude-haiku-4-5-20251001')).toEqual(known);
    expect(knownPrice('openai', 'gpt-5.4-mini-2026-03-05')).toEqual(knownPrice('openai', 'gpt-5.4-mini'));
    expect(knownPrice('openai', 'gpt-5.5')).toMatchObject({ note: expect.stringContaining('short context') });
  });

  test('has no price for a newer model, or for a model that is listed only for another provider', () => {
    for (const model of ['claude-opus-5-5', 'claude-opus-5.5', 'claude', ''])
      expect(knownPrice('anthropic', model)).toBeNull();
    expect(knownPrice('openrouter', 'gpt-5.5')).toBeNull();
  });
});
