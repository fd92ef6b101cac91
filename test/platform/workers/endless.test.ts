/**
 * @file Tests calls to servers that never end their response.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { createGate } from '../../../src/platform/workers/limits/gate';
import { listModels } from '../../../src/platform/workers/list-models';
import { targetOf } from '../../../src/platform/workers/openai-client';
import { chunk, event, type Reply } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { FakeClock } from '../../fixtures/fake-clock';
import { collect, optionsFor, QUESTION, setupOf, workersFor, type CollectedReply } from './calls';

/** With the smallest output limit, an answer is cut at this number of characters. */
const MOST = 2 ** 18;
/** More characters than are ever read from one call. */
const FLOOD = 90 * 2 ** 20;

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

/** Repeats a chunk until the client disconnects, or until far more has been sent than should be read. */
function flood(piece: string, { beginning = '', status = 200, type = 'text/event-stream' } = {}): Reply {
  return async ({ response }) => {
    response.writeHead(status, { 'content-type': type });
    response.write(beginning);
    const pieces = piece.repeat(Math.ceil(2 ** 18 / piece.length));
    let isClosed = false;
    let resume = (): void => undefined;
    response.on('close', () => {
      isClosed = true;
      resume();
    });
    response.on('drain', () => resume());
    for (let sent = 0; sent < FLOOD && !isClosed; sent += pieces.length) {
      if (!response.write(pieces)) await new Promise<void>((resolve) => (resume = resolve));
    }
    response.end();
  };
}

async function call(model: string, reply: Reply): Promise<CollectedReply> {
  server.script(model, reply);
  const setup = setupOf(server.url, model);
  const collected = await collect(
    workersFor(setup, new FakeClock()).run(QUESTION, optionsFor(setup), new AbortController().signal),
  );
  expect(await server.calls(model).at(-1)?.ended).toBe('early');
  return collected;
}

describe('a call whose stream never ends', () => {
  test('finishes at the character limit of the answer, and keeps the received text', async () => {
    const reply = await call('endless', flood(event(chunk({ content: 'on and on '.repeat(10) }))));
    expect(reply.content).toHaveLength(MOST);
    expect(reply.end).toMatchObject({ type: 'finished', finishReason: 'length' });
  });

  test('finishes at the same character limit if the stream has only reasoning', async () => {
    const reply = await call('endless-thought', flood(event(chunk({ reasoning_content: 'hmm '.repeat(20) }))));
    expect(reply.reasoning).toHaveLength(MOST);
    expect(reply.end).toMatchObject({ type: 'finished', finishReason: 'length' });
  });

  test('does not split a character at the limit', async () => {
    const reply = await call(
      'endless-notes',
      flood(event(chunk({ content: '🎼'.repeat(25) })), { beginning: event(chunk({ content: 'a' })) }),
    );
    expect(reply.content).toHaveLength(MOST - 1);
    expect(reply.content).toMatch(/^a(?:🎼)+$/u);
  });

  test('fails on an endless line, and keeps the text before it', async () => {
    const reply = await call(
      'endless-line',
      flood('x'.repeat(1000), { beginning: event(chunk({ content: 'The first' })) + 'data: ' }),
    );
    expect(reply.content).toBe('The first');
    expect(reply.fault).toMatchObject({ code: 'broken-reply', retryable: false });
  });

  test('fails on an event with an endless number of lines', async () => {
    const { fault } = await call('endless-event', flood('data: {}\n'));
    expect(fault).toMatchObject({ code: 'broken-reply' });
  });

  test('fails on endless comment lines, which start with a colon', async () => {
    const { fault } = await call('endless-comments', flood(`: ${'keep alive '.repeat(2000)}\n\n`));
    expect(fault).toMatchObject({ code: 'broken-reply' });
  });
});

describe('a reply whose body never ends', () => {
  test('is rejected if it is read as an answer', async () => {
    const { fault } = await call('endless-json', flood(' ', { type: 'application/json' }));
    expect(fault).toMatchObject({ code: 'broken-reply' });
  });

  test('is reported as a server error if its status is 500, without reading to the end', async () => {
    const { fault } = await call('endless-refusal', flood('no ', { status: 500, type: 'text/plain' }));
    expect(fault).toMatchObject({ code: 'server-error', status: 500 });
  });

  test('is rejected early if it is read as a list of models', async () => {
    let pulled = 0;
    const piece = new TextEncoder().encode(' '.repeat(2 ** 16));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += piece.length;
        if (pulled < FLOOD) controller.enqueue(piece);
        else controller.close();
      },
    });
    const target = targetOf(setupOf('http://127.0.0.1:1/v1', 'any'), null);
    const listed = listModels(
      target,
      { clock: systemClock, timeout: 60_000, fetch: () => Promise.resolve(new Response(body, { status: 200 })) },
      new AbortController().signal,
    );
    await expect(listed).rejects.toMatchObject({ fault: { code: 'broken-reply' } });
    expect(pulled).toBeLessThan(FLOOD / 4);
  });
});

test('a call can be stopped even if its stream always has more data', async () => {
  const EVENTS = 200_000;
  let pulled = 0;
  const piece = new TextEncoder().encode(event(chunk({})));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (pulled++ < EVENTS) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const setup = setupOf('http://127.0.0.1:1/v1', 'any');
  const client = workersFor(setup, systemClock, {
    gate: createGate(systemClock),
    fetch: () => Promise.resolve(new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } })),
  });
  const controller = new AbortController();
  let requested = 0;
  const began = performance.now();
  const reply = (async () => {
    for await (const _ of client.run(QUESTION, optionsFor(setup), controller.signal)) continue;
  })();
  setTimeout(() => {
    requested = performance.now();
    controller.abort();
  }, 300);
  await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
  console.log(
    `stopped after ${pulled} events; the timer of 300 ms came after ${(requested - began).toFixed(0)} ms, the end ${(performance.now() - requested).toFixed(0)} ms later`,
  );
  expect(pulled).toBeLessThan(EVENTS);
});
