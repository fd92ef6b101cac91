import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerEvent, WorkerSetup } from '../../../src/core/contract';
import { keepExtras } from '../../../src/core/contract/worker/connection-extras';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import type { Fetch } from '../../../src/platform/workers/guarded-fetch';
import { createGate } from '../../../src/platform/workers/limits/gate';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import {
  answerJson,
  chunk,
  event,
  GIANT_LENGTH,
  okAnswer,
  openStream,
  RIGHT_KEY,
  SCENARIOS,
  send,
  SPLIT_TEXT,
} from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { collect, optionsFor, QUESTION, setupOf, workersFor, type CollectedReply } from './calls';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const never = () => new AbortController().signal;

function begin(setup: WorkerSetup, signal = never(), clock = new FakeClock()): AsyncIterable<WorkerEvent> {
  return workersFor(setup, clock).run(QUESTION, optionsFor(setup), signal);
}

function call(model: string, more: Partial<WorkerSetup> = {}): Promise<CollectedReply> {
  return collect(begin(setupOf(server.url, model, more)));
}

const LONG_KEY = 'sk-canary-0f1E2d3C4b5A69788796a5B4c3D2e1F0';
const turned = (text: string) => Array.from(text).reverse().join('');
const split = (text: string) => Array.from(text).join('\n');

function callWithKey(model: string): AsyncIterable<WorkerEvent> {
  const setup = setupOf(server.url, model, { needsKey: true });
  const keys = createMemoryKeys();
  keys.set(setup.id, new URL(server.url).origin, LONG_KEY);
  return workersFor(setup, new FakeClock(), { keys }).run(QUESTION, optionsFor(setup), never());
}

describe('a worker with extra fields', () => {
  test('is called with them', async () => {
    const { fault } = await call('ok', { extraFields: { min_p: 0.1 } });
    expect(fault).toBeNull();
    expect(server.calls('ok').at(-1)?.body).toMatchObject({ min_p: 0.1 });
  });

  test.each([
    ['a field that Podium sends itself', { extraFields: { n: 4 } }, '“n” can’t be added'],
    ['a field without its maximum price', { extraFields: { plugins: [] } }, 'enter a maximum price'],
  ])('is not called with %s', async (_, more, words) => {
    const { fault } = await call('extra@refused', more);
    expect(fault?.message).toContain(words);
    expect(server.calls('extra@refused')).toEqual([]);
  });

  test('is not called at a higher price than the run has recorded', async () => {
    const setup = setupOf(server.url, 'extra@dearer', { price: { input: 1, output: 1 } });
    const dearer = { ...setup, extraFields: { plugins: [] }, extraUsd: 0.02 };
    const client = workersFor(dearer, new FakeClock());
    const { fault } = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(fault?.message).toContain('may now cost more');
    expect(server.calls('extra@dearer')).toEqual([]);
    expect((await collect(client.run(QUESTION, optionsFor(dearer), never()))).fault?.message ?? '').not.toContain(
      'more',
    );
  });
});

