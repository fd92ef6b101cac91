import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  originOf,
  REASONING_LEVELS,
  type ProviderPreset,
  type ReasoningLevel,
  type ReasoningPlace,
} from '../../../src/core/contract';
import type { Fetch } from '../../../src/platform/workers/guarded-fetch';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { presetFor, presetOf, PROVIDERS } from '../../../src/platform/workers/providers';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { FakeClock } from '../../fixtures/fake-clock';
import { answerJson, chunk, event, openStream, RIGHT_KEY, send, usage } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { collect, optionsFor, QUESTION, setupOf, workersFor, type CollectedReply } from './calls';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const never = () => new AbortController().signal;
const OF_TRANSPORT = ['host', 'connection', 'content-length', 'accept-encoding', 'accept-language'];
const OF_FETCH = ['sec-fetch-mode', 'user-agent', 'cache-control', 'pragma'];

/** A part of a streamed reply, with reasoning in the given place. */
function thoughtAt(place: ReasoningPlace): object {
  const text = 'Six times seven.';
  switch (place) {
    case 'reasoning_details':
      return { reasoning_details: [{ type: 'reasoning.text', text }] };
    case 'content-parts':
      return { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] };
    case 'think-tags':
      return { content: `<think>${text}</think>` };
    default:
      return { [place]: text };
  }
}

/** The provider's address, or the test server's if the provider has none. A preset applies only to calls to its own address. */
const addressOf = ({ baseUrl }: ProviderPreset) => (baseUrl === '' ? server.url : baseUrl);

/** Sends requests for a provider to the test server instead. */
const diverted =
  (preset: ProviderPreset): Fetch =>
  (url, init) =>
    fetch(url.replace(addressOf(preset), server.url), init);

/** Calls the test server as if it were the provider. */
async function callAs(
  preset: ProviderPreset,
  model: string,
  more: Parameters<typeof setupOf>[2] = {},
): Promise<CollectedReply> {
  const setup = setupOf(addressOf(preset), model, { provider: preset.id, needsKey: true, ...more });
  const keys = createMemoryKeys();
  keys.set(setup.id, originOf(setup.baseUrl), RIGHT_KEY);
  const client = workersFor(setup, new FakeClock(), { keys, fetch: diverted(preset) });
  return collect(client.run(QUESTION, { ...optionsFor(setup), maxTokens: 4096 }, never()));
}

const bodyOf = (model: string): Record<string, unknown> => ({ ...Object(server.calls(model).at(-1)?.body) });

