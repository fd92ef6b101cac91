import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { ConnectionForm } from '../../../src/app/workers/connection-form.svelte';
import {
  extrasIdOf,
  fault,
  FaultError,
  type Connection,
  type Extras,
  type WorkerTester,
} from '../../../src/core/contract';
import { checkAddress } from '../../../src/platform/workers/check-address';
import { memoryKeys } from '../../fixtures/memory-keys';
import { memorySetups } from '../../fixtures/memory-setups';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage, PRESETS } from '../conduct/conduct-services';

const HOST = 'https://api.example.com';

async function stage(tester: Partial<WorkerTester> = {}, more: Partial<Services> = {}) {
  const keys = memoryKeys();
  const { setups, connections, connected } = memorySetups();
  const requests: { baseUrl: string; key: string | null; extras?: Extras | null }[] = [];
  const scripted = scriptedTester(tester);
  const services: Services = {
    ...conductStage().services,
    ...more,
    setups,
    connections,
    keys,
    tester: () =>
      Promise.resolve({
        ...scripted,
        connect: (baseUrl, key, signal, provider, extras) => {
          requests.push({ baseUrl, key, ...(Object.keys(extras ?? {}).length > 0 ? { extras } : {}) });
          return scripted.connect(baseUrl, key, signal, provider);
        },
      }),
  };
  const { workers } = new AppState(services, '');
  await workers.load();
  const open = (before: Connection | null = null) =>
    new ConnectionForm({ ...services, ...PRESETS, checkAddress }, workers, before);
  /** The form for a server at this address. */
  const typed = (address: string, key = '') => {
    const form = open();
    form.chooseProvider('custom');
    [form.server.address, form.server.key] = [address, key];
    return form;
  };
  return { keys, connected, requests, open, typed };
}

describe('connecting', () => {
  test('lists the models at the normalized address, and stores the connection and its key', async () => {
    const { keys, connected, requests, typed } = await stage();
    const connection = await typed(' localhost:8080/v1/ ', ' secret ').connect();
    expect(requests).toEqual([{ baseUrl: 'http://localhost:8080/v1', key: 'secret' }]);
    expect(connection).toMatchObject({ baseUrl: 'http://localhost:8080/v1', needsKey: true });
    expect([...connected.values()]).toEqual([connection]);
    expect(JSON.stringify(connection)).not.toContain('secret');
    expect(keys.get(connection?.id ?? '', 'http://localhost:8080')).toBe('secret');
  });

  test('uses the address at which the server answered', async () => {
    const found = { baseUrl: `${HOST}/v1`, models: [], unlisted: null };
    const { typed } = await stage({ connect: () => Promise.resolve(found) });
    expect(await typed(HOST).connect()).toMatchObject({ baseUrl: `${HOST}/v1`, needsKey: false });
  });

  test('shows why the models of the server could not be stored', async () => {
    const full = new FaultError(fault('storage-full', 'The disk is full.'));
    const lists = { read: () => Promise.resolve(null), put: () => Promise.reject(full) };
    const { typed } = await stage({}, { modelLists: () => Promise.resolve(lists) });
    const form = typed(HOST);
    expect([await form.connect(), form.fault]).toEqual([null, full.fault]);
  });

  test('stores nothing if the server refuses the key, unless the user skips the check', async () => {
    const refused = new FaultError(fault('unauthorized', 'The key was refused.'));
    const { connected, typed } = await stage({ connect: () => Promise.reject(refused) });
    const form = typed(HOST, 'wrong');
    expect([await form.connect(), form.fault, form.isBusy]).toEqual([null, refused.fault, false]);
    expect(connected.size).toBe(0);
    expect(await form.connect(false)).toMatchObject({ baseUrl: HOST });
  });

  test('joins the connection to the same server with the same key, and makes another for another key', async () => {
    const { connected, typed } = await stage();
    const first = await typed(HOST, 'one').connect();
    expect((await typed(HOST, 'one').connect())?.id).toBe(first?.id);
    expect((await typed(HOST, 'two').connect())?.id).not.toBe(first?.id);
    expect(connected.size).toBe(2);
  });

  test('needs a valid address, and a key at a service', async () => {
    const { requests, open, typed } = await stage();
    const form = typed('ftp://x');
    expect([await form.connect(), Object.keys(form.problems)]).toEqual([null, ['address']]);
    const service = open();
    service.chooseProvider('openai');
    expect([await service.connect(), service.problems.key]).toEqual([null, 'Paste a key for OpenAI.']);
    expect(requests).toEqual([]);
  });

  test('stores the provider only if the address does not determine it, and the limits', async () => {
    const { open } = await stage();
    const form = open();
    form.chooseProvider('vllm');
    form.tokensPerMinute = '90,000';
    expect(await form.connect()).not.toHaveProperty('provider');
    form.server.address = 'https://cluster.example.com/v1';
    const limits = { concurrent: null, requestsPerMinute: null, tokensPerMinute: 90_000 };
    expect(await form.connect()).toMatchObject({ provider: 'vllm', limits });
    form.concurrent = 'few';
    expect([await form.connect(), form.problems.limits]).toEqual([null, expect.stringContaining('whole numbers')]);
  });
});

