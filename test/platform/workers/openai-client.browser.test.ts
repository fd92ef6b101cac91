import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod/mini';
import type { WorkerEvent, WorkerSetup } from '../../../src/core/contract';
import { createMemoryKeys } from '../../../src/platform/workers/keys';
import { createGate } from '../../../src/platform/workers/limits/gate';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { FakeClock } from '../../fixtures/fake-clock';
import { okAnswer, RIGHT_KEY, SPLIT_TEXT } from '../../fixtures/openai-scenarios';
import { collect, optionsFor, QUESTION, setupOf, workersFor, type CollectedReply } from './calls';

const { origin } = inject('openAiServer');
const url = `${origin}/v1`;
const never = () => new AbortController().signal;

const requestsShape = z.object({
  requests: z.array(z.object({ path: z.string(), headers: z.record(z.string(), z.string()) })),
});
const endingShape = z.object({ ending: z.nullable(z.enum(['whole', 'early'])) });

async function control(endpoint: string, model: string): Promise<unknown> {
  const response = await fetch(`${origin}/control/${endpoint}?model=${encodeURIComponent(model)}`);
  return response.json();
}

/** Returns the requests for a model that the server has received. */
const requestsOf = async (model: string) => requestsShape.parse(await control('requests', model)).requests;
/** Waits until the last request for a model has ended. Returns how it ended. */
const endingOf = async (model: string) => endingShape.parse(await control('ended', model)).ending;

function begin(setup: WorkerSetup, signal = never()): AsyncIterable<WorkerEvent> {
  return workersFor(setup, new FakeClock()).run(QUESTION, optionsFor(setup), signal);
}

function call(model: string, baseUrl = url): Promise<CollectedReply> {
  return collect(begin(setupOf(baseUrl, model)));
}

function callWithKey(model: string, baseUrl: string, key: string): Promise<CollectedReply> {
  const setup = setupOf(baseUrl, model, { needsKey: true });
  const keys = createMemoryKeys();
  keys.set(setup.id, origin, key);
  return collect(workersFor(setup, new FakeClock(), { keys }).run(QUESTION, optionsFor(setup), never()));
}

