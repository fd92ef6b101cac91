import { describe, expect, test } from 'vitest';
import type { Services } from '../../../src/app/services';
import { WorkerForm } from '../../../src/app/workers/worker-form.svelte';
import { freeColour, freeMark, nameOf } from '../../../src/app/workers/worker-look';
import {
  fault,
  FaultError,
  type Connection,
  type WorkerCheck,
  type WorkerSetup,
  type WorkerTester,
} from '../../../src/core/contract';
import { memoryKeys } from '../../fixtures/memory-keys';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage, PRESETS } from '../conduct/conduct-services';

const HOST = 'https://api.example.com';
const SETUP: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: `${HOST}/v1`,
  model: 'big-1',
  price: { input: 1, output: 2.5 },
  description: 'Good at sums.',
  needsKey: true,
};
const CONNECTION: Connection = { id: 'c1', baseUrl: `${HOST}/v1`, needsKey: true };
const EDITED: WorkerSetup = { ...SETUP, connection: 'c1' };
const NEW: WorkerSetup = { ...EDITED, price: null, description: '' };

function testers(tester: Partial<WorkerTester> = {}) {
  const keys = memoryKeys();
  const requests: { setup?: WorkerSetup; baseUrl?: string; key: string | null; signal: AbortSignal }[] = [];
  const scripted = scriptedTester(tester);
  const services: Services = {
    ...conductStage().services,
    keys,
    tester: () =>
      Promise.resolve({
        ...scripted,
        test: (setup, key, signal) => {
          requests.push({ setup, key, signal });
          return scripted.test(setup, key, signal);
        },
        models: (baseUrl, key, signal) => {
          requests.push({ baseUrl, key, signal });
          return scripted.models(baseUrl, key, signal);
        },
      }),
  };
  return { services, keys, requests };
}

/** The form for a worker without a price. */
function formOf(services: Services, { model = 'm', connection = CONNECTION, before = NEW } = {}) {
  const form = new WorkerForm({ ...services, ...PRESETS }, connection, before);
  form.model = model;
  return form;
}

