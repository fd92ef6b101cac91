import { describe, expect, test } from 'vitest';
import { readBudgets, readLimitRefusal } from '../../../../src/platform/workers/limits/read-limits';

const NOW = Date.UTC(2026, 0, 1);
const none = new Headers();

describe('the remaining limit in headers', () => {
  test.each([
    ['1s', 1000],
    ['6m0s', 360_000],
    ['120ms', 120],
    ['2m59.56s', 179_560],
    ['1h30m', 5_400_000],
    ['12', 12_000],
  ])('is read when the reset time is written as %s', (reset, ms) => {
    const headers = new Headers({
      'x-ratelimit-remaining-requests': '3',
      'x-ratelimit-reset-requests': reset,
      'x-ratelimit-remaining-tokens': '150',
      'x-ratelimit-reset-tokens': reset,
    });
    const budget = { resetAt: NOW + ms };
    expect(readBudgets(headers, 'x-ratelimit', NOW)).toEqual({
      requests: { ...budget, left: 3 },
      tokens: { ...budget, left: 150 },
    });
  });

  test('is read from Anthropic’s headers only if their prefix is given', () => {
    const headers = new Headers({
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': new Date(NOW + 9000).toISOString(),
    });
    const requests = { left: 0, resetAt: NOW + 9000 };
    expect(readBudgets(headers, 'anthropic-ratelimit', NOW)).toEqual({ requests, tokens: null });
    expect(readBudgets(headers, 'x-ratelimit', NOW)).toEqual({ requests: null, tokens: null });
    expect(readBudgets(headers, null, NOW)).toEqual({ requests: null, tokens: null });
  });

  test('is ignored if the number or the reset time is invalid', () => {
    for (const [left, reset] of [
      ['many', '1s'],
      ['3', 'soon'],
      ['3', ''],
    ]) {
      const headers = new Headers({
        'x-ratelimit-remaining-requests': left ?? '',
        'x-ratelimit-reset-requests': reset ?? '',
      });
      expect(readBudgets(headers, 'x-ratelimit', NOW).requests).toBeNull();
    }
  });
});

describe('the limit that rejected a call', () => {
  const openAi =
    'Rate limit reached for small in organization org-a on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.';
  const groq =
    'Rate limit reached for model `small` on tokens per minute (TPM): Limit 6,000, Used 5,200, Requested 1,400. Please try again in 6.02s.';
  const daily =
    'Rate limit reached for model `small` on tokens per day (TPD): Limit 100000, Used 99999, Requested 900. Please try again in 12m34.5s.';
  const gemini = {
    error: {
      message: 'You exceeded your current quota. Please retry in 32.4s.',
      details: [
        { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] },
        { retryDelay: '32s' },
      ],
    },
  };
  const geminiMinute = {
    error: {
      message: 'Quota exceeded, limit: 10',
      details: [{ violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }] }, { retryDelay: '32s' }],
    },
  };
  const openRouter = {
    message: 'Rate limit exceeded: free-models-per-day.',
    metadata: { headers: { 'X-RateLimit-Reset': String(NOW + 3_600_000) } },
  };

  test.each([
    [openAi, { retryAfter: 20_000, of: 'requests', per: 'minute', limit: 3, requested: 1 }],
    [groq, { retryAfter: 6020, of: 'tokens', per: 'minute', limit: 6000, requested: 1400 }],
    [daily, { retryAfter: 754_500, of: 'tokens', per: 'day', limit: 100_000, requested: 900 }],
    [gemini, { retryAfter: null, of: 'requests', per: 'day' }],
    [geminiMinute, { retryAfter: 32_000, of: 'requests', per: 'minute', limit: 10 }],
    [openRouter, { retryAfter: 3_600_000, per: 'day' }],
    ['Please try again in 20 seconds.', { retryAfter: 20_000 }],
    ['Try again in 2 minutes', { retryAfter: 120_000 }],
    ['Slow down.', { retryAfter: null, of: null, per: null, limit: null, requested: null }],
    [null, { retryAfter: null, of: null, per: null }],
  ])('is read from %j', (body, found) => {
    expect(readLimitRefusal(body, none, NOW)).toMatchObject(found);
  });

  test('is reported with the pause from the Retry-After header, even if the body states a different pause', () => {
    expect(readLimitRefusal(openAi, new Headers({ 'retry-after': '7' }), NOW).retryAfter).toBe(7000);
  });
});
