import { describe, expect, test } from 'vitest';
import { fault, FaultError, LEARNED_LIMITS } from '../../../src/core/contract';
import { faultFromHttp, faultFromStream, faultFromThrown } from '../../../src/platform/workers/worker-faults';
import { readRetryAfter } from '../../../src/platform/workers/read-headers';
import { readProviderWords, redact } from '../../../src/platform/workers/provider-words';
import { presetFor } from '../../../src/platform/workers/providers';
import type { Target } from '../../../src/platform/workers/target';

const at = (baseUrl: string, key: string | null = null): Target => {
  return {
    name: 'Ada',
    baseUrl,
    model: 'small',
    key,
    preset: presetFor(baseUrl),
    reasoning: null,
    limits: LEARNED_LIMITS,
  };
};
const target = at('https://api.example.com/v1', 'my-secret-key');
const ollama = at('http://localhost:11434/v1');
const NOW = Date.UTC(2026, 0, 1);
const noHeaders = new Headers();
const errorBody = (message: string, code?: string | number) => ({ error: { message, code } });

const read = (status: number, body: unknown, to = target) => faultFromHttp(status, noHeaders, body, to, NOW);

describe('the fault of an HTTP error reply', () => {
  test.each([
    [400, errorBody('temperature must be below 2'), 'bad-request', false],
    [
      400,
      errorBody("This model's maximum context length is 8192 tokens", 'context_length_exceeded'),
      'too-large',
      false,
    ],
    [400, errorBody('no', 'content_filter'), 'content-filtered', false],
    [400, errorBody('large is not a valid model ID'), 'not-found', false],
    [400, [{ error: { message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }], 'unauthorized', false],
    [401, errorBody('no'), 'unauthorized', false],
    [402, errorBody('Insufficient Balance'), 'payment-required', false],
    [403, errorBody('Country not supported'), 'forbidden', false],
    [403, errorBody('Your input was flagged'), 'content-filtered', false],
    [404, errorBody('The model `small` does not exist', 'model_not_found'), 'not-found', false],
    [404, 'Not Found', 'bad-address', false],
    [404, '<!doctype html><p>The models of this season</p>', 'bad-address', false],
    [405, { detail: 'Method Not Allowed' }, 'bad-address', false],
    [408, '', 'timeout', true],
    [409, '', 'bad-request', false],
    [413, '', 'too-large', false],
    [400, errorBody('Your credit balance is too low to access the Anthropic API.'), 'payment-required', false],
    [404, errorBody('No endpoints found matching your data policy (Free model publication).'), 'forbidden', false],
    [418, '', 'bad-request', false],
    [422, { detail: [{ loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }] }, 'bad-request', false],
    [429, errorBody('Slow down'), 'rate-limited', true],
    [429, errorBody('Requests per day (RPD): Limit 50, Used 50.'), 'quota-spent', true],
    [429, errorBody('Tokens per day (TPD): Limit 9, Used 9. Please try again in 12m3s.'), 'quota-spent', true],
    [429, errorBody('Requests per day (RPD): Limit 50, Used 50. Please try again in 40s.'), 'rate-limited', true],
    [429, errorBody('Tokens per min (TPM): Limit 6000, Requested 7000.'), 'too-large', false],
    [429, errorBody('You exceeded your current quota', 'insufficient_quota'), 'payment-required', false],
    [500, '', 'server-error', true],
    [502, '<html>Bad gateway</html>', 'server-error', true],
    [503, errorBody('Loading model'), 'overloaded', true],
    [504, '', 'server-error', true],
    [529, errorBody('Overloaded'), 'overloaded', true],
  ])('is determined by the reply’s status and body: %i %j', (status, body, code, retryable) => {
    const found = read(status, body);
    expect(found).toMatchObject({ code, retryable, status });
    expect(found.message).toMatch(/api\.example\.com|small/);
    expect(found.message).toMatch(/\.$/);
  });

  test('suggests fewer output tokens if a call exceeds the limit of tokens per minute, for statuses 413 and 429', () => {
    const body = errorBody('Request too large for model `small`. Tokens per minute (TPM): Limit 6000, Requested 7000.');
    for (const status of [413, 429]) expect(read(status, body).message).toContain('Lower the max output tokens');
  });

  test('names the organization if it forbids calls from pages, for statuses 400, 401 and 403', () => {
    const words = errorBody(
      'CORS requests are not allowed for this Organization because of custom retention settings.',
    );
    for (const status of [400, 401, 403]) {
      const found = read(status, words, at('https://api.anthropic.com/v1', 'sk'));
      expect(found).toMatchObject({ code: 'forbidden', retryable: false });
      expect(found.message).toContain('Your organization at Anthropic');
    }
  });

  test('distinguishes a missing key from a rejected one', () => {
    expect(read(401, '').message).toContain('refused the key');
    expect(read(401, '', { ...target, key: null }).message).toContain('needs a key');
  });

  test('names the setting to change if Ollama refuses the page', () => {
    expect(read(403, '', ollama).message).toContain('OLLAMA_ORIGINS');
  });

  test('has the time in `retry-after` only if a retry can help', () => {
    const headers = new Headers({ 'retry-after': '7' });
    expect(faultFromHttp(503, headers, '', target, NOW).retryAfter).toBe(7000);
    expect(faultFromHttp(401, headers, '', target, NOW).retryAfter).toBeUndefined();
  });
});

describe('the fault of a call that exceeds a rate limit', () => {
  test('has the waiting time from the header or the message', () => {
    expect(read(429, errorBody('Please try again in 1.2s.'))).toMatchObject({ code: 'rate-limited', retryAfter: 1200 });
    const headers = new Headers({ 'retry-after': '7' });
    expect(faultFromHttp(429, headers, errorBody('Slow down'), target, NOW)).toMatchObject({ retryAfter: 7000 });
    expect(faultFromStream({ message: 'Try again in 3s', code: 429 }, target, NOW)).toMatchObject({
      code: 'rate-limited',
      retryAfter: 3000,
    });
  });

  test('states when a spent daily quota resets, or that the provider does not report the time', () => {
    const headers = new Headers({ 'retry-after': '27000' });
    const found = faultFromHttp(429, headers, errorBody('Requests per day'), target, NOW);
    expect(found).toMatchObject({ code: 'quota-spent', retryAfter: 27_000_000 });
    expect(found.message).toMatch(/^The daily quota.*used up.*resets in 8 hours, at \d\d:\d\d\./);
    expect(read(429, errorBody('requests per day')).message).toContain('doesn’t report');
  });
});

describe('retry-after', () => {
  test.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '350', 'retry-after': '1' }, 350],
    [{ 'retry-after': new Date(NOW + 5000).toUTCString() }, 5000],
    [{ 'retry-after': new Date(NOW - 5000).toUTCString() }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('is read from %j', (headers, ms) => {
    expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(ms);
  });
});

