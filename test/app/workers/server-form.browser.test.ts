import { describe, expect, test } from 'vitest';
import { ServerForm } from '../../../src/app/workers/server-form.svelte';
import { checkAddress } from '../../../src/platform/workers/check-address';
import { memoryKeys } from '../../fixtures/memory-keys';
import { PRESETS } from '../conduct/conduct-services';

const SERVICES = { ...PRESETS, checkAddress };

describe('an address from a file', () => {
  const formOf = (from: { provider?: string; baseUrl: string }) =>
    new ServerForm({ ...SERVICES, keys: memoryKeys() }, { id: 'c1', needsKey: true, unconfirmed: true, ...from });

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