describe('the extra headers and query of a connection', () => {
  const SECRET = 'az-canary-0f1E2d3C4b5A69788796a5B4';
  const extras = { 'api-key': SECRET, '?api-version': '2024-10-21', host: 'evil.example', cookie: 'a=b' };
  const withExtras = (origin: string, more: Readonly<Record<string, string>> = extras) => {
    const keys = createMemoryKeys();
    keepExtras(keys, 'c', origin, more);
    return keys;
  };
  const setupFor = (model: string, more: Partial<WorkerSetup> = {}) =>
    setupOf(server.url, model, { connection: 'c', extraNames: ['api-key', '?api-version'], ...more });

  test('are sent to their own origin with calls and with requests for models, without forbidden headers', async () => {
    const sent: { url: string; headers: Headers }[] = [];
    const spy: Fetch = (url, init) => {
      sent.push({ url, headers: new Headers(init.headers) });
      return fetch(url, init);
    };
    const keys = withExtras(new URL(server.url).origin, { ...extras, authorization: 'Basic eDp5' });
    keys.set('c', new URL(server.url).origin, RIGHT_KEY);
    const setup = setupFor('ok', { needsKey: true });
    const client = workersFor(setup, new FakeClock(), { keys, fetch: spy });
    expect((await collect(client.run(QUESTION, optionsFor(setup), never()))).fault).toBeNull();
    const tester = createWorkerTester({ clock: new FakeClock(), fetch: spy });
    await tester.connect(server.url, RIGHT_KEY, never(), undefined, { ...extras, authorization: 'Basic eDp5' });
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/chat/completions', '/v1/models']);
    for (const { url, headers } of sent) {
      expect(new URL(url).search).toBe('?api-version=2024-10-21');
      expect(headers.get('api-key')).toBe(SECRET);
      expect([headers.get('host'), headers.get('cookie')]).toEqual([null, null]);
      expect(headers.get('authorization')).toBe(`Bearer ${RIGHT_KEY}`);
    }
  });

  test('are not sent if they were entered for another origin, and then the worker is not called', async () => {
    const setup = setupFor('extras@moved');
    const client = workersFor(setup, new FakeClock(), { keys: withExtras('https://other.example') });
    const { fault } = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(fault).toMatchObject({ code: 'unauthorized' });
    expect(fault?.message).toContain('enter their values again');
    expect(server.calls('extras@moved')).toEqual([]);
  });

  test('are removed from answers and errors that repeat them', async () => {
    const setup = setupFor('extras@echo');
    server.script('extras@echo', ({ response, earlier }) =>
      earlier === 0
        ? answerJson(response, 200, { choices: [{ message: { content: `You sent ${SECRET} on 2024-10-21.` } }] })
        : answerJson(response, 400, { error: { message: `Wrong api-key ${SECRET}.` } }),
    );
    const client = workersFor(setup, new FakeClock(), { keys: withExtras(new URL(server.url).origin) });
    const reply = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(reply.content).toBe('You sent [key] on 2024-10-21.');
    const { fault } = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(JSON.stringify(fault)).toContain('Wrong api-key [key]');
    expect(JSON.stringify(fault)).not.toContain(SECRET);
  });
});

describe('a reply that contains the key', () => {
  test.each([
    ['unchanged', LONG_KEY],
    ['reversed', turned(LONG_KEY)],
    ['in upper case', LONG_KEY.toUpperCase()],
    ['split by line breaks', split(LONG_KEY)],
    ['in base64', btoa(LONG_KEY)],
  ])(
    'has the key removed from reasoning and content, even if the key arrives in chunks and %s',
    async (how, reported) => {
      const model = `echo@${how}`;
      server.script(model, async ({ response }) => {
        openStream(response);
        for (const place of ['reasoning_content', 'content'])
          for (const piece of `I have ${reported} here.`.match(/[^]{1,7}/g) ?? [])
            await send(response, event(chunk({ [place]: piece })));
        await send(response, event(chunk({}, 'stop')));
        response.end(event('[DONE]'));
      });
      const reply = await collect(callWithKey(model));
      // The first letters of the key may be shown before the rest arrives.
      for (const text of [reply.content, reply.reasoning])
        expect(text.replaceAll('\n', '')).toMatch(/^I have .{0,4}\[key\].{0,2} here\.$/);
      expect(reply.end).toMatchObject({ type: 'finished', finishReason: 'stop' });
    },
  );

  test('keeps its text, including the beginning of the key, if the reply ends inside the key', async () => {
    server.script('echo@cut', async ({ response }) => {
      openStream(response);
      await send(response, event(chunk({ content: `It is ${LONG_KEY.slice(0, 12)}` })));
      response.destroy();
    });
    const reply = await collect(callWithKey('echo@cut'));
    expect(reply.content).toBe(`It is ${LONG_KEY.slice(0, 12)}`);
    expect(reply.fault).toMatchObject({ code: 'cut-off' });
  });

  test('loses every model id that contains the key if the reply is a list of models', async () => {
    const fetch = () =>
      Promise.resolve(Response.json({ data: [{ id: 'one' }, { id: LONG_KEY }, { id: turned(LONG_KEY) }] }));
    const tester = createWorkerTester({ clock: new FakeClock(), fetch });
    expect(await tester.models(server.url, LONG_KEY, never())).toEqual([{ id: 'one' }]);
  });
});

