import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AddressChecker, Services } from '../../../src/app/services';
import { WorkerForm } from '../../../src/app/workers/worker-form.svelte';
import { freeColour, freeMark, nameOf } from '../../../src/app/workers/worker-look';
import { fault, FaultError, type WorkerCheck, type WorkerSetup, type WorkerTester } from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';
import { checkAddress } from '../../../src/platform/workers/check-address';
import { memoryKeys } from '../../fixtures/memory-keys';
import { conductStage } from '../conduct/conduct-services';

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
const FACES = { colours: [1, 2], marks: ['Al', 'Bi'] };

type FormServices = Services & AddressChecker;

function testers(tester: Partial<WorkerTester> = {}) {
  const keys = memoryKeys();
  const requests: { setup?: WorkerSetup; baseUrl?: string; key: string | null; signal: AbortSignal }[] = [];
  const services: FormServices = {
    ...conductStage().services,
    checkAddress,
    keys,
    tester: () =>
      Promise.resolve({
        test: (setup, key, signal) => {
          requests.push({ setup, key, signal });
          return tester.test?.(setup, key, signal) ?? nothing();
        },
        models: (baseUrl, key, signal) => {
          requests.push({ baseUrl, key, signal });
          return tester.models?.(baseUrl, key, signal) ?? Promise.resolve([]);
        },
      }),
  };
  return { services, keys, requests };
}

async function* nothing(): AsyncGenerator<WorkerCheck> {}

function formOf(
  services: FormServices,
  typed: Partial<Record<'address' | 'model' | 'key', string>>,
  before?: WorkerSetup,
) {
  const form = new WorkerForm(services, FACES, before ?? null);
  if (typed.address !== undefined) form.server.address = typed.address;
  if (typed.model !== undefined) form.model = typed.model;
  if (typed.key !== undefined) form.server.key = typed.key;
  return form;
}

describe('the fields', () => {
  test('create a worker, with defaults for empty fields', () => {
    const form = formOf(testers().services, { address: ' localhost:11434/v1/ ', model: ' org/qwen3:8b ' });
    expect(form.read()).toMatchObject({
      name: 'qwen3',
      mark: 'Qw',
      colour: 3,
      baseUrl: 'http://localhost:11434/v1',
      model: 'org/qwen3:8b',
      price: null,
      needsKey: false,
    });
    expect(form.problems).toEqual({});
  });

  test('set how long the worker may wait for the first word', () => {
    const form = formOf(testers().services, { address: 'localhost:11434/v1', model: 'small' });
    form.sampling.typed.firstByteSeconds = '900';
    expect(form.read()).toMatchObject({ firstByteSeconds: 900 });
    form.sampling.typed.firstByteSeconds = '0';
    expect(form.read()).toBeNull();
    expect(form.sampling.wrong).toEqual(['firstByteSeconds']);
  });

  test('keep invalid input and report each problem', () => {
    const form = formOf(testers().services, { address: 'ftp://x', model: ' ' });
    form.price.input = '1';
    expect(form.read()).toBeNull();
    expect(Object.keys(form.problems).toSorted()).toEqual(['address', 'model', 'price']);
    expect([form.server.address, form.price.input]).toEqual(['ftp://x', '1']);
  });

  test.each([
    ['', '', null],
    ['0', '0', { input: 0, output: 0 }],
    [' 1.5 ', '3', { input: 1.5, output: 3 }],
  ])('accept prices “%s” and “%s”', (input, output, price) => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
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
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    [form.price.input, form.price.output] = [input, output];
    expect(form.read()).toBeNull();
    expect(form.problems.price).toBeDefined();
  });

  test('fill in the price from the server’s list or Podium’s table, but keep a price that the user typed', async () => {
    const listed = { id: 'big-1', price: { input: 1, output: 2, cachedInput: 0.5 } };
    const { services } = testers({ models: () => Promise.resolve([listed, { id: 'small-1' }]) });
    const known = { price: { input: 3, output: 4 }, date: '2026-06-04', source: 'https://prices.example' };
    const form = formOf(
      { ...services, knownPrice: (_, model) => Promise.resolve(model === 'small-1' ? known : null) },
      { address: HOST },
    );
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
      const form = formOf({ ...testers().services, knownPrice }, { address: HOST, model: 'm' });
      const looking = form.modelChosen();
      form.price.input = '7';
      form.price.output = '8';
      form.price.changed();
      found(known);
      await looking;
      expect(form.read()).toMatchObject({ price: { input: 7, output: 8 }, priced: { by: 'person' } });
    },
  );

  test.each([
    [['', '', ''], undefined],
    [['3', '', ''], { concurrent: 3, requestsPerMinute: null, tokensPerMinute: null }],
    [['', ' 60 ', '90,000'], { concurrent: null, requestsPerMinute: 60, tokensPerMinute: 90_000 }],
  ] as const)('read the limits %j', ([concurrent, requests, tokens], limits) => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    form.concurrent = concurrent;
    form.requestsPerMinute = requests;
    form.tokensPerMinute = tokens;
    expect(form.read()?.limits).toEqual(limits);
  });

  test('keep the limits of an edited worker, and reject limits that are not positive whole numbers', () => {
    const limits = { concurrent: 2, requestsPerMinute: null, tokensPerMinute: 500 };
    const form = formOf(testers().services, {}, { ...SETUP, limits });
    expect(form.read()).toMatchObject({ limits });
    for (const typed of ['0', '1.5', 'few', '-2']) {
      form.concurrent = typed;
      expect(form.read(), typed).toBeNull();
      expect(form.problems.limits).toMatch(/whole numbers/);
    }
  });

  test('accept an address without a version such as /v1, and show a hint', () => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    expect(form.read()).not.toBeNull();
    expect(form.hint).toContain('/v1');
  });

  test('keep the id, colour and mark of an edited worker', () => {
    const form = formOf(testers().services, { model: 'big-2' }, SETUP);
    expect(form.read()).toEqual({ ...SETUP, model: 'big-2' });
  });
});

