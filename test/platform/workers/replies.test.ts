import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, openStream } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { withDelta, type ChannelTexts } from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { presetFor } from '../../../src/platform/workers/providers';
import { readPiece } from '../../../src/platform/workers/reply';
import { collect, optionsFor, QUESTION, setupOf, workersFor, type CollectedReply } from './calls';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

/** Makes the server reply with a body, and collects the client's events. */
async function collectStream(body: string | Uint8Array, type = 'text/event-stream'): Promise<CollectedReply> {
  server.script('scripted', async ({ response }) => {
    if (type === 'text/event-stream') openStream(response);
    else response.writeHead(200, { 'content-type': type });
    await send(response, body);
    response.end();
  });
  const setup = setupOf(server.url, 'scripted');
  return collect(workersFor(setup, new FakeClock()).run(QUESTION, optionsFor(setup), new AbortController().signal));
}

const streamOf = (provider: string) => readFile(new URL(`../../fixtures/streams/${provider}.sse`, import.meta.url));
const data = (...chunks: unknown[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const DONE = 'data: [DONE]\n\n';

test.each([
  ['deepseek', { input: 14, output: 9, reasoning: 5 }, null],
  ['openrouter', { input: 14, output: 9, reasoning: 5 }, 0.0000871],
  ['groq', { input: 14, output: 9 }, null],
  ['mistral', { input: 14, output: 9 }, null],
  // xAI counts reasoning tokens in `total_tokens`, but not in `completion_tokens`.
  ['xai', { input: 14, output: 9, reasoning: 5 }, null],
])(
  '%s: the content, usage and cost of a stream are read, and its reasoning is not duplicated',
  async (provider, usage, cost) => {
    const reply = await collectStream(await streamOf(provider));
    expect(reply.reasoning).toBe('Six times seven.');
    expect(reply.content).toBe('It is 42.');
    expect(reply.end).toEqual({ type: 'finished', usage, cost, finishReason: 'stop' });
  },
);

test.each([
  ['openrouter-error', 'Provider returned error upstream connect error'],
  ['vllm-error', 'CUDA out of memory'],
])('%s: an error inside the stream is reported in the provider’s words', async (provider, detail) => {
  const reply = await collectStream(await streamOf(provider));
  expect(reply.content).toBe('It is');
  expect(reply.fault).toMatchObject({ code: 'server-error', retryable: true, detail });
});

test('usage and cost received before a failure are kept', async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, cost: 0.5 };
  const reply = await collectStream(data({ choices: [{ delta: { content: 'Half' } }], usage }));
  expect(reply.end).toMatchObject({ type: 'failed', usage: { input: 3, output: 2 }, cost: 0.5 });
});

test.each([
  [
    'the fee plus the cost at the provider if the user’s own provider key was used',
    { cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.19 } },
    0.2,
  ],
  ['unknown if such a key was used and only the fee is known', { cost: 0, is_byok: true }, null],
  [
    'the amount that OpenRouter charges if no provider key of the user was used',
    { cost: 0.01, is_byok: false, cost_details: { upstream_inference_cost: 0.19 } },
    0.01,
  ],
])('the cost of an OpenRouter call is %s', (_case, more, cost) => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, ...more };
  const piece = readPiece({ choices: [], usage }, presetFor('https://openrouter.ai/api/v1'));
  expect(piece?.cost).toEqual(cost === null ? null : expect.closeTo(cost, 12));
});

test('a finish reason or [DONE] ends an answer, but the text “[DONE]” inside the answer does not', async () => {
  const one = await collectStream(data({ choices: [{ delta: { content: 'Yes' }, finish_reason: 'length' }] }));
  expect(one.end).toMatchObject({ type: 'finished', finishReason: 'length' });
  const other = await collectStream(data({ choices: [{ delta: { content: 'Yes' } }] }) + DONE);
  expect(other.end).toMatchObject({ type: 'finished', finishReason: null });
  const spoken = await collectStream(data({ choices: [{ delta: { content: 'data: [DONE]' } }] }));
  expect(spoken.fault).toMatchObject({ code: 'cut-off' });
});