describe('an answer', () => {
  test('arrives as deltas and one final event, which has the usage', async () => {
    const reply = await call('ok');
    expect(reply.content).toBe(okAnswer(QUESTION));
    expect(reply.events.filter((event) => event.type !== 'delta')).toEqual([reply.end]);
    expect(reply.events.length).toBeGreaterThan(5);
    expect(reply.end).toEqual({
      type: 'finished',
      usage: { input: 9, output: okAnswer(QUESTION).split(' ').length },
      cost: null,
      finishReason: 'stop',
    });
  });

  test('is the same when its bytes are split inside lines and characters', async () => {
    expect((await call('split-utf8')).content).toBe(SPLIT_TEXT);
  });

  test('has separate reasoning', async () => {
    const reply = await call('reasoning');
    expect([reply.reasoning, reply.content]).toEqual(['Six times seven makes forty-two.', 'It is 42.']);
  });

  test('has separate reasoning if the server sends it in think tags', async () => {
    const reply = await call('think-tags');
    expect([reply.reasoning, reply.content]).toEqual(['Six times seven.', 'It is 42.']);
  });

  test('has the last reported usage, and the reported cost', async () => {
    expect((await call('usage-last')).end).toEqual({
      type: 'finished',
      usage: { input: 11, output: 7, reasoning: 3 },
      cost: 0.00042,
      finishReason: 'stop',
    });
  });

  test('has no usage and no cost if the server reports none', async () => {
    expect((await call('no-usage')).end).toMatchObject({ type: 'finished', usage: null, cost: null });
  });

  test('may be empty', async () => {
    const reply = await call('empty');
    expect(reply.events).toEqual([reply.end]);
    expect(reply.end).toMatchObject({ type: 'finished', finishReason: 'stop' });
  });

  test('may come in one piece', async () => {
    const reply = await call('whole');
    expect(reply).toMatchObject({ reasoning: 'No need to stream.', content: 'All at once.' });
    expect(reply.end).toMatchObject({ type: 'finished', usage: { input: 5, output: 3 }, finishReason: 'stop' });
  });

  test('may be very long', async () => {
    const reply = await call('giant');
    expect(reply.content).toHaveLength(GIANT_LENGTH);
    expect(reply.end).toMatchObject({ finishReason: 'length' });
  });
});

describe('a request', () => {
  test('is sent once with the requested settings and only the necessary headers', async () => {
    await call('ok@headers', { needsKey: false });
    const [request] = server.calls('ok@headers');
    expect(server.calls('ok@headers')).toHaveLength(1);
    expect(request?.body).toEqual({
      model: 'ok@headers',
      messages: QUESTION,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 64,
      seed: 7,
    });
    const ofTransport = ['host', 'connection', 'content-length', 'accept-encoding', 'accept-language'];
    const ofFetch = ['sec-fetch-mode', 'user-agent'];
    const sent = Object.keys(request?.headers ?? {}).filter((name) => ![...ofTransport, ...ofFetch].includes(name));
    expect(sent.sort()).toEqual(['accept', 'content-type']);
    expect(request?.headers['user-agent']).not.toContain('OpenAI');
  });

  test('sends the key of its worker and origin in the authorization header', async () => {
    const setup = setupOf(server.url, 'wrong-key', { needsKey: true });
    const keys = createMemoryKeys();
    keys.set(setup.id, new URL(server.url).origin, RIGHT_KEY);
    const client = workersFor(setup, new FakeClock(), { keys });
    const reply = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(reply.end?.type).toBe('finished');
    expect(server.calls('wrong-key').at(-1)?.headers.authorization).toBe(`Bearer ${RIGHT_KEY}`);
  });

  test('is not sent with a key that was entered for another origin', async () => {
    const setup = setupOf(server.url, 'ok@other-origin', { needsKey: true });
    const keys = createMemoryKeys();
    keys.set(setup.id, 'https://api.example.com', RIGHT_KEY);
    const client = workersFor(setup, new FakeClock(), { keys });
    const { fault } = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(fault).toMatchObject({ code: 'unauthorized', retryable: false });
    expect(server.calls('ok@other-origin')).toHaveLength(0);
  });

  test('is not sent to a worker from a file before the user has confirmed the worker', async () => {
    const { fault } = await call('ok@unconfirmed', { unconfirmed: true });
    expect(fault).toMatchObject({ code: 'worker-missing' });
    expect(fault?.message).toContain('isn’t confirmed');
    expect(server.calls('ok@unconfirmed')).toHaveLength(0);
  });

  test('does not follow a redirect', async () => {
    const { fault } = await call('redirect');
    expect(fault).toMatchObject({ code: 'bad-address', retryable: false });
    expect(server.calls('redirect')).toHaveLength(1);
  });

  test('is not sent if the worker was removed or moved since the run began', async () => {
    const setup = setupOf(server.url, 'ok@moved');
    const client = workersFor(setup, new FakeClock());
    const removed = optionsFor({ ...setup, id: 'someone-else' });
    const moved = optionsFor({ ...setup, baseUrl: 'https://api.example.com/v1' });
    expect((await collect(client.run(QUESTION, removed, never()))).fault).toMatchObject({ code: 'worker-missing' });
    expect((await collect(client.run(QUESTION, moved, never()))).fault).toMatchObject({ code: 'worker-missing' });
    expect(server.calls('ok@moved')).toHaveLength(0);
  });

  test('is not sent if the worker’s model has changed since the run began', async () => {
    const setup = setupOf(server.url, 'ok@own');
    const expensive = optionsFor({ ...setup, model: 'ok@dear' });
    const { fault } = await collect(workersFor(setup, new FakeClock()).run(QUESTION, expensive, never()));
    expect(fault).toMatchObject({ code: 'worker-missing', message: expect.stringContaining('now uses ok@own') });
    expect([server.calls('ok@own'), server.calls('ok@dear')]).toEqual([[], []]);
  });

  test('is not sent with an invalid key', async () => {
    const setup = setupOf(server.url, 'ok@broken-key', { needsKey: true });
    const keys = createMemoryKeys();
    keys.set(setup.id, new URL(server.url).origin, 'sk-one\nsk-two');
    const client = workersFor(setup, new FakeClock(), { keys });
    expect((await collect(client.run(QUESTION, optionsFor(setup), never()))).fault).toMatchObject({
      code: 'unauthorized',
    });
    expect(server.calls('ok@broken-key')).toHaveLength(0);
  });
});