describe('the key', () => {
  test('is stored for the origin of the address, and not in the worker’s settings', async () => {
    const { services, keys } = testers();
    const form = formOf(services, { address: `${HOST}/v1`, model: 'm', key: ' secret ' });
    expect(form.server.hasKey).toBe(true);
    const setup = form.read();
    if (!setup) throw new Error('The form was refused.');
    const connection = await form.server.connect(setup, []);
    expect(keys.get(connection.id, HOST)).toBe('secret');
    expect(setup.needsKey).toBe(true);
    expect(JSON.stringify(setup)).not.toContain('secret');
  });

  test('is sent only to its own origin', async () => {
    const { services, keys, requests } = testers();
    keys.set(SETUP.id, HOST, 'secret');
    const form = formOf(services, {}, SETUP);
    expect(form.server.hasKey).toBe(true);
    form.server.address = 'https://elsewhere.example.com/v1';
    expect(form.server.hasKey).toBe(false);
    await form.test();
    await form.listModels();
    form.server.address = SETUP.baseUrl;
    await form.test();
    expect(requests.map(({ key }) => key)).toEqual([null, null, 'secret']);
  });
});

describe('an address from a file', () => {
  const fromFile = (more: Partial<WorkerSetup>): WorkerSetup => ({ ...SETUP, ...more });
  const FALSE = { provider: 'openai', baseUrl: 'http://evil.example/v1' };

  test.each([
    ['if the worker names a known service but has a different address', fromFile(FALSE)],
    ['if the user has not confirmed it', fromFile({ baseUrl: 'http://evil.example/v1', unconfirmed: true })],
  ])('receives no key and no request %s', async (_, before) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { services, requests } = testers();
    const form = formOf(services, {}, before);
    expect([form.server.provider, form.server.isService, form.server.host]).toEqual(['custom', false, 'evil.example']);
    form.server.key = 'secret';
    form.completed('key', true);
    form.completed('key');
    form.completed('address');
    await vi.advanceTimersByTimeAsync(1_000);
    await form.listModels();
    await form.test();
    expect(form.read()).toBeNull();
    expect(form.problems.address).toContain('Use this address');
    expect(requests).toEqual([]);
  });

  test('can be used once confirmed, and needs no confirmation after the user changes its host', async () => {
    const { services, requests } = testers();
    const before = fromFile({ ...FALSE, unconfirmed: true });
    const confirmed = formOf(services, { key: 'secret' }, before);
    confirmed.confirmAddress();
    expect(confirmed.read()).not.toHaveProperty('unconfirmed');
    await expect.poll(() => requests.map(({ baseUrl }) => baseUrl)).toEqual([before.baseUrl]);
    const retyped = formOf(services, { address: `${HOST}/v1`, key: 'secret' }, before);
    expect([retyped.server.isConfirmed, retyped.read()?.baseUrl]).toEqual([true, `${HOST}/v1`]);
  });
});