describe('extra headers and query', () => {
  test('are sent with the check, kept beside the key, and only their names are stored with the connection', async () => {
    const { keys, requests, typed, open } = await stage();
    const form = typed(`${HOST}/v1`);
    form.extras.add();
    form.extras.add();
    form.extras.rows[0] = { name: 'API-Key: ', value: ' secret ' };
    form.extras.rows[1] = { name: '?api-version', value: '2024-10-21' };
    const connection = await form.connect();
    if (!connection) throw new Error('The form was refused.');
    const extras = { 'api-key': 'secret', '?api-version': '2024-10-21' };
    expect(requests.at(-1)).toMatchObject({ extras });
    expect(connection.extraNames).toEqual(Object.keys(extras));
    expect(JSON.stringify(connection)).not.toContain('secret');

    const edited = open(connection);
    expect(edited.extras.rows).toEqual([
      { name: 'api-key', value: '' },
      { name: '?api-version', value: '' },
    ]);
    edited.extras.remove(1);
    expect(await edited.connect()).toMatchObject({ extraNames: ['api-key'] });
    expect(keys.get(extrasIdOf(connection.id), HOST)).toBe('{"api-key":"secret"}');
  });

  test('must be entered again for another origin', async () => {
    const { keys, requests, typed, open } = await stage();
    const form = typed(`${HOST}/v1`);
    form.extras.rows.push({ name: 'api-key', value: 'secret' });
    const connection = await form.connect();
    const moved = open(connection);
    moved.server.address = 'https://other.example/v1';
    const before = requests.length;
    expect(await moved.connect()).toBeNull();
    expect(moved.extras.problem).toContain('None is stored for this address');
    expect(requests).toHaveLength(before);
    moved.extras.remove(0);
    expect(await moved.connect()).not.toHaveProperty('extraNames');
    expect(keys.get(extrasIdOf(connection?.id ?? ''), HOST)).toBeNull();
  });

  test('may not be a header that Podium sets, and no name may be there twice', async () => {
    const { typed } = await stage();
    const form = typed(`${HOST}/v1`, 'key');
    form.extras.rows.push({ name: 'Authorization', value: 'x' });
    expect(await form.connect()).toBeNull();
    expect(form.extras.problem).toContain('can’t be set');
    form.extras.rows = [
      { name: 'x-a', value: '1' },
      { name: 'X-A', value: '2' },
    ];
    expect([await form.connect(), form.extras.problem]).toEqual([null, '“x-a” is there twice.']);
  });

  test('make a connection of their own', async () => {
    const { connected, typed } = await stage();
    await typed(HOST).connect();
    const form = typed(HOST);
    form.extras.rows.push({ name: 'x-team', value: 'a' });
    await form.connect();
    expect(connected.size).toBe(2);
  });
});

describe('editing a connection', () => {
  test('keeps its id and its key, and drops the key if the origin changes', async () => {
    const { keys, connected, requests, open, typed } = await stage();
    const before = await typed(`${HOST}/v1`, 'secret').connect();
    if (!before) throw new Error('The form was refused.');
    const form = open(before);
    form.name = 'Work';
    form.server.address = `${HOST}/v2`;
    expect(await form.connect()).toEqual({ ...before, name: 'Work', baseUrl: `${HOST}/v2` });
    form.server.address = 'https://elsewhere.example/v1';
    await form.connect();
    expect(requests.map(({ key }) => key)).toEqual(['secret', 'secret', null]);
    expect([keys.get(before.id, HOST), keys.get(before.id, 'https://elsewhere.example')]).toEqual([null, null]);
    expect(connected.size).toBe(1);
  });

  test.each([{ provider: 'openai' }, { unconfirmed: true }])(
    'sends nothing to an address from a file before the user confirms it: %j',
    async (more) => {
      const { requests, open } = await stage();
      const form = open({ id: 'c1', needsKey: true, baseUrl: 'http://evil.example/v1', ...more });
      form.server.key = 'secret';
      expect([await form.connect(), form.problems.address]).toEqual([
        null,
        expect.stringContaining('Use this address'),
      ]);
      expect(requests).toEqual([]);
      form.server.confirm();
      expect(await form.connect()).not.toHaveProperty('unconfirmed');
      expect(requests).toEqual([{ baseUrl: 'http://evil.example/v1', key: 'secret' }]);
    },
  );
});

test('servers on this computer are looked for only when the user asks', async () => {
  const ollama = { provider: 'ollama', baseUrl: 'http://localhost:11434/v1', models: 2, advice: '' };
  let looks = 0;
  const findLocal = () => {
    looks += 1;
    return Promise.resolve([{ ...ollama, state: 'open' as const }]);
  };
  const { open } = await stage({ findLocal });
  const form = open();
  expect([form.local, looks]).toEqual([null, 0]);
  await form.findLocal();
  const [found] = form.local ?? [];
  if (!found) throw new Error('No server was found.');
  form.chooseLocal(found);
  expect(await form.connect()).toMatchObject({ baseUrl: ollama.baseUrl, needsKey: false });
  expect(looks).toBe(1);
});