describe.each(PROVIDERS.map((preset) => [preset.id, preset] as const))('%s', (id, preset) => {
  test('is recognized by its address', () => {
    expect(presetFor(preset.baseUrl)).toBe(preset);
  });

  test('keeps its preset at another origin only if users run the server themselves', () => {
    const counted = preset.place === 'own' ? id : 'custom';
    for (const baseUrl of ['https://elsewhere.example/v1', 'http://evil.example/v1', 'no address'])
      expect(presetOf({ provider: id, baseUrl }).id).toBe(counted);
    if (preset.place === 'own') return;
    const { hostname, pathname } = new URL(preset.baseUrl);
    const near = [`http://${hostname}`, `https://${hostname}:8443`, `https://${hostname}.evil.example`];
    for (const origin of near) expect(presetOf({ provider: id, baseUrl: origin + pathname }).id).toBe('custom');
  });

  test('gets the key and the headers of its preset, and no unexpected headers', async () => {
    const model = `ok@headers-${id}`;
    await callAs(preset, model);
    const { headers = {} } = server.calls(model).at(-1) ?? {};
    const sent = Object.keys(headers).filter((name) => ![...OF_TRANSPORT, ...OF_FETCH].includes(name));
    expect(sent.sort()).toEqual(['accept', 'authorization', 'content-type', ...Object.keys(preset.headers)].sort());
    expect(headers).toMatchObject({ ...preset.headers, authorization: `Bearer ${RIGHT_KEY}` });
  });

  test('gets the settings that it supports, under its own names', async () => {
    const model = `ok@settings-${id}`;
    await callAs(preset, model);
    const other = preset.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const accepted = ['temperature', 'seed', 'stream_options'].filter(
      (each) => !preset.refuses.some((no) => no === each),
    );
    const names = Object.keys(bodyOf(model)).sort();
    expect(names).toEqual(['messages', 'model', 'stream', preset.limit, ...accepted].sort());
    expect(names).not.toContain(other);
  });

  test('gets its own setting for each thinking level', async () => {
    const plain = `ok@plain-${id}`;
    await callAs(preset, plain);
    for (const level of REASONING_LEVELS) {
      const model = `ok@${level}-${id}`;
      await callAs(preset, model, { reasoning: level });
      const sent = level === 'minimal' && !preset.reasoning.minimal ? 'low' : level;
      const request = preset.reasoning.request?.(sent, { model, maxTokens: 4096 }) ?? { fields: {} };
      const without: readonly string[] = request.without ?? [];
      const kept = Object.entries(bodyOf(plain)).filter(([name]) => !without.includes(name));
      expect(bodyOf(model)).toEqual({ ...Object.fromEntries(kept), model, ...request.fields });
    }
  });

  test('has its reasoning separated from the answer, in each place where it may send reasoning', async () => {
    for (const place of preset.reasoning.places) {
      const model = `${id}-${place}`;
      server.script(model, async ({ response }) => {
        openStream(response);
        await send(response, event(chunk(thoughtAt(place))));
        await send(response, event(chunk({ content: 'It is 42.' })));
        await send(response, event(chunk({}, 'stop')));
        response.end(event('[DONE]'));
      });
      const reply = await callAs(preset, model);
      expect([place, reply.reasoning, reply.content]).toEqual([place, 'Six times seven.', 'It is 42.']);
    }
  });

  test('has its reported cost used only if its preset has `usage.cost`', async () => {
    const { end } = await callAs(preset, 'usage-last');
    expect(end).toMatchObject({ type: 'finished', cost: preset.usage.cost ? 0.00042 : null });
  });

  test('lists its models, and gets the key in the header that this request requires', async () => {
    const tester = createWorkerTester({ clock: new FakeClock(), fetch: diverted(preset) });
    const models = await tester.models(addressOf(preset), RIGHT_KEY, never(), id);
    expect(models).toContainEqual(expect.objectContaining({ id: 'ok' }));
    const { headers = {} } = server.requests.findLast(({ path }) => path === '/v1/models') ?? {};
    const { keyHeader } = preset.models;
    expect(headers[keyHeader]).toBe(keyHeader === 'authorization' ? `Bearer ${RIGHT_KEY}` : RIGHT_KEY);
    expect(headers).toMatchObject({ ...preset.headers, ...preset.models.headers });
    if (keyHeader === 'x-api-key') expect(headers).not.toHaveProperty('authorization');
  });
});

function presetWith(id: string): ProviderPreset {
  const preset = PROVIDERS.find((each) => each.id === id);
  if (!preset) throw new RangeError(`There is no provider ${id}.`);
  return preset;
}