describe('the test of a worker', () => {
  const check = (name: WorkerCheck['name'], state: WorkerCheck['state']): WorkerCheck => ({
    name,
    state,
    detail: state,
  });

  test('shows the newest result of each check, in the order of the checks', async () => {
    const { services, requests } = testers({
      async *test() {
        yield check('address', 'running');
        yield check('address', 'passed');
        yield check('model', 'unknown');
      },
    });
    const form = formOf(services, { address: HOST, model: 'm', key: 'k' });
    await form.test();
    expect(form.requests.checks.map(({ name, state }) => [name, state])).toEqual([
      ['address', 'passed'],
      ['model', 'unknown'],
    ]);
    expect(requests[0]).toMatchObject({ setup: { baseUrl: HOST, model: 'm' }, key: 'k' });
    expect(form.requests.isTesting).toBe(false);
  });

  test('does not run while the form is invalid', async () => {
    const { services, requests } = testers();
    await formOf(services, { address: HOST }).test();
    expect(requests).toEqual([]);
  });
});

describe('the list of models', () => {
  test('is requested at the normalized address, and its only model is chosen', async () => {
    const { services, requests } = testers({ models: () => Promise.resolve([{ id: 'only' }]) });
    const form = formOf(services, { address: 'localhost:8080/v1/' });
    await form.listModels();
    expect(requests[0]).toMatchObject({ baseUrl: 'http://localhost:8080/v1', key: null });
    expect([form.requests.models, form.model]).toEqual([[{ id: 'only' }], 'only']);
  });

  test('does not replace a typed model', async () => {
    const form = formOf(testers({ models: () => Promise.resolve([{ id: 'only' }]) }).services, {
      address: HOST,
      model: 'mine',
    });
    await form.listModels();
    expect(form.model).toBe('mine');
  });

  test('needs an address, and shows why a request failed', async () => {
    const refused = new FaultError(fault('unauthorized', 'The key was refused.'));
    const { services, requests } = testers({ models: () => Promise.reject(refused) });
    const form = formOf(services, { address: '' });
    await form.listModels();
    expect(requests).toEqual([]);
    expect(form.problems.address).toBeDefined();
    form.server.address = HOST;
    await form.listModels();
    expect(form.requests.fault).toEqual(refused.fault);
    expect([form.requests.isListing, form.problems]).toEqual([false, {}]);
  });
});