test('an answer ends at [DONE], even if the server keeps the connection open', async () => {
  server.script('done-then-open', async ({ response }) => {
    openStream(response);
    await send(response, data({ choices: [{ delta: { content: 'Whole' }, finish_reason: 'stop' }] }) + DONE);
  });
  const setup = setupOf(server.url, 'done-then-open');
  const client = workersFor(setup, new FakeClock());
  const reply = await collect(client.run(QUESTION, optionsFor(setup), new AbortController().signal));
  expect(reply).toMatchObject({ content: 'Whole', end: { type: 'finished', finishReason: 'stop' } });
});

test('an answer is finished even if the connection fails after the finish reason', async () => {
  server.script('ended-then-cut', async ({ response }) => {
    openStream(response);
    await send(response, data({ choices: [{ delta: { content: 'Whole' }, finish_reason: 'stop' }] }));
    response.destroy();
  });
  const setup = setupOf(server.url, 'ended-then-cut');
  const client = workersFor(setup, new FakeClock());
  const reply = await collect(client.run(QUESTION, optionsFor(setup), new AbortController().signal));
  expect(reply.end).toMatchObject({ type: 'finished', finishReason: 'stop' });
});

test.each(['error', 'insufficient_system_resource', 'abort', 'CANCELLED', 'time_limit', 'network_error', 'incomplete'])(
  'an answer with the finish reason “%s” counts as failed',
  async (reason) => {
    const reply = await collectStream(
      data({ choices: [{ delta: { content: 'Half' }, finish_reason: reason }] }) + DONE,
    );
    expect(reply.fault).toMatchObject({ code: 'server-error', retryable: true });
  },
);