describe('an error inside a stream', () => {
  test.each([
    [{ message: 'Busy', type: 'overloaded_error' }, 'overloaded', true],
    [{ message: 'Slow down', code: 'rate_limit_exceeded' }, 'rate-limited', true],
    [{ message: 'Down', code: 502 }, 'server-error', true],
    [{ message: 'No credit', code: 402 }, 'payment-required', false],
    [{ message: 'Who knows' }, 'server-error', true],
    ['words only', 'server-error', true],
  ])('is classified by its content: %j', (body, code, retryable) => {
    const found = faultFromStream(body, target, NOW);
    expect(found).toMatchObject({ code, retryable });
    expect(found.detail).toBe(typeof body === 'string' ? body : body.message);
  });
});

describe('the fault of a call without a reply', () => {
  const page = { online: true, secure: true, origin: 'https://podium.example' };
  const failed = new TypeError('Failed to fetch');

  test('is `offline` if the server is remote and the browser has no network', () => {
    expect(faultFromThrown(failed, target, { ...page, online: false })).toMatchObject({ code: 'offline' });
  });

  test('names the setting that lets the page call a local server, online or offline', () => {
    const found = faultFromThrown(failed, ollama, { ...page, online: false });
    expect(found).toMatchObject({ code: 'unreachable', retryable: true });
    expect(found.message).toContain('OLLAMA_ORIGINS=https://podium.example');
    expect(found.message).toContain('Safari');
    expect(faultFromThrown(failed, at('http://127.0.0.1:1234/v1'), page).message).toContain('lms server start --cors');
  });

  test('is `bad-address` if an https page calls plain http', () => {
    const plain = { ...target, baseUrl: 'http://192.168.0.7:8000/v1' };
    expect(faultFromThrown(failed, plain, page)).toMatchObject({ code: 'bad-address', retryable: false });
    expect(faultFromThrown(failed, plain, { ...page, secure: false })).toMatchObject({ code: 'unreachable' });
  });

  test('gives no advice about browsers if Podium runs outside a browser', () => {
    const found = faultFromThrown(failed, ollama, { ...page, origin: '' });
    expect(found).toMatchObject({ code: 'unreachable', retryable: true });
    expect(found.message).toBe('Couldn’t reach localhost:11434. Check the address, and that the server is running.');
  });

  test('names its possible causes: a wrong key or CORS', () => {
    const found = faultFromThrown(failed, target, page);
    expect(found).toMatchObject({ code: 'unreachable', retryable: true });
    expect(found.message).toMatch(/Couldn’t reach.*key is wrong.*CORS/);
  });

  test('is the fault that was thrown, or an internal fault without the key for any other error', () => {
    const known = fault('stalled', 'Silent.');
    expect(faultFromThrown(new FaultError(known), target, page)).toBe(known);
    const unknown = faultFromThrown(new Error(`header my-secret-key is odd`), target, page);
    expect(unknown).toMatchObject({ code: 'internal', detail: 'Error: header [key] is odd' });
  });
});