describe('the HTTP client in a page', () => {
  test('streams an answer', async () => {
    expect((await call('ok')).content).toBe(okAnswer(QUESTION));
    expect((await call('split-utf8')).content).toBe(SPLIT_TEXT);
    expect(await call('think-tags')).toMatchObject({ reasoning: 'Six times seven.', content: 'It is 42.' });
  });

  test('passes a CORS preflight that allows only authorization and content-type', async () => {
    const reply = await callWithKey('wrong-key@strict', `${origin}/strict/v1`, RIGHT_KEY);
    expect(reply.end?.type).toBe('finished');
    const [request] = await requestsOf('wrong-key@strict');
    expect(request?.headers['authorization']).toBe(`Bearer ${RIGHT_KEY}`);
    for (const name of ['cookie', 'referer']) expect(request?.headers).not.toHaveProperty(name);
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  test('reports a rejected CORS preflight as an unreachable server, and sends no request', async () => {
    const { fault } = await call('ok@preflight', `${origin}/refused-preflight/v1`);
    expect(fault).toMatchObject({ code: 'unreachable', retryable: true });
    expect(fault?.message).toContain('CORS');
    expect(await requestsOf('ok@preflight')).toHaveLength(0);
  });

  test('reports a wrong key, or an unreachable server if the browser hides the error from the page', async () => {
    const shown = await callWithKey('wrong-key@shown', url, 'sk-wrong-0123456789');
    expect(shown.fault).toMatchObject({ code: 'unauthorized', status: 401 });
    const hidden = await callWithKey('wrong-key@hidden', `${origin}/hidden/v1`, 'sk-wrong-0123456789');
    expect(hidden.fault).toMatchObject({ code: 'unreachable' });
    expect(JSON.stringify([shown, hidden])).not.toContain('sk-wrong');
  });

  test('follows no redirect, so that the key is sent only to the first address', async () => {
    const reply = await callWithKey('redirect', url, RIGHT_KEY);
    expect(reply.fault).toMatchObject({ code: 'bad-address', retryable: false });
    expect(await requestsOf('redirect')).toHaveLength(1);
  });

  test('reports the wait time that a rate-limited server requests', async () => {
    expect((await call('429-always')).fault).toMatchObject({ code: 'rate-limited', retryAfter: 1000 });
  });

  test('fails when the connection breaks, after passing on the text so far', async () => {
    const events = begin(setupOf(url, 'cut-later'))[Symbol.asyncIterator]();
    const texts = [await events.next(), await events.next()].map(({ value }) => value);
    expect(texts).toMatchObject([{ text: 'The first' }, { text: ' words' }]);
    await control('release', 'cut-later');
    expect((await events.next()).value).toMatchObject({ type: 'failed', fault: { code: 'cut-off', retryable: true } });
  });

  test('fails when the answer ends early, and keeps the text so far', async () => {
    const reply = await call('no-done');
    expect(reply.content).toBe('The first words');
    expect(reply.fault).toMatchObject({ code: 'cut-off', retryable: true });
  });
});

describe('the connection to the server closes early', () => {
  test('when the signal aborts during the answer', async () => {
    const controller = new AbortController();
    const events = begin(setupOf(url, 'slow@signal'), controller.signal)[Symbol.asyncIterator]();
    expect((await events.next()).value).toMatchObject({ text: 'The first' });
    controller.abort();
    await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
    expect(await endingOf('slow@signal')).toBe('early');
  });

  test('when the loop over the events ends early', async () => {
    for await (const event of begin(setupOf(url, 'slow@left'))) {
      expect(event).toMatchObject({ text: 'The first' });
      break;
    }
    expect(await endingOf('slow@left')).toBe('early');
  });

  test('when the signal aborts before the answer has begun', async () => {
    const controller = new AbortController();
    const reply = collect(begin(setupOf(url, 'stall-before@signal'), controller.signal));
    await expect.poll(() => requestsOf('stall-before@signal')).toHaveLength(1);
    controller.abort();
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(await endingOf('stall-before@signal')).toBe('early');
  });
});

test('of 12 calls to one server, 7 wait for a free connection, and all 12 finish', async () => {
  const clock = new FakeClock();
  const gate = createGate(clock);
  const setup = setupOf(url, 'ok@many');
  const client = workersFor(setup, clock, { gate });
  const calls = Array.from({ length: 12 }, () => collect(client.run(QUESTION, optionsFor(setup), never())));
  expect(gate.waiting(origin)).toBe(7);
  for (const reply of await Promise.all(calls)) expect(reply.end?.type).toBe('finished');
});

test('the worker test passes every check in a browser', async () => {
  const tester = createWorkerTester({ clock: new FakeClock() });
  const found: string[] = [];
  for await (const { name, state } of tester.test(setupOf(`${origin}/strict/v1`, 'ok'), null, never()))
    if (state !== 'running') found.push(`${name} ${state}`);
  expect(found).toEqual(
    ['address', 'model', 'key', 'answer', 'streaming', 'usage', 'reasoning'].map((name) => `${name} passed`),
  );
});

test('the worker test distinguishes a server that rejects CORS calls from an unreachable server', async () => {
  const tester = createWorkerTester({ clock: new FakeClock() });
  const words = async (baseUrl: string, key: string | null) => {
    const setup = setupOf(baseUrl, 'ok', { needsKey: key !== null });
    let last = '';
    for await (const { name, detail } of tester.test(setup, key, never())) last = `${name}: ${detail}`;
    return last;
  };
  expect(await words(`${origin}/refused-preflight/v1`, RIGHT_KEY)).toMatch(/^address: .* doesn’t allow calls/);
  expect(await words('http://127.0.0.1:9/v1', null)).toMatch(/^address: No answer from 127\.0\.0\.1:9/);
});
