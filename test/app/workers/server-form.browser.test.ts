import { describe, expect, test } from 'vitest';
import type { ProviderPreset } from '../../../src/core/contract';
import { ServerForm } from '../../../src/app/workers/server-form.svelte';
import { checkAddress } from '../../../src/platform/workers/check-address';
import { memoryKeys } from '../../fixtures/memory-keys';
import { conductStage } from '../conduct/conduct-services';

const { providers, providerOf } = conductStage().services;
const SERVICES = { providers, providerOf, checkAddress };

function preset(id: string): ProviderPreset {
  const found = providers.find((each) => each.id === id);
  if (!found) throw new Error(`There is no provider ${id}.`);
  return found;
}

test('another worker’s key is reused at a known service, but not at the user’s own server', () => {
  const keys = memoryKeys();
  keys.set('other', 'https://api.mistral.ai', 'secret');
  keys.set('other-2', 'https://api.example.com', 'secret');
  const form = new ServerForm({ ...SERVICES, keys }, ['other', 'other-2'], null);
  form.choose(preset('mistral'));
  expect(form.hasKey).toBe(true);
  form.choose(preset('custom'));
  form.address = 'https://api.example.com/v1';
  expect(form.hasKey).toBe(false);
});

describe('an address from a file', () => {
  const formOf = (from: { provider?: string; baseUrl: string }) =>
    new ServerForm({ ...SERVICES, keys: memoryKeys() }, [], { id: 'w1', needsKey: true, unconfirmed: true, ...from });

  test.each([
    ['evil.example/v1', 'evil.example/v1'],
    ['evil.example:8080/v1', 'evil.example:8080/v1'],
    ['http://evil.example/v1', 'https://evil.example/v1'],
    ['http://evil.example/v1', 'http://evil.example/v2'],
  ])('stays unconfirmed if it is “%s” and the user types “%s”, which has the same host', (baseUrl, address) => {
    const form = formOf({ provider: 'openai', baseUrl });
    form.address = address;
    expect(form.isConfirmed).toBe(false);
  });

  test('needs no confirmation if it is the address of a known service', () => {
    const form = formOf({ baseUrl: 'https://api.openai.com/v1' });
    expect([form.provider, form.isConfirmed, form.host]).toEqual(['openai', true, 'api.openai.com']);
  });
});