describe('a failure', () => {
  test.each([
    ['429-always', { code: 'rate-limited', status: 429, retryable: true, retryAfter: 1000 }],
    ['no-quota', { code: 'payment-required', status: 429, retryable: false }],
    ['wrong-key', { code: 'unauthorized', status: 401, retryable: false }],
    ['unknown-model', { code: 'not-found', status: 404, retryable: false }],
    ['no-such-scenario', { code: 'not-found', status: 404, retryable: false }],
    ['cut', { code: 'cut-off', retryable: true }],
    ['no-done', { code: 'cut-off', retryable: true }],
    ['error-in-stream', { code: 'server-error', detail: 'The model crashed.' }],
    ['html', { code: 'bad-address', retryable: false }],
  ])('in the scenario %s is reported with the server’s address', async (model, fault) => {
    const reply = await call(model);
    expect(reply.fault).toMatchObject(fault);
    expect(reply.fault?.message).toMatch(new RegExp(`127\\.0\\.0\\.1:${server.port}.*\\.$`));
    expect(server.calls(model).length).toBeGreaterThan(0);
  });

  test('is not retried by the client, and the next call can succeed', async () => {
    for (const [model, code] of [
      ['429-then-ok', 'rate-limited'],
      ['500-then-ok', 'server-error'],
    ] as const) {
      expect((await call(model)).fault?.code).toBe(code);
      expect(server.calls(model)).toHaveLength(1);
      expect((await call(model)).end?.type).toBe('finished');
    }
  });

  test('in the middle of an answer keeps the received text', async () => {
    for (const model of ['no-done', 'error-in-stream'])
      expect((await call(model)).content, model).toBe('The first words');
    const events = begin(setupOf(server.url, 'cut-later'))[Symbol.asyncIterator]();
    const texts = [await events.next(), await events.next()].map(({ value }) => value);
    expect(texts).toMatchObject([{ text: 'The first' }, { text: ' words' }]);
    server.release();
    expect((await events.next()).value).toMatchObject({ type: 'failed', fault: { code: 'cut-off' } });
  });

  test('is reported only 10 s after the page began to close, because a closing page interrupts the run', async () => {
    for (const leaving of ['beforeunload', 'pagehide']) {
      const page = new EventTarget();
      const clock = new FakeClock();
      let refuse: (reason: Error) => void = () => undefined;
      const refusal = new Promise<Response>((_resolve, reject) => (refuse = reject));
      const setup = setupOf(server.url, 'ok');
      const client = workersFor(setup, clock, { page, fetch: () => refusal });
      let isReported = false;
      const reply = collect(client.run(QUESTION, optionsFor(setup), never()));
      const reported = reply.then(() => (isReported = true));
      await idle();
      page.dispatchEvent(new Event(leaving));
      refuse(new TypeError('NetworkError when attempting to fetch resource.'));
      await clock.advance(9_999);
      expect(isReported, leaving).toBe(false);
      await clock.advance(1);
      await reported;
      expect((await reply).fault, leaving).toMatchObject({ code: 'unreachable' });
    }
  });

  test('is reported only 10 s after the last event of a closing page', async () => {
    const page = new EventTarget();
    const clock = new FakeClock();
    const setup = setupOf(server.url, 'ok');
    const client = workersFor(setup, clock, { page, fetch: () => Promise.reject(new TypeError('offline')) });
    let isReported = false;
    const reported = collect(client.run(QUESTION, optionsFor(setup), never())).then(() => (isReported = true));
    page.dispatchEvent(new Event('beforeunload'));
    await clock.advance(9_000);
    page.dispatchEvent(new Event('pagehide'));
    await clock.advance(9_999);
    expect(isReported).toBe(false);
    await clock.advance(1);
    await reported;
  });

  test('leaves no listener on the page, like every other way in which a call can end', async () => {
    let listeners = 0;
    const page = new EventTarget();
    const add = page.addEventListener.bind(page);
    const remove = page.removeEventListener.bind(page);
    page.addEventListener = (...given) => {
      listeners += 1;
      add(...given);
    };
    page.removeEventListener = (...given) => {
      listeners -= 1;
      remove(...given);
    };
    const begun = (model: string, signal = never()) => {
      const setup = setupOf(server.url, model);
      return workersFor(setup, new FakeClock(), { page }).run(QUESTION, optionsFor(setup), signal);
    };
    const [finished, failed] = [await collect(begun('ok')), await collect(begun('html'))];
    expect([finished.end?.type, failed.end?.type, listeners]).toEqual(['finished', 'failed', 0]);

    const left = begun('cut-later')[Symbol.asyncIterator]();
    await left.next();
    expect(listeners).toBeGreaterThan(0);
    await left.return?.();
    expect(listeners, 'after the caller stopped reading').toBe(0);

    const aborting = new AbortController();
    const aborted = begun('cut-later', aborting.signal)[Symbol.asyncIterator]();
    await aborted.next();
    aborting.abort();
    while (!(await aborted.next().catch(() => ({ done: true }))).done);
    expect(listeners, 'after an abort').toBe(0);
    server.release();
  });

  test('is not reported if the call is aborted while the page is closing', async () => {
    const page = new EventTarget();
    const setup = setupOf('http://127.0.0.1:9', 'ok');
    const aborting = new AbortController();
    const client = workersFor(setup, new FakeClock(), { page, fetch: () => Promise.reject(new TypeError('offline')) });
    const reply = collect(client.run(QUESTION, optionsFor(setup), aborting.signal));
    page.dispatchEvent(new Event('beforeunload'));
    await idle();
    aborting.abort();
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('never contains the key, even if the server repeats it', async () => {
    const setup = setupOf(server.url, 'wrong-key', { needsKey: true });
    const key = 'my own secret'.replaceAll(' ', '.');
    const keys = createMemoryKeys();
    keys.set(setup.id, new URL(server.url).origin, key);
    const client = workersFor(setup, new FakeClock(), { keys });
    const reply = await collect(client.run(QUESTION, optionsFor(setup), never()));
    expect(reply.fault).toMatchObject({ code: 'unauthorized', detail: 'Incorrect API key provided: [key].' });
    expect(JSON.stringify(reply.events)).not.toContain(key);
  });

  test('never contains the key, even if the server repeats it in another form', async () => {
    for (const [index, reported] of [turned(LONG_KEY), split(LONG_KEY), btoa(LONG_KEY)].entries()) {
      const model = `refuses@${index}`;
      server.script(model, ({ response }) => answerJson(response, 400, { error: { message: `No: ${reported}` } }));
      const { fault } = await collect(callWithKey(model));
      expect(fault?.detail).toMatch(/^No: \[key\]=?$/);
    }
  });

  test('for a missing path is reported as a bad address', async () => {
    expect((await call('ok', { baseUrl: server.url.replace('/v1', '') })).fault).toMatchObject({ code: 'bad-address' });
  });

  test('for a missing server asks to check the address and the server', async () => {
    const stopped = await startOpenAiServer();
    await stopped.close();
    const { fault } = await call('ok', { baseUrl: stopped.url });
    expect(fault).toMatchObject({ code: 'unreachable', retryable: true });
    expect(fault?.message).toContain('Check the address, and that the server is running.');
  });

  test('because of a setting repeats the request without this setting, which later calls leave out', async () => {
    const setup = setupOf(server.url, 'no-stream-options');
    const client = workersFor(setup, new FakeClock());
    for (const attempt of [0, 1]) {
      const { end } = await collect(client.run(QUESTION, { ...optionsFor(setup), attempt }, never()));
      expect(end?.type).toBe('finished');
    }
    const bodies = server.calls('no-stream-options').map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes('stream_options'))).toEqual([true, false, false]);
  });

  test('because of many settings in turn repeats the request within one attempt', async () => {
    const names = ['presence_penalty', 'max_tokens', 'top_k', 'seed', 'temperature', 'reasoning_effort', 'top_p'];
    server.script('strict-one', (exchange) => {
      const refused = names[exchange.earlier];
      if (refused === undefined) return SCENARIOS['ok']?.(exchange);
      answerJson(exchange.response, 400, { error: { message: `Unsupported parameter: '${refused}'` } });
    });
    const own = { temperature: 0.4, topP: 0.9, topK: 7, presencePenalty: 0.5 };
    const setup = setupOf(server.url, 'strict-one', { reasoning: 'low', sampling: own });
    const client = workersFor(setup, new FakeClock());
    const { end } = await collect(client.run(QUESTION, { ...optionsFor(setup), ...own }, never()));
    expect(end?.type).toBe('finished');
    expect(server.calls('strict-one')).toHaveLength(names.length + 1);
    const last = Object.keys(Object(server.calls('strict-one').at(-1)?.body));
    expect(last.sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'stream', 'stream_options']);
  });

  test('because of streaming repeats the request without streaming', async () => {
    server.script('whole-only', (exchange) => {
      if (exchange.streams) {
        const error = { message: 'Your project must be verified to stream this model.', param: 'stream' };
        return answerJson(exchange.response, 400, { error });
      }
      answerJson(exchange.response, 200, { choices: [{ message: { content: 'Six.' }, finish_reason: 'stop' }] });
    });
    const setup = setupOf(server.url, 'whole-only');
    const { content, end } = await collect(
      workersFor(setup, new FakeClock()).run(QUESTION, optionsFor(setup), never()),
    );
    expect({ content, type: end?.type }).toEqual({ content: 'Six.', type: 'finished' });
    expect(Object(server.calls('whole-only')[1]?.body)).not.toHaveProperty('stream_options');
  });

  test('because of the system role puts the system message before the question', async () => {
    server.script('roleless', (exchange) => {
      if (exchange.messages.some(({ role }) => role === 'system'))
        return answerJson(exchange.response, 400, { error: { message: 'System role not supported' } });
      return SCENARIOS['ok']?.(exchange);
    });
    const setup = setupOf(server.url, 'roleless');
    const { end } = await collect(workersFor(setup, new FakeClock()).run(QUESTION, optionsFor(setup), never()));
    expect(end?.type).toBe('finished');
    expect(Object(server.calls('roleless')[1]?.body)).toMatchObject({
      messages: [{ role: 'user', content: 'Be brief.\n\nWhat is six times seven?' }],
    });
  });

  test('because of the output limit repeats the request with what fits, and remembers a limit of the model', async () => {
    const limits: unknown[] = [];
    server.script('narrow', (exchange) => {
      const { max_tokens: limit } = Object(server.calls('narrow').at(-1)?.body);
      limits.push(limit);
      if (limit > 40)
        return answerJson(exchange.response, 400, {
          error: { message: 'max_tokens is too large. At most 40 tokens.' },
        });
      return SCENARIOS['ok']?.(exchange);
    });
    const setup = setupOf(server.url, 'narrow');
    const client = workersFor(setup, new FakeClock());
    for (const attempt of [0, 1]) await collect(client.run(QUESTION, { ...optionsFor(setup), attempt }, never()));
    expect(limits).toEqual([64, 40, 40]);
  });

  test('because of an ever lower output limit is reported in the end', async () => {
    server.script('shrinking', ({ response, earlier }) =>
      answerJson(response, 400, { error: { message: `max_tokens must be less than or equal to ${60 - earlier}` } }),
    );
    const { fault } = await call('shrinking');
    expect(fault).toMatchObject({ code: 'bad-request' });
    expect(server.calls('shrinking').length).toBeLessThan(20);
  });

  test.each([
    [500, 'llm server loading model'],
    [503, 'Loading model'],
    [404, 'The model is still loading.'],
    [425, 'Model gpu-1 is not ready yet'],
  ])('with status %i and %j means that the model is being loaded', async (status, message) => {
    server.script(`loads@${status}`, ({ response }) => answerJson(response, status, { error: { message } }));
    expect((await call(`loads@${status}`)).fault).toMatchObject({ code: 'overloaded', retryable: true, status });
  });

  test('of a model that can’t be loaded is not mistaken for a model that is being loaded', async () => {
    server.script('broken-weights', ({ response }) =>
      answerJson(response, 500, { error: { message: 'error loading model: unable to allocate buffer' } }),
    );
    expect((await call('broken-weights')).fault).toMatchObject({ code: 'server-error' });
  });

  test.each([
    [404, 'This model is only supported in v1/responses and not in v1/chat/completions.'],
    [404, 'This is not a chat model and thus not supported in the v1/chat/completions endpoint.'],
    [400, 'The model tiny-embed does not support chat completions'],
    [400, '"tiny-embed" does not support chat'],
    [400, 'model "codex" is not accessible via the /chat/completions endpoint'],
  ])('with status %i and %j means that the model needs another API', async (status, message) => {
    server.script('other-api', ({ response }) => answerJson(response, status, { error: { message } }));
    expect((await call('other-api')).fault?.message).toContain('needs another API');
  });

  test('because the prompt and the output limit are too long together asks to lower the limit', async () => {
    const message = 'The context length is exceeded by the prompt and max_tokens.';
    server.script('too-much', ({ response }) => answerJson(response, 400, { error: { message } }));
    expect((await call('too-much')).fault).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('Lower the max output tokens'),
    });
  });
});