describe('the fields', () => {
  test('replace the worker, with defaults for empty fields', () => {
    const form = formOf(testers().services, { model: ' org/qwen3:8b ', before: EDITED });
    [form.name, form.description, form.price.input, form.price.output] = ['', '', '', ''];
    expect(form.read()).toEqual({ ...NEW, name: 'qwen3', model: 'org/qwen3:8b' });
    expect(form.problems).toEqual({});
  });

  test('set how long the worker may wait for the first word', () => {
    const form = formOf(testers().services);
    form.sampling.typed.firstByteSeconds = '900';
    expect(form.read()).toMatchObject({ firstByteSeconds: 900 });
    form.sampling.typed.firstByteSeconds = '0';
    expect(form.read()).toBeNull();
    expect(form.sampling.wrong).toEqual(['firstByteSeconds']);
  });

  test('set and remove a system prompt', () => {
    const form = formOf(testers().services, { before: { ...NEW, system: 'Be terse.' } });
    expect(form.request.system).toBe('Be terse.');
    expect(form.read()).toMatchObject({ system: 'Be terse.' });
    form.request.system = ' ';
    expect(form.read()).not.toHaveProperty('system');
    form.request.system = 'x'.repeat(20_001);
    expect(form.read()).toBeNull();
    expect(form.request.problems.system).toContain('20,000');
  });

  test('set extra fields, with a maximum price if they may cost extra', () => {
    const connection = { ...CONNECTION, baseUrl: 'https://openrouter.ai/api/v1' };
    const form = formOf(testers().services, { connection });
    const { request } = form;
    request.fields = '{"provider": {"sort": "price"}}';
    expect(form.read()).toMatchObject({ extraFields: { provider: { sort: 'price' } } });
    expect(form.read()).not.toHaveProperty('extraUsd');
    request.fields = '{"plugins": [{"id": "web"}]}';
    expect(request.needsPrice).toBe(true);
    expect(form.read()).toBeNull();
    expect(request.problems.usd).toContain('US dollars');
    request.usd = '0.02';
    expect(form.read()).toMatchObject({ extraFields: { plugins: [{ id: 'web' }] }, extraUsd: 0.02 });
    for (const wrong of ['{"max_tokens": 5}', '[1]', 'x']) {
      request.fields = wrong;
      expect(form.read(), wrong).toBeNull();
      expect(request.problems.fields, wrong).toBeDefined();
    }
  });

  test('keep invalid input and report each problem', () => {
    const form = formOf(testers().services, { model: ' ' });
    form.price.input = '1';
    expect(form.read()).toBeNull();
    expect(Object.keys(form.problems).toSorted()).toEqual(['model', 'price']);
    expect(form.price.input).toBe('1');
  });

  test.each([
    ['', '', null],
    ['0', '0', { input: 0, output: 0 }],
    [' 1.5 ', '3', { input: 1.5, output: 3 }],
  ])('accept prices “%s” and “%s”', (input, output, price) => {
    const form = formOf(testers().services);
    [form.price.input, form.price.output] = [input, output];
    expect(form.read()?.price).toEqual(price);
  });

  test.each([
    ['1', ''],
    ['', '2'],
    ['-1', '1'],
    ['a', 'b'],
    ['Infinity', '1'],
  ])('reject prices “%s” and “%s”', (input, output) => {
    const form = formOf(testers().services);
    [form.price.input, form.price.output] = [input, output];
    expect(form.read()).toBeNull();
    expect(form.problems.price).toBeDefined();
  });

  test('fill in the price from the server’s list or Podium’s table, but keep a price that the user typed', async () => {
    const listed = { id: 'big-1', price: { input: 1, output: 2, cachedInput: 0.5 } };
    const { services } = testers({ models: () => Promise.resolve([listed, { id: 'small-1' }]) });
    const known = { price: { input: 3, output: 4 }, date: '2026-06-04', source: 'https://prices.example' };
    const form = formOf({ ...services, knownPrice: (_, model) => Promise.resolve(model === 'small-1' ? known : null) });
    await form.listModels();
    const choose = async (model: string) => {
      form.model = model;
      await form.modelChosen();
      return form.read();
    };
    expect(await choose('big-1')).toMatchObject({ price: listed.price, priced: { by: 'provider' } });
    expect(await choose('small-1')).toMatchObject({ price: known.price, priced: { by: 'table', date: '2026-06-04' } });
    expect(await choose('other')).toMatchObject({ price: null });
    form.price.input = '7';
    form.price.output = '8';
    form.price.changed();
    expect(await choose('big-1')).toMatchObject({ price: { input: 7, output: 8 }, priced: { by: 'person' } });
  });

  test.each([{ price: { input: 3, output: 4 }, date: '2026-06-04', source: 'https://prices.example' }, null])(
    'keep a price that the user types while Podium’s table is searched, even if the search finds %j',
    async (known) => {
      let found: (price: typeof known) => void = () => undefined;
      const knownPrice = () => new Promise<typeof known>((resolve) => (found = resolve));
      const form = formOf({ ...testers().services, knownPrice });
      const looking = form.modelChosen();
      form.price.input = '7';
      form.price.output = '8';
      form.price.changed();
      found(known);
      await looking;
      expect(form.read()).toMatchObject({ price: { input: 7, output: 8 }, priced: { by: 'person' } });
    },
  );

  test('keep the address and the limits of the connection', () => {
    const limits = { concurrent: 2, requestsPerMinute: null, tokensPerMinute: 500 };
    const connection = { ...CONNECTION, provider: 'vllm', limits };
    expect(formOf(testers().services, { connection }).read()).toMatchObject({ provider: 'vllm', limits });
  });

  test('keep the id, colour and mark of an edited worker', () => {
    const form = formOf(testers().services, { model: 'big-2', before: EDITED });
    expect(form.read()).toEqual({ ...EDITED, model: 'big-2' });
  });
});

test.each([
  ['if the connection names a known service but has another address', { provider: 'openai' }],
  ['if the user has not confirmed it', { unconfirmed: true }],
])('an address from a file receives no key and no request %s', async (_, more) => {
  const { services, keys, requests } = testers();
  const connection = { ...CONNECTION, ...more, baseUrl: 'http://evil.example/v1' };
  keys.set(connection.id, 'http://evil.example', 'secret');
  const form = formOf(services, { connection });
  await form.listModels();
  await form.test();
  expect(form.read()).toBeNull();
  expect(form.problems.model).toContain('confirm it first');
  expect(requests).toEqual([]);
});

describe('the test of a worker', () => {
  const check = (name: WorkerCheck['name'], state: WorkerCheck['state']): WorkerCheck => ({
    name,
    state,
    detail: state,
  });

  test('shows the newest result of each check, in the order of the checks', async () => {
    const { services, keys, requests } = testers({
      async *test() {
        yield check('address', 'running');
        yield check('address', 'passed');
        yield check('model', 'unknown');
      },
    });
    keys.set('c1', HOST, 'k');
    const form = formOf(services);
    await form.test();
    expect(form.requests.checks.map(({ name, state }) => [name, state])).toEqual([
      ['address', 'passed'],
      ['model', 'unknown'],
    ]);
    expect(requests[0]).toMatchObject({ setup: { baseUrl: `${HOST}/v1`, model: 'm' }, key: 'k' });
    expect(form.requests.isTesting).toBe(false);
  });

  test('does not run while the form is invalid', async () => {
    const { services, requests } = testers();
    await formOf(services, { model: '' }).test();
    expect(requests).toEqual([]);
  });
});

