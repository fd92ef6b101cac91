import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affordableOutput, leastOutput, worstCost, type Charged } from '../../../../src/core/contract';

const WORKER: Charged = {
  name: 'Ash',
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1, output: 10 },
};
const LIMITS = { maxTokens: 4096, least: 512 };
const NO_LIMIT = { tokens: null, usd: null };

describe('the output limit that fits a budget', () => {
  it('is the call’s own limit without a budget, and for a free worker under a money budget', () => {
    expect(affordableOutput(WORKER, 100, LIMITS, NO_LIMIT)).toBe(4096);
    const free = { ...WORKER, price: { input: 0, output: 0 } };
    expect(affordableOutput(free, 100, LIMITS, { tokens: null, usd: 0 })).toBe(4096);
  });

  it('is what remains after the prompt, under the stricter of the token and money budgets', () => {
    expect(affordableOutput(WORKER, 100, LIMITS, { tokens: 2100, usd: null })).toBe(2000);
    expect(affordableOutput(WORKER, 1000, LIMITS, { tokens: null, usd: 0.0110005 })).toBe(1000);
    expect(affordableOutput(WORKER, 1000, LIMITS, { tokens: 1600, usd: 0.011 })).toBe(600);
  });

  it('is null if less than the minimum is left, or if the price is unknown under a money budget', () => {
    expect(affordableOutput(WORKER, 100, LIMITS, { tokens: 611, usd: null })).toBeNull();
    expect(affordableOutput(WORKER, 100, LIMITS, { tokens: 612, usd: null })).toBe(512);
    expect(affordableOutput({ ...WORKER, price: null }, 100, LIMITS, { tokens: null, usd: 1 })).toBeNull();
  });

  it('never allows an answer that costs more than the money left', () => {
    const price = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ input: price, output: price, perCall: fc.double({ min: 0, max: 0.5, noNaN: true }) }),
        fc.nat({ max: 5000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (charged, input, usd) => {
          const who = { ...WORKER, price: charged };
          const limit = affordableOutput(who, input, LIMITS, { tokens: null, usd });
          if (limit !== null) expect(worstCost(who, input, limit)).toBeLessThanOrEqual(usd * (1 + 1e-9));
        },
      ),
    );
  });

  it('has a minimum of 512 tokens, or of the call’s own limit if that is lower', () => {
    expect(leastOutput(WORKER, { maxTokens: 4096 })).toBe(512);
    expect(leastOutput(WORKER, { maxTokens: 100 })).toBe(100);
  });

  it('has a minimum of 2,048 tokens with thinking, or of the call’s own limit if that is lower', () => {
    const requested = { maxTokens: 4096, reasoning: 'high' } as const;
    expect(leastOutput(WORKER, requested)).toBe(2048);
    expect(leastOutput({ ...WORKER, thinks: true }, { maxTokens: 4096 })).toBe(2048);
    expect(leastOutput({ ...WORKER, thinks: false }, requested), 'the worker’s setup overrides the run').toBe(512);
    expect(leastOutput({ ...WORKER, kind: 'simulated' }, requested), 'a simulated worker cannot think').toBe(512);
    expect(leastOutput(WORKER, { ...requested, maxTokens: 1000 })).toBe(1000);
    expect(affordableOutput(WORKER, 100, { maxTokens: 4096, least: 2048 }, { tokens: 2147, usd: null })).toBeNull();
  });
});