test.each([
  ['stop', 'stop'],
  ['STOP', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['COMPLETE', 'stop'],
  ['length', 'length'],
  ['MAX_TOKENS', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content-filter'],
  ['SAFETY', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['refusal', 'content-filter'],
  ['tool_calls', 'other'],
  ['OTHER', 'other'],
  ['', null],
  ['null', null],
])('the finish reason %s is read as %s', async (word, finishReason) => {
  const reply = await collectStream(data({ choices: [{ delta: {}, finish_reason: word }] }) + DONE);
  expect(reply.end).toMatchObject({ finishReason });
});

const said = (content: string, finish_reason: string | null = null) => ({
  choices: [{ delta: { content }, finish_reason }],
});

test.each([
  ['an empty reason with each chunk', [said('a', ''), said('b', 'length'), said('', '')], 'length'],
  ['another reason after the first', [said('a'), said('', 'length'), said('', 'stop')], 'length'],
  ['“stop” with each chunk', [said('a', 'stop'), said('b', 'stop'), said('c', 'length')], 'length'],
  ['text after the reason', [said('a', 'max_tokens'), said('b', 'stop')], 'length'],
])('with %s, the first real finish reason counts', async (_, chunks, finishReason) => {
  expect((await collectStream(data(...chunks) + DONE)).end).toMatchObject({ type: 'finished', finishReason });
});

test.each([
  ['only empty finish reasons', [said('a', ''), said('b', '')]],
  ['text after an early “stop”', [said('a', 'stop'), said('b')]],
])('a stream with %s that ends without [DONE] is cut off', async (_, chunks) => {
  const reply = await collectStream(data(...chunks));
  expect(reply).toMatchObject({ content: 'ab', fault: { code: 'cut-off', retryable: true } });
});

test('a reply in one piece that was aborted counts as failed, with its text', async () => {
  const body = JSON.stringify({ choices: [{ message: { content: 'Half' }, finish_reason: 'abort' }] });
  expect(await collectStream(body, 'application/json')).toMatchObject({
    content: 'Half',
    fault: { code: 'server-error' },
  });
});

test.each([
  ['a stream labelled as JSON', data(said('42', 'stop')) + DONE, 'application/json'],
  ['a stream labelled as text, with a byte order mark', `\uFEFF${data(said('42', 'stop'))}`, 'text/plain'],
  [
    'JSON labelled as a stream',
    '\n{"choices": [{"message": {"content": "42"}, "finish_reason": "stop"}]}',
    'text/event-stream',
  ],
  ['a stream without a last line break', `data: ${JSON.stringify(said('42', 'stop'))}`, 'text/event-stream'],
])('%s is read as what it is', async (_, body, type) => {
  expect(await collectStream(body, type)).toMatchObject({
    content: '42',
    end: { type: 'finished', finishReason: 'stop' },
  });
});

test('a web page labelled as a stream is reported as a web page', async () => {
  expect((await collectStream('<!doctype html><p>Hello')).fault).toMatchObject({ code: 'bad-address' });
});

test.each([
  ['a detail', { detail: 'No GPU is free' }],
  ['a message with a type', { object: 'error', message: 'No GPU is free', type: 'InternalServerError' }],
  ['a message alone', { message: 'No GPU is free' }],
  ['a list of errors', { errors: [{ message: 'No GPU is free' }] }],
  ['a list', [{ error: { message: 'No GPU is free' } }]],
  ['a text', { error: 'No GPU is free' }],
  [
    'an error in the choice',
    { choices: [{ delta: {}, error: { message: 'No GPU is free' }, finish_reason: 'error' }] },
  ],
  ['an error in JSON in a text', { error: { message: 'Upstream: {"error":{"message":"No GPU is free"}}' } }],
])('an error inside a stream with status 200 is reported, as %s', async (_, body) => {
  const reply = await collectStream(data(said('It is'), body) + DONE);
  expect(reply).toMatchObject({ content: 'It is', fault: { code: 'server-error', retryable: true } });
  expect(reply.fault?.detail).toMatch(/^(Upstream: )?No GPU is free$/);
});

test('an error inside a stream is classified by its message', async () => {
  const body = { detail: 'The prompt has 9000 tokens, but the maximum context length is 4096.' };
  expect((await collectStream(data(body))).fault).toMatchObject({ code: 'too-large', retryable: false });
});

test('a status report inside a stream is no error', async () => {
  const report = { type: 'progress', message: 'Loading the model' };
  expect(await collectStream(data(report, said('42', 'stop')))).toMatchObject({ content: '42', fault: null });
});

test.each([
  ['an object', { type: 'text', text: '42' }, ''],
  ['a list of texts', ['4', '2'], ''],
  [
    'parts of reasoning',
    [
      { type: 'reasoning', text: 'Six' },
      { type: 'text', text: '42' },
    ],
    'Six',
  ],
  [
    'parts of thinking',
    [
      { type: 'thinking', thinking: ['Si', { type: 'text', text: 'x' }] },
      { type: 'text', text: '42' },
    ],
    'Six',
  ],
])('content that is %s is read', async (_, content, reasoning) => {
  const body = data({ choices: [{ delta: { content }, finish_reason: 'stop' }] });
  expect(await collectStream(body)).toMatchObject({ content: '42', reasoning });
});

const counted = (content: string, usage: object) => ({ ...said(content), usage });
test.each([
  [
    'running totals',
    [
      counted('a', { prompt_tokens: 9, completion_tokens: 1 }),
      counted('b', { prompt_tokens: 9, completion_tokens: 2 }),
    ],
    { input: 9, output: 2 },
  ],
  [
    'the tokens of each chunk',
    ['a', 'b', 'c'].map((text) => counted(text, { prompt_tokens: 9, completion_tokens: 1 })),
    { input: 9, output: 3 },
  ],
  [
    'the tokens of each chunk, of different sizes',
    [3, 5, 2].map((tokens) => counted('a', { prompt_tokens: 9, completion_tokens: tokens })),
    { input: 9, output: 10 },
  ],
  [
    'the same total twice',
    [counted('a', { prompt_tokens: 9, completion_tokens: 7 }), counted('', { prompt_tokens: 9, completion_tokens: 7 })],
    { input: 9, output: 7 },
  ],
  [
    'prompt and answer in different chunks',
    [counted('a', { input_tokens: 9 }), counted('b', { output_tokens: 7 })],
    { input: 9, output: 7 },
  ],
  [
    'zeros at the end',
    [counted('a', { prompt_tokens: 9, completion_tokens: 7 }), counted('', { prompt_tokens: 0, completion_tokens: 0 })],
    { input: 9, output: 7 },
  ],
  [
    'the usage inside the choice',
    [{ choices: [{ delta: { content: 'a' }, usage: { prompt_tokens: 9, completion_tokens: 7 } }] }],
    { input: 9, output: 7 },
  ],
  ['zeros for an answer with text', [counted('a', { prompt_tokens: 0, completion_tokens: 0 })], null],
])('usage is read from a stream with %s', async (_, chunks, usage) => {
  expect((await collectStream(data(...chunks) + DONE)).end).toMatchObject({ type: 'finished', usage });
});

test('thoughts that end with a closing tag alone are relabelled, and the key is removed from both parts', async () => {
  const key = 'sk-0123456789abcdefghij';
  const text = `The key is ${key}.</think>\n\nIt is ${key}.`;
  server.script('relabel', async ({ response }) => {
    openStream(response);
    for (const sign of text) await send(response, data(said(sign)));
    response.end(data(said('', 'stop')));
  });
  const setup = setupOf(server.url, 'relabel', { needsKey: true });
  const keys = { get: () => key, set: () => undefined, forget: () => undefined };
  const client = workersFor(setup, new FakeClock(), { keys });
  const { events } = await collect(client.run(QUESTION, optionsFor(setup), new AbortController().signal));
  const deltas = events.filter((event) => event.type === 'delta');
  const { reasoning, content } = deltas.reduce<ChannelTexts>(withDelta, { content: '', reasoning: '' });
  expect(reasoning).toMatch(/^The key is .{0,4}\[key\]\.$/);
  expect(content).toMatch(/^It is .{0,4}\[key\]\.$/);
});

test('unknown fields, comments and pings are ignored', async () => {
  const reply = await collectStream(
    ': keep-alive\n\n' +
      data(
        { type: 'ping', choices: null },
        { choices: [{ delta: { content: 'Yes', tool_calls: [], reasoning: { effort: 1 } }, logprobs: {} }], extra: 1 },
        { choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: 'many' } },
      ) +
      DONE,
  );
  expect(reply.content).toBe('Yes');
  expect(reply.end).toEqual({ type: 'finished', usage: null, cost: null, finishReason: 'stop' });
});

test('the `refusal` of a model becomes the text of its answer', async () => {
  const chunk = { choices: [{ delta: { content: null, refusal: 'I cannot help.' }, finish_reason: 'stop' }] };
  expect((await collectStream(data(chunk) + DONE)).content).toBe('I cannot help.');
});

test.each([
  ['a chunk whose text is not text', data({ choices: [{ delta: { content: 5 } }] }) + DONE, 'text/event-stream'],
  ['data that is not JSON', 'data: {oops\n\n', 'text/event-stream'],
  ['a body that is not a stream', 'Hello there', 'text/plain'],
  ['JSON that is no answer', '{"hello":"there"}', 'application/json'],
  ['invalid JSON', '{oops', 'application/json'],
])('%s is a broken reply', async (_name, body, type) => {
  expect((await collectStream(body, type)).fault).toMatchObject({ code: 'broken-reply', retryable: false });
});

test('a JSON body with an error is reported as a fault, even with status 200', async () => {
  const body = JSON.stringify({ error: { message: 'Try later.', code: 'rate_limit_exceeded' } });
  expect((await collectStream(body, 'application/json')).fault).toMatchObject({
    code: 'rate-limited',
    retryable: true,
    detail: 'Try later.',
  });
});

test('an empty stream is reported as cut off', async () => {
  expect((await collectStream('')).fault).toMatchObject({ code: 'cut-off' });
});