describe('the provider and its settings:', () => {
  test('choosing a provider fills in its address and clears the key and model of the previous provider', () => {
    const form = formOf(testers().services, { address: HOST, model: 'm', key: 'secret' });
    form.chooseProvider('mistral');
    expect([form.server.address, form.model, form.server.key, form.server.isService]).toEqual([
      'https://api.mistral.ai/v1',
      '',
      '',
      true,
    ]);
    form.chooseProvider('ollama');
    expect([form.server.address, form.server.isService, form.server.acceptsKey]).toEqual([
      'http://localhost:11434/v1',
      false,
      false,
    ]);
    form.chooseProvider('custom');
    expect([form.server.address, form.server.acceptsKey]).toEqual(['', true]);
  });

  test('the provider is stored only if the address does not determine it', () => {
    const form = formOf(testers().services, {});
    form.chooseProvider('vllm');
    form.model = 'm';
    expect(form.read()).not.toHaveProperty('provider');
    form.server.address = 'https://cluster.example.com/v1';
    expect(form.read()).toMatchObject({ provider: 'vllm', baseUrl: 'https://cluster.example.com/v1' });
    const again = formOf(testers().services, {}, form.read() ?? undefined);
    expect(again.server.preset.id).toBe('vllm');
  });

  test('a worker at OpenAI needs a key, even if the user has not entered one yet', () => {
    const form = formOf(testers().services, {});
    form.chooseProvider('openai');
    form.model = 'gpt-5';
    expect(form.read()?.needsKey).toBe(true);
  });

  test('a worker with an unknown model can see images only if the user turns this on', () => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    expect(form.read()).not.toHaveProperty('canSee');
    form.canSee = true;
    expect(form.read()).toMatchObject({ canSee: true });
  });

  test('the server’s list determines whether the worker can see images, until the user changes the setting', async () => {
    const models = () => Promise.resolve([{ id: 'blind' }, { id: 'seeing', canSee: true }]);
    const form = formOf(testers({ models }).services, { address: HOST });
    await form.listModels();
    form.model = 'blind';
    expect(form.canSee).toBe(false);
    form.model = 'seeing';
    expect(form.read()).toMatchObject({ canSee: true });
    form.canSee = false;
    expect(form.read()).not.toHaveProperty('canSee');
  });

  test('published facts about a known model are used, unless the user or the server’s list overrides them', async () => {
    const knownModels = () => Promise.resolve(KNOWN_MODELS);
    const models = () => Promise.resolve([{ id: 'openai/gpt-5', canSee: false }]);
    const form = formOf({ ...testers({ models }).services, knownModels }, { address: HOST, model: 'openai/gpt-5' });
    await form.known.load();
    expect([form.canSee, form.sightFrom, form.sampling.isPublishedContext]).toEqual([true, 'published', true]);
    const published = Number(form.sampling.context);
    expect(form.read()).toMatchObject({ canSee: true, contextWindow: published });
    form.sampling.context = '8000';
    expect(form.read()).toMatchObject({ contextWindow: 8000 });
    form.sampling.context = '';
    expect(form.read()).not.toHaveProperty('contextWindow');
    await form.listModels();
    expect([form.canSee, form.sightFrom]).toEqual([false, 'list']);
  });

  test('the worker’s own sampling is stored, but a thinking budget only if the provider supports it', () => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    Object.assign(form.sampling.typed, { maxTokens: '20480', temperature: '0,6', topP: '0.8', topK: '20' });
    form.sampling.typed.presencePenalty = '1';
    form.sampling.typed.reasoningTokens = '128';
    const common = { maxTokens: 20_480, temperature: 0.6, topP: 0.8, topK: 20, presencePenalty: 1 };
    expect(form.read()).toMatchObject({ sampling: common });
    expect(form.read()).not.toHaveProperty('reasoningTokens');
    form.server.provider = 'openrouter';
    form.server.address = 'https://openrouter.ai/api/v1';
    expect(form.read()).toMatchObject({ sampling: common, reasoningTokens: 128 });
    const again = new WorkerForm(testers().services, FACES, { ...SETUP, sampling: common });
    expect(again.read()).toMatchObject({ sampling: common });
  });

  test('sampling values outside their bounds are rejected, with the name of the field', () => {
    const form = formOf(testers().services, { address: HOST, model: 'm' });
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
    const form = formOf(testers().services, { address: HOST, model: 'm' });
    expect(form.read()).not.toHaveProperty('reasoning');
    form.chooseReasoning('low');
    expect(form.read()).toMatchObject({ reasoning: 'low' });
    form.chooseProvider('lm-studio');
    form.model = 'm';
    expect(form.read()).not.toHaveProperty('reasoning');
  });
});

describe('models are listed in the background', () => {
  const offers = () => testers({ models: () => Promise.resolve([{ id: 'one' }, { id: 'two' }]) });

  test('as soon as the user chooses a server that needs no key', async () => {
    const { services, requests } = offers();
    const form = formOf(services, {});
    form.chooseProvider('ollama');
    await expect.poll(() => form.requests.models.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(requests).toMatchObject([{ baseUrl: 'http://localhost:11434/v1', key: null }]);
  });

  test('once there is a key, if the server needs one', async () => {
    const { services, requests } = offers();
    const form = formOf(services, {});
    form.chooseProvider('openai');
    expect(requests).toEqual([]);
    form.server.key = 'secret';
    form.completed('key');
    await expect.poll(() => form.requests.models.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(requests).toMatchObject([{ baseUrl: 'https://api.openai.com/v1', key: 'secret' }]);
  });

  test('but not while the address is being typed', async () => {
    const { services, requests } = offers();
    const form = formOf(services, { key: 'secret' });
    form.server.provider = 'custom';
    form.server.address = 'https://evil.exam';
    form.completed('address', true);
    form.completed('key', true);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(requests).toEqual([]);
    form.server.address = `${HOST}/v1`;
    form.completed('address');
    await expect.poll(() => form.requests.models.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(requests).toMatchObject([{ baseUrl: `${HOST}/v1`, key: 'secret' }]);
  });

  test('are not listed if the address is only the beginning of one, and the form says what is missing', async () => {
    const { services, requests } = testers();
    const form = formOf(services, { address: 'http://192.168.1' });
    form.server.provider = 'custom';
    form.completed('address');
    await expect.poll(() => form.problems.address).toContain('not a complete IP address');
    expect(requests).toEqual([]);
  });

  test('and a failure is shown only as a note', async () => {
    const { services } = testers({ models: () => Promise.reject(new FaultError(fault('offline', 'No network.'))) });
    const form = formOf(services, {});
    form.chooseProvider('ollama');
    await expect.poll(() => form.requests.listNote).toBe('No network.');
    expect(form.requests.fault).toBeNull();
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