describe('the provider’s message that the user sees', () => {
  test.each([
    ['plain words', 'plain words'],
    ['<html>page</html>', ''],
    ['<think> is not a stop token', '<think> is not a stop token'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', ''],
    [errorBody('<think> is not a stop token'), '<think> is not a stop token'],
    [errorBody('<!DOCTYPE html><title>502 Bad Gateway</title>'), '502 Bad Gateway'],
    [{ error: 'a word' }, 'a word'],
    [{ error: { message: 'deep', metadata: { raw: 'deeper' } } }, 'deep deeper'],
    [{ message: 'flat' }, 'flat'],
    [{ detail: 'flat' }, 'flat'],
    [{ detail: [{ loc: ['body', 'seed'], msg: 'not permitted' }] }, 'body.seed: not permitted'],
    [[{ error: { message: 'in a list' } }], 'in a list'],
    [{ error: { message: 5 } }, ''],
    [{ object: 'error', message: 'flat, too', type: 'BadRequestError', code: 400 }, 'flat, too'],
    [{ object: 'error', message: { detail: [{ loc: ['body', 'n'], msg: 'too big' }] } }, 'body.n: too big'],
    [{ statusCode: 400, message: ['first', 'second'], error: 'Bad Request' }, 'first; second'],
    [{ timestamp: 1, status: 404, error: 'Not Found', message: '', path: '/v1' }, 'Not Found'],
    [{ success: false, errors: [{ code: 10000, message: 'in a list' }], messages: [], result: null }, 'in a list'],
    [{ errors: { seed: ['too small', 'odd'] } }, 'seed: too small; odd'],
    [{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'a problem' }, 'a problem'],
    [{ error_code: 18, error_msg: 'limited' }, 'limited'],
    [{ base_resp: { status_code: 1004, status_msg: 'login failed' } }, 'login failed'],
    [{ Message: 'in upper case' }, 'in upper case'],
    ['{"error":{"message":"JSON as text"}}', 'JSON as text'],
    ['data: {"error":{"message":"an event"}}\n\n', 'an event'],
    [{ error: { message: 'litellm: Host - {"error":{"message":"inside"}}' } }, 'litellm: Host - inside'],
    [{ error: { message: 'outer', metadata: { raw: '{"error":{"message":"inner"}}' } } }, 'outer inner'],
    [{ error: 'not JSON {at all}' }, 'not JSON {at all}'],
    ['<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>', '502 Bad Gateway'],
    [null, ''],
    [[], ''],
  ])('is read from %j', (body, text) => {
    expect(readProviderWords(body).text).toBe(text);
  });

  test('is found with its code in a body that contains other bodies', () => {
    const inner = JSON.stringify({ error: { message: 'Too long', code: 'context_length_exceeded' } });
    const body = { error: { message: `litellm.BadRequestError: ${inner}`, code: '400' } };
    expect(read(400, body)).toMatchObject({ code: 'too-large', detail: 'litellm.BadRequestError: Too long' });
  });

  test('is read in linear time from hostile bodies', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 2_000; level++) deep = { error: deep, message: deep };
    expect(readProviderWords(deep).text).toBe('');
    expect(readProviderWords({ error: '{'.repeat(100_000) }).text).toHaveLength(8_000);
  });

  test('contains no key, nothing that looks like one, and at most 500 characters', () => {
    const key = 'plain.words key';
    expect(redact(`You sent ${key} and ${encodeURIComponent(key)}.`, [key])).toBe('You sent [key] and [key].');
    expect(redact('Incorrect API key provided: sk-proj-abcd****wxyz.', [])).not.toContain('abcd');
    expect(redact('Authorization: Bearer abc.def', [])).toBe('Authorization: [key]');
    expect(redact(`token ${'a1'.repeat(20)} end`, [])).toBe('token [key] end');
    expect(redact('DeepSeek-R1-Distill-Qwen-32B-Q4_K_M', [])).toBe('DeepSeek-R1-Distill-Qwen-32B-Q4_K_M');
    expect(redact('word '.repeat(200), [])).toHaveLength(500);
  });
});
