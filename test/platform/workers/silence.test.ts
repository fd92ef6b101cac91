import { describe, expect, test } from 'vitest';
import { abortError, fault, LEARNED_LIMITS } from '../../../src/core/contract';
import { presetFor } from '../../../src/platform/workers/providers';
import { explainSilence, type SilenceDependencies } from '../../../src/platform/workers/silence';
import type { Target } from '../../../src/platform/workers/target';

const UNREACHABLE = fault('unreachable', 'No answer.', { retryable: true });
const never = () => new AbortController().signal;

function target(baseUrl: string, key: string | null = null): Target {
  return {
    name: 'Ada',
    baseUrl,
    model: 'small',
    key,
    preset: presetFor(baseUrl),
    reasoning: null,
    limits: LEARNED_LIMITS,
  };
}

/** A page that can or cannot reach the address. */
function page(isThere: boolean, permission: PermissionState | null = null) {
  const sent: RequestInit[] = [];
  const dependencies: SilenceDependencies = {
    fetch: (_url, init) => {
      sent.push(init);
      return isThere ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch'));
    },
    page: { online: true, secure: true, origin: 'https://podium.example' },
    permission: () => Promise.resolve(permission),
  };
  return { sent, dependencies };
}

describe('silence (no reply to a call)', () => {
  test.each([
    ['http://localhost:11434/v1', true, 'Set OLLAMA_ORIGINS=https://podium.example and restart Ollama.'],
    ['http://localhost:1234/v1', true, 'lms server start --cors'],
    ['http://localhost:8000/v1', true, `--allowed-origins '["https://podium.example"]'`],
    ['http://localhost:11434/v1', false, 'Is the server running? Start Ollama'],
    ['http://localhost:11434/v1', false, 'Safari never lets an https page call this machine'],
    ['https://nowhere.example/v1', false, 'Couldn’t reach'],
    ['https://api.example.com/v1', true, 'LiteLLM server of your own'],
  ])('of %s (reachable: %s) is explained with: %s', async (baseUrl, isThere, words) => {
    const { dependencies } = page(isThere);
    const { about, fault } = await explainSilence(target(baseUrl), UNREACHABLE, dependencies, never());
    expect(about).toBe('address');
    expect(fault.message).toContain(words);
  });

  test('of a provider that sends errors without CORS headers is reported as a wrong key', async () => {
    const { sent, dependencies } = page(true);
    const openai = target('https://api.openai.com/v1', 'sk-secret-canary');
    const { about, fault } = await explainSilence(openai, UNREACHABLE, dependencies, never());
    expect([about, fault.code]).toEqual(['key', 'unauthorized']);
    expect(fault.message).toContain('https://platform.openai.com/api-keys');
    // The request that checks whether a server responds contains no data of the user.
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ mode: 'no-cors', credentials: 'omit' });
    expect(JSON.stringify(sent)).not.toContain('canary');
  });

  test('is explained without a request if the browser denies access to the local network', async () => {
    const { sent, dependencies } = page(true, 'denied');
    const { fault } = await explainSilence(target('http://localhost:8080/v1'), UNREACHABLE, dependencies, never());
    expect(fault.message).toContain('allow access to the local network');
    expect(sent).toHaveLength(0);
  });

  test('with a known reason keeps that reason', async () => {
    const { sent, dependencies } = page(true);
    const offline = fault('offline', 'This device is offline.');
    const explained = await explainSilence(target('https://a.example'), offline, dependencies, never());
    expect(explained).toEqual({ about: 'address', fault: offline });
    expect(sent).toHaveLength(0);
  });

  test('rejects with an AbortError after an abort', async () => {
    const stopped: SilenceDependencies = { ...page(false).dependencies, fetch: () => Promise.reject(abortError()) };
    const explained = explainSilence(target('https://a.example'), UNREACHABLE, stopped, AbortSignal.abort());
    await expect(explained).rejects.toMatchObject({ name: 'AbortError' });
  });
});
