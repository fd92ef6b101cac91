import { describe, expect, test } from 'vitest';
import { LEARNED_LIMITS } from '../../../../src/core/contract';
import { callOf, learnedFrom } from '../../../../src/platform/workers/limits/call';
import { PROVIDERS } from '../../../../src/platform/workers/providers';

const limits = { ...LEARNED_LIMITS, requestsPerMinute: 3 };

function callAt(provider: string, model: string, key: string | null = null) {
  const preset = PROVIDERS.find(({ id }) => id === provider);
  if (!preset) throw new RangeError(`There is no provider ${provider}.`);
  const target = { name: 'Ada', baseUrl: 'https://one.example/v1', model, key, preset, reasoning: null, limits };
  return callOf({ target, messages: [], sampling: { temperature: 0, maxTokens: 10 } });
}

describe('the lane of a call (the calls that share limits with it)', () => {
  test('is separate for each model of an unknown server, but the user’s limits apply to all models together', () => {
    const [one, two] = [callAt('custom', 'one'), callAt('custom', 'two')];
    expect(one.lane).not.toBe(two.lane);
    expect(one.limits).toEqual(LEARNED_LIMITS);
    expect(one.account).toEqual({ ...two.account, limits });
  });

  test('is separate for each model if the provider limits models, and the user’s limits apply per model', () => {
    const [one, two] = [callAt('openrouter', 'one'), callAt('openrouter', 'two')];
    expect(one.lane).not.toBe(two.lane);
    expect(one.limits).toEqual(limits);
    expect(one.account).toEqual({ ...two.account, limits: LEARNED_LIMITS });
  });

  test('is shared by all models of a key if the provider limits the key', () => {
    expect(callAt('ollama', 'one').lane).toBe(callAt('ollama', 'two').lane);
    expect(callAt('ollama', 'one')).not.toHaveProperty('account');
  });
});

test('the description of a call does not contain the key', () => {
  expect(JSON.stringify(callAt('custom', 'one', 'sk-canary-123456'))).not.toContain('canary');
});

describe('the message of a call rejected by a rate limit', () => {
  test.each([
    ['Rate limit exceeded for your organization. Try again in 20s.', true],
    ['You have exceeded the rate limit of this API key.', true],
    ['Rate limit exceeded: free-models-per-min.', true],
    ['Account-wide limit of 60 requests per minute reached.', true],
    ['Too many requests for all models.', true],
    ['Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000.', false],
    ['Rate limit for model qwen3-32b on your plan.', false],
    ['Slow down.', false],
    ['', false],
  ])('“%s” concerns the whole account: %s', (message, ofAccount) => {
    expect(learnedFrom({ error: { message } }, 0).ofAccount).toBe(ofAccount);
  });
});