describe('the list of models', () => {
  test('is requested with the connection’s key, and does not replace a typed model', async () => {
    const { services, keys, requests } = testers({ models: () => Promise.resolve([{ id: 'only' }]) });
    keys.set('c1', HOST, 'secret');
    const form = formOf(services, { model: 'mine' });
    await form.listModels();
    expect(requests).toMatchObject([{ baseUrl: `${HOST}/v1`, key: 'secret' }]);
    expect([form.requests.models, form.model]).toEqual([[{ id: 'only' }], 'mine']);
  });

  test('is the stored one until it is requested again', async () => {
    const { services, requests } = testers();
    const list = { connection: 'c1', at: 1, models: [{ id: 'kept' }] };
    const modelLists = () => Promise.resolve({ read: () => Promise.resolve(list), put: () => Promise.resolve() });
    const form = formOf({ ...services, modelLists });
    await form.open();
    expect([form.requests.models, requests]).toEqual([[{ id: 'kept' }], []]);
  });

  test('shows why a request failed', async () => {
    const refused = new FaultError(fault('unauthorized', 'The key was refused.'));
    const form = formOf(testers({ models: () => Promise.reject(refused) }).services);
    await form.listModels();
    expect(form.requests.fault).toEqual(refused.fault);
    expect([form.requests.isListing, form.problems]).toEqual([false, {}]);
  });
});

describe('the settings:', () => {
  test('a worker can see images only if the user turns this on', () => {
    const form = formOf(testers().services);
    expect(form.read()).not.toHaveProperty('canSee');
    form.canSee = true;
    expect(form.read()).toMatchObject({ canSee: true });
  });

  test('the worker’s own sampling is stored, but a thinking budget only if the provider supports it', () => {
    const form = formOf(testers().services);
    Object.assign(form.sampling.typed, { maxTokens: '20480', temperature: '0,6', topP: '0.8', topK: '20' });
    form.sampling.typed.presencePenalty = '1';
    form.sampling.typed.reasoningTokens = '128';
    const common = { maxTokens: 20_480, temperature: 0.6, topP: 0.8, topK: 20, presencePenalty: 1 };
    expect(form.read()).toMatchObject({ sampling: common });
    expect(form.read()).not.toHaveProperty('reasoningTokens');
    const connection = { ...CONNECTION, baseUrl: 'https://openrouter.ai/api/v1' };
    const again = formOf(testers().services, { connection, before: { ...NEW, sampling: common } });
    again.sampling.typed.reasoningTokens = '128';
    expect(again.read()).toMatchObject({ sampling: common, reasoningTokens: 128 });
  });

  test('sampling values outside their bounds are rejected, with the name of the field', () => {
    const form = formOf(testers().services);
    for (const [field, wrong] of [
      ['topP', '1.5'],
      ['topK', '2.5'],
      ['maxTokens', '0'],
      ['temperature', 'hot'],
    ] as const) {
      form.sampling.typed[field] = wrong;
      expect(form.read()).toBeNull();
      expect(form.sampling.wrong).toEqual([field]);
      form.sampling.typed[field] = '';
    }
  });

  test('a chosen reasoning effort is stored, unless the provider does not support it', () => {
    const form = formOf(testers().services);
    expect(form.read()).not.toHaveProperty('reasoning');
    form.chooseReasoning('low');
    expect(form.read()).toMatchObject({ reasoning: 'low' });
    const connection = { ...CONNECTION, provider: 'lm-studio' };
    const without = formOf(testers().services, { connection, before: { ...NEW, reasoning: 'low' } });
    expect(without.read()).not.toHaveProperty('reasoning');
  });
});

test('a worker gets a name from its model, and an unused colour and mark if possible', () => {
  expect(['org/Qwen3-8B:free', 'gpt-5', ' a/b/ ', ':x'].map(nameOf)).toEqual(['Qwen3-8B', 'gpt-5', 'b', ':x']);
  expect([freeColour([]), freeColour([1, 2, 4]), freeColour([1, 2, 3, 4, 5, 6, 7, 8, 9, 1])]).toEqual([1, 3, 2]);
  expect([freeMark('qwen', []), freeMark('Qwen', ['Qw', 'Qe']), freeMark('', []), freeMark('A', ['A2'])]).toEqual([
    'Qw',
    'Qn',
    'W2',
    'A3',
  ]);
});