describe('the request for thinking', () => {
  const ask = (id: string, level: ReasoningLevel, model = 'small', maxTokens = 4096) =>
    presetWith(id).reasoning.request?.(level, { model, maxTokens }).fields;

  test.each([
    ['openai', 'off', 'gpt-5.1', { reasoning_effort: 'none' }],
    ['openai', 'off', 'gpt-5', { reasoning_effort: 'minimal' }],
    ['openai', 'off', 'gpt-5-mini', { reasoning_effort: 'minimal' }],
    ['openai', 'off', 'o3', { reasoning_effort: 'low' }],
    ['openai', 'high', 'gpt-5', { reasoning_effort: 'high' }],
    ['openai', 'minimal', 'gpt-5', { reasoning_effort: 'minimal' }],
    ['openrouter', 'minimal', 'openai/gpt-5', { reasoning: { effort: 'minimal' } }],
    ['gemini', 'off', 'gemini-2.5-pro', { reasoning_effort: 'low' }],
    ['gemini', 'off', 'gemini-2.5-flash', { reasoning_effort: 'none' }],
    ['openrouter', 'off', 'qwen/qwen3-32b', { reasoning: { effort: 'none' } }],
    ['openrouter', 'high', 'qwen/qwen3-32b', { reasoning: { effort: 'high' } }],
    ['deepseek', 'low', 'deepseek-chat', { thinking: { type: 'enabled' } }],
    ['groq', 'off', 'openai/gpt-oss-20b', { reasoning_effort: 'low' }],
    ['groq', 'off', 'qwen/qwen3-32b', { reasoning_format: 'hidden', reasoning_effort: 'none' }],
    ['groq', 'high', 'qwen/qwen3-32b', { reasoning_format: 'parsed', reasoning_effort: 'default' }],
    ['vllm', 'off', 'Qwen/Qwen3-32B', { chat_template_kwargs: { enable_thinking: false, thinking: false } }],
    ['anthropic', 'off', 'claude-sonnet-4', { thinking: { type: 'disabled' } }],
    ['anthropic', 'low', 'claude-sonnet-4', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['anthropic', 'high', 'claude-sonnet-4', { thinking: { type: 'enabled', budget_tokens: 3072 } }],
  ] as const)('to %s, with level %s and model %s, has the fields of that provider', (id, level, model, fields) => {
    expect(ask(id, level, model)).toEqual(fields);
  });

  test('is empty for Anthropic if the smallest budget leaves no room for the answer', () => {
    expect(ask('anthropic', 'high', 'claude-sonnet-4', 1024)).toEqual({});
  });
});

describe('a budget of thinking tokens', () => {
  const budget = (id: string, tokens: number, maxTokens = 4096) =>
    presetWith(id).reasoning.budget?.(tokens, { model: 'small', maxTokens }).fields;

  test.each([
    ['openrouter', 128, 4096, { reasoning: { max_tokens: 128 } }],
    ['openrouter', 0, 4096, { reasoning: { effort: 'none' } }],
    ['openrouter', 32_768, 65_535, { reasoning: { max_tokens: 32_768 } }],
    ['anthropic', 32_768, 64_000, { thinking: { type: 'enabled', budget_tokens: 32_768 } }],
    ['anthropic', 0, 4096, { thinking: { type: 'disabled' } }],
    ['gemini', 128, 4096, { extra_body: { google: { thinking_config: { thinking_budget: 128 } } } }],
  ] as const)(
    'is sent to %s as that provider expects: %i tokens, with an output limit of %i',
    (id, tokens, maxTokens, fields) => {
      expect(budget(id, tokens, maxTokens)).toEqual(fields);
    },
  );

  test('is lowered to leave room for the answer if the output limit is small', () => {
    expect(budget('openrouter', 32_768, 1024)).toEqual({ reasoning: { max_tokens: 768 } });
  });

  test('replaces the thinking level if the provider supports a budget', async () => {
    const requested = { reasoning: 'high', reasoningTokens: 128 } as const;
    await callAs(presetWith('openrouter'), 'ok@budget', requested);
    expect(bodyOf('ok@budget')).toMatchObject({ reasoning: { max_tokens: 128 } });
    await callAs(presetWith('xai'), 'ok@no-budget', requested);
    expect(bodyOf('ok@no-budget')).toMatchObject({ reasoning_effort: 'high' });
  });
});

test('the prefix `models/` is removed from listed models only for Gemini', async () => {
  server.script('models/gemini-2.5-pro', ({ response }) => answerJson(response, 200, usage(1, 1)));
  const listedBy = (preset: ProviderPreset) =>
    createWorkerTester({ clock: new FakeClock(), fetch: diverted(preset) }).models(
      addressOf(preset),
      null,
      never(),
      preset.id,
    );
  expect(await listedBy(presetWith('gemini'))).toContainEqual({ id: 'gemini-2.5-pro' });
  expect(await listedBy(presetWith('openai'))).toContainEqual({ id: 'models/gemini-2.5-pro' });
});

test('listed prices are converted from USD per token to USD per million tokens, and invalid prices are ignored', async () => {
  const listed = [
    { id: 'a/one', pricing: { prompt: '0.0000003', completion: '0.00000125', input_cache_read: '0.00000003' } },
    { id: 'b/free', pricing: { prompt: '0', completion: '0' } },
    { id: 'c/varies', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'd/odd', pricing: { prompt: 3, completion: '' } },
    { id: 'e/untold', pricing: null },
  ];
  const fetch = () => Promise.resolve(Response.json({ data: listed }));
  const tester = createWorkerTester({ clock: new FakeClock(), fetch });
  expect(await tester.models('https://openrouter.ai/api/v1', null, never(), 'openrouter')).toEqual([
    { id: 'a/one', price: { input: 0.3, output: 1.25, cachedInput: 0.03 } },
    { id: 'b/free', price: { input: 0, output: 0 } },
    { id: 'c/varies' },
    { id: 'd/odd' },
    { id: 'e/untold' },
  ]);
  expect(await tester.models('https://gateway.example/v1', null, never())).toContainEqual({
    id: 'a/one',
    price: { input: 0.3, output: 1.25, cachedInput: 0.03 },
  });
});

test('an address that matches no preset is a custom server, and provider ids are unique', () => {
  for (const address of ['https://api.example.com/v1', 'http://localhost:4999/v1', 'http://192.168.0.2:11434/v1', 'no'])
    expect(presetFor(address).id).toBe('custom');
  expect(presetFor('http://127.0.0.1:11434/v1').id).toBe('ollama');
  expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
});