describe('silence', () => {
  test('before the first word is reported as a timeout after four minutes, and cancels the call', async () => {
    const clock = new FakeClock();
    const reply = collect(begin(setupOf(server.url, 'stall-before'), never(), clock));
    await sent('stall-before');
    await clock.advance(239_000);
    expect(server.calls('stall-before')[0]?.ending).toBeNull();
    await clock.advance(1_000);
    expect((await reply).fault).toMatchObject({ code: 'timeout', retryable: false });
    expect(await server.calls('stall-before')[0]?.ended).toBe('early');
  });

  test.each([5, 1500])('before the first word may last as long as the worker’s own limit, %i s', async (seconds) => {
    const model = `stall-before@${seconds}`;
    const clock = new FakeClock();
    const reply = collect(begin(setupOf(server.url, model, { firstByteSeconds: seconds }), never(), clock));
    await sent(model);
    await clock.advance(seconds * 1000 - 1);
    expect(server.calls(model)[0]?.ending).toBeNull();
    await clock.advance(1);
    expect((await reply).fault?.message).toContain(`within ${seconds} seconds`);
  });

  test('before the first word may last ten minutes if the provider does not send the worker’s thinking', async () => {
    const silenceOf = async (reasoning: WorkerSetup['reasoning']) => {
      const model = `stall-before@${reasoning}`;
      const setup = setupOf('https://api.openai.com/v1', model, { reasoning });
      const clock = new FakeClock();
      const toServer: Fetch = (_url, init) => fetch(`${server.url}/chat/completions`, init);
      const reply = collect(workersFor(setup, clock, { fetch: toServer }).run(QUESTION, optionsFor(setup), never()));
      await sent(model);
      await clock.advance(599_000);
      await clock.advance(1_000);
      return (await reply).fault;
    };
    expect(await silenceOf('off')).toMatchObject({
      message: expect.stringContaining('within 240 seconds'),
      retryable: false,
    });
    expect(await silenceOf('high')).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('within 600 seconds'),
      retryable: false,
    });
  });

  test('in the middle of an answer is reported as a stall after 60 s, and cancels the call', async () => {
    const clock = new FakeClock();
    const events = begin(setupOf(server.url, 'stall'), never(), clock)[Symbol.asyncIterator]();
    const texts = [await events.next(), await events.next()].map(({ value }) => value);
    expect(texts).toEqual([
      { type: 'delta', channel: 'content', text: 'The first' },
      { type: 'delta', channel: 'content', text: ' words' },
    ]);
    const next = events.next();
    await clock.advance(59_999);
    expect(server.calls('stall')[0]?.ending).toBeNull();
    await clock.advance(1);
    expect((await next).value).toMatchObject({ type: 'failed', fault: { code: 'stalled', retryable: true } });
    expect((await events.next()).done).toBe(true);
    expect(await server.calls('stall')[0]?.ended).toBe('early');
    expect(clock.sleeping).toBe(0);
  });

  test('fails the call after ten minutes even if SSE comments arrive', async () => {
    const clock = new FakeClock();
    const comments = new TransformStream<Uint8Array, Uint8Array>();
    const writer = comments.writable.getWriter();
    const bytes = (text: string) => new TextEncoder().encode(text);
    const fetch = async () => new Response(comments.readable, { headers: { 'content-type': 'text/event-stream' } });
    const setup = setupOf(server.url, 'comments');
    const events = workersFor(setup, clock, { fetch }).run(QUESTION, optionsFor(setup), never());
    const reply = collect(events);
    await writer.write(bytes('data: {"choices":[{"delta":{"content":"Well"}}]}\n\n'));
    const ends: string[] = [];
    void reply.then(({ content, fault }) => ends.push(content, fault?.code ?? ''));
    for (let half = 0; half < 19; half++) {
      await clock.advance(30_000);
      await writer.write(bytes(': still at work\n\n'));
    }
    expect(ends).toEqual([]);
    await clock.advance(30_000);
    await reply;
    expect(ends).toEqual(['Well', 'stalled']);
    expect((await reply).fault?.message).toContain('no text for 10 minutes');
  });
});

describe('stopping', () => {
  test('by the signal throws an AbortError and cancels the call', async () => {
    const controller = new AbortController();
    const events = begin(setupOf(server.url, 'slow@abort'), controller.signal)[Symbol.asyncIterator]();
    await events.next();
    controller.abort();
    await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.calls('slow@abort')[0]?.ended).toBe('early');
  });

  test('before the first word cancels the call', async () => {
    const controller = new AbortController();
    const reply = collect(begin(setupOf(server.url, 'stall-before@abort'), controller.signal));
    await sent('stall-before@abort');
    controller.abort();
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.calls('stall-before@abort')[0]?.ended).toBe('early');
  });

  test('before the call begins sends nothing', async () => {
    await expect(collect(begin(setupOf(server.url, 'ok@aborted'), AbortSignal.abort()))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server.calls('ok@aborted')).toHaveLength(0);
  });

  test('by leaving the loop over the events cancels the call', async () => {
    for await (const event of begin(setupOf(server.url, 'slow@left'))) {
      expect(event.type).toBe('delta');
      break;
    }
    expect(await server.calls('slow@left')[0]?.ended).toBe('early');
  });
});

describe('the gate, which limits concurrent calls', () => {
  test('holds calls back while another call streams, and removes a stopped call from the queue', async () => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const limits = { concurrent: 1, requestsPerMinute: null, tokensPerMinute: null };
    const origin = new URL(server.url).origin;
    const start = (model: string, signal: AbortSignal) => {
      const setup = setupOf(server.url, model, { limits });
      return workersFor(setup, clock, { gate }).run(QUESTION, optionsFor(setup), signal);
    };
    const first = start('slow@queue', never())[Symbol.asyncIterator]();
    await first.next();
    const stopped = new AbortController();
    const second = collect(start('ok@queue-2', stopped.signal));
    const third = collect(start('ok@queue-3', never()));
    expect(gate.waiting(origin)).toBe(2);
    stopped.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(gate.waiting(origin)).toBe(1);
    expect(server.calls('ok@queue-3')).toHaveLength(0);

    await first.return?.();
    const waited = await third;
    expect(waited.end?.type).toBe('finished');
    expect(waited.events.slice(0, 2)).toEqual([
      { type: 'waiting', for: 'place', delay: null },
      { type: 'waiting', for: null, delay: null },
    ]);
    expect(server.calls('ok@queue-2')).toHaveLength(0);
  });

  test.each([
    ['as many calls as a browser supports by default', {}, 5],
    ['as many calls as the user’s setting allows, outside of a browser', { places: Number.POSITIVE_INFINITY }, 20],
  ])('lets through %s', async (name, options, most) => {
    const clock = new FakeClock();
    const gate = createGate(clock);
    const limits = { concurrent: 20, requestsPerMinute: null, tokensPerMinute: null };
    const model = `slow@${name}`;
    const setup = setupOf(server.url, model, { limits, provider: 'ollama' });
    const workers = workersFor(setup, clock, { gate, ...options });
    const calls = Array.from({ length: 20 }, () => collect(workers.run(QUESTION, optionsFor(setup), never())));
    await expect.poll(() => server.calls(model).length).toBe(most);
    expect(gate.waiting(new URL(server.url).origin)).toBe(20 - most);
    const all = Promise.all(calls);
    await expect.poll(() => (server.release(), gate.waiting(new URL(server.url).origin))).toBe(0);
    // The last call may reach the server only after the others have ended, so each poll releases the server
    // again.
    const ended = () => server.calls(model).filter(({ ending }) => ending === 'whole').length;
    await expect.poll(() => (server.release(), ended())).toBe(20);
    expect((await all).every(({ end }) => end?.type === 'finished')).toBe(true);
  });
});

/** Waits until the server has received the call of a model. */
async function sent(model: string): Promise<void> {
  await expect.poll(() => server.calls(model).length).toBe(1);
}
