import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerCheck, WorkerSetup, WorkerTester } from '../../../src/core/contract';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { eventually } from '../../fixtures/eventually';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { MemorySpending } from '../../fixtures/memory-spending';
import { answerJson, RIGHT_KEY, SCENARIOS } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { setupOf } from './calls';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

// Each test has its own tester, because a tester waits after a rejected call, and this clock does not advance.
let tester: WorkerTester;
beforeEach(() => {
  tester = createWorkerTester({
    clock: new FakeClock(),
    // A service's preset applies only at the service's address. Setups use that address, and this function sends
    // their calls to the test server.
    fetch: (url, init) => fetch(url.replace(OPENAI, server.url), init),
  });
});
const OPENAI = 'https://api.openai.com/v1';
const never = () => new AbortController().signal;

async function check(setup: WorkerSetup, key: string | null = null): Promise<WorkerCheck[]> {
  const checks: WorkerCheck[] = [];
  for await (const each of tester.test(setup, key, never())) checks.push(each);
  return checks;
}

/** Returns the newest state of each check. The checks keep the order in which they first appeared. */
function outcome(checks: readonly WorkerCheck[]): Record<string, WorkerCheck['state']> {
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

const detailOf = (checks: readonly WorkerCheck[], name: WorkerCheck['name']) =>
  checks.findLast((each) => each.name === name)?.detail;

describe('the test of a worker', () => {
  test('passes every check if the worker works', async () => {
    const checks = await check(setupOf(server.url, 'ok'));
    expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'address running',
      'address passed',
      'model passed',
      'answer running',
      'key passed',
      'answer passed',
      'streaming passed',
      'usage passed',
      'reasoning passed',
    ]);
    expect(detailOf(checks, 'answer')).toBe('The model answered “ready”.');
    expect(server.calls('ok').at(-1)?.body).toMatchObject({
      messages: [{ role: 'user', content: 'Reply with the word ready.' }],
    });
  });

  test('fails at the address with a hint if no server is running', async () => {
    const stopped = await startOpenAiServer();
    await stopped.close();
    const checks = await check(setupOf(stopped.url, 'ok'));
    expect(outcome(checks)).toEqual({ address: 'failed' });
    expect(checks.at(-1)?.fault?.code).toBe('unreachable');
    expect(detailOf(checks, 'address')).toContain('Is the server running?');
  });

  test('fails at a wrong key, and passes with the right key', async () => {
    const setup = setupOf(server.url, 'wrong-key', { needsKey: true });
    const wrong = await check(setup, 'sk-wrong-0123456789');
    expect(outcome(wrong)).toEqual({ address: 'passed', model: 'passed', key: 'failed', answer: 'failed' });
    expect(wrong.at(-1)?.fault?.code).toBe('unauthorized');
    expect(JSON.stringify(wrong)).not.toContain('sk-wrong');
    expect(outcome(await check(setup, RIGHT_KEY))).toMatchObject({ key: 'passed', answer: 'passed' });
  });

  test('fails at a missing key without a call', async () => {
    const checks = await check(setupOf(OPENAI, 'ok@keyless', { needsKey: true }));
    expect(outcome(checks)).toEqual({ address: 'passed', key: 'failed' });
    expect(detailOf(checks, 'key')).toContain('platform.openai.com');
    expect(server.calls('ok@keyless')).toHaveLength(0);
  });

  test('sends no key if none is needed', async () => {
    await check(setupOf(server.url, 'ok@no-key'), 'sk-not-needed');
    expect(server.calls('ok@no-key').at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('fails at an unknown model', async () => {
    const checks = await check(setupOf(server.url, 'unknown-model@2'));
    expect(outcome(checks)).toEqual({ address: 'passed', key: 'unknown', model: 'failed', answer: 'failed' });
    expect(detailOf(checks, 'model')).toContain('unknown-model@2');
  });

  test('passes if the model is not listed but answers', async () => {
    const checks = await check(setupOf(server.url, 'ok@unlisted'));
    expect(checks.filter(({ name }) => name === 'model').map(({ state }) => state)).toEqual(['unknown', 'passed']);
  });

  test('can pass if the server lists no models', async () => {
    const checks = await check(setupOf(server.urlOf('no-list'), 'ok'));
    expect(outcome(checks)).toMatchObject({ address: 'unknown', model: 'passed', answer: 'passed' });
  });

  test('passes the answer check even if the streaming or usage check fails', async () => {
    expect(outcome(await check(setupOf(server.url, 'whole')))).toMatchObject({ answer: 'passed', streaming: 'failed' });
    expect(outcome(await check(setupOf(server.url, 'no-usage')))).toMatchObject({ answer: 'passed', usage: 'failed' });
  });

  test('fails at an empty answer', async () => {
    const checks = await check(setupOf(server.url, 'empty'));
    expect(checks.find(({ name, state }) => name === 'answer' && state === 'failed')?.fault?.code).toBe('empty-reply');
  });

  test('repeats the call without the settings that the server rejected', async () => {
    server.script('picky', (exchange) => {
      const refused = ['stream_options', 'temperature', 'max_tokens'][exchange.earlier];
      if (refused === undefined) return SCENARIOS['ok']?.(exchange);
      answerJson(exchange.response, 400, { error: { message: `Unsupported parameter: '${refused}'.` } });
    });
    expect(outcome(await check(setupOf(server.url, 'picky')))).toMatchObject({ answer: 'passed' });
    const last = server.calls('picky').at(-1)?.body;
    expect(Object.keys(Object(last)).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'stream']);
  });

  test('asks again while the server loads the model', async () => {
    const clock = new FakeClock();
    let calls = 0;
    const own = createWorkerTester({
      clock,
      fetch: (url) => {
        if (url.endsWith('/models')) return Promise.resolve(Response.json({ data: [{ id: 'loading' }] }));
        if (calls++ < 9)
          return Promise.resolve(Response.json({ error: { message: 'Loading model' } }, { status: 503 }));
        return Promise.resolve(Response.json({ choices: [{ message: { content: 'ready' }, finish_reason: 'stop' }] }));
      },
    });
    const checks: WorkerCheck[] = [];
    let isOver = false;
    const testing = (async () => {
      for await (const each of own.test(setupOf('http://host.example/v1', 'loading'), null, never())) checks.push(each);
      isOver = true;
    })();
    while (!isOver) {
      await idle();
      await clock.advance(1000);
    }
    await testing;
    expect(checks.filter(({ detail }) => detail.includes('loading the model'))).toHaveLength(9);
    expect(outcome(checks)).toMatchObject({ answer: 'passed' });
    expect(clock.now()).toBeGreaterThan(45_000);
  });

  test('shows the server’s words for a rejected call', async () => {
    server.script('strict-words', ({ response }) =>
      answerJson(response, 400, { error: { message: 'No cats today.' } }),
    );
    const checks = await check(setupOf(server.url, 'strict-words'));
    expect(checks.at(-1)).toMatchObject({ name: 'answer', state: 'failed', fault: { detail: 'No cats today.' } });
  });

  test.each([
    ['html', 'bad-address'],
    ['429-always', 'rate-limited'],
    ['cut', 'cut-off'],
  ])('fails at the answer for the reply %s', async (model, code) => {
    expect((await check(setupOf(server.url, model))).at(-1)).toMatchObject({ name: 'answer', fault: { code } });
  });
});

describe('the test of an address that answers 404', () => {
  /** Returns a tester for a server that responds with 404 outside `/v1`. */
  const below = (path: string, baseUrl: string) => {
    const fetchBelow = (url: string, init?: RequestInit) =>
      url.startsWith(baseUrl) && !url.startsWith(`${baseUrl}/v1/`)
        ? Promise.resolve(Response.json({ error: { message: 'Not Found' } }, { status: 404 }))
        : fetch(url.replace(`${baseUrl}/v1`, server.urlOf(path)), init);
    return createWorkerTester({ clock: new FakeClock(), fetch: fetchBelow });
  };
  const ROOT = 'https://desk.example';

  test('suggests the address with /v1 if that works, and calls no model', async () => {
    tester = below('ok', ROOT);
    const checks = await check(setupOf(ROOT, 'ok@moved'));
    expect(outcome(checks)).toEqual({ address: 'failed' });
    expect(checks.at(-1)).toMatchObject({ correction: `${ROOT}/v1`, fault: { code: 'bad-address' } });
    expect(server.calls('ok@moved')).toHaveLength(0);
  });

  test('suggests no address if the address with /v1 does not work either', async () => {
    tester = below('no-list', ROOT);
    const checks = await check(setupOf(ROOT, 'ok@nowhere', { needsKey: true }), RIGHT_KEY);
    expect(checks.some(({ correction }) => correction !== undefined)).toBe(false);
    expect(outcome(checks)).toMatchObject({ address: 'unknown', key: 'unknown', answer: 'failed' });
  });

  test('does not report the key as accepted after a 404', async () => {
    const checks = await check(
      setupOf(server.urlOf('no-list').replace('/v1', '/v2'), 'missing', { needsKey: true }),
      RIGHT_KEY,
    );
    expect(checks.filter(({ name, state }) => name === 'key' && state === 'passed')).toEqual([]);
    expect(detailOf(checks, 'key')).toContain('404');
  });
});

describe('the sampling settings of a worker', () => {
  test('are sent in the test, and reported as accepted', async () => {
    const sampling = { temperature: 0.4, topP: 0.8, maxTokens: 9 };
    const checks = await check(setupOf(server.url, 'ok@own', { sampling }));
    expect(outcome(checks).sampling).toBe('passed');
    expect(server.calls('ok@own').at(-1)?.body).toMatchObject({ temperature: 0.4, top_p: 0.8, max_tokens: 512 });
  });

  test('are left out and named if the server rejects them', async () => {
    server.script('no-top-k', (exchange) =>
      exchange.earlier > 0
        ? SCENARIOS['ok']?.(exchange)
        : answerJson(exchange.response, 400, { error: { message: 'Unrecognized request argument supplied: top_k' } }),
    );
    const checks = await check(setupOf(server.url, 'no-top-k', { sampling: { topK: 20 } }));
    expect(outcome(checks)).toMatchObject({ answer: 'passed', sampling: 'failed' });
    expect(detailOf(checks, 'sampling')).toContain('top_k');
  });
});

describe('the test of thinking', () => {
  const thinking = (model: string, more: Partial<WorkerSetup>) => check(setupOf(server.url, model, more));

  test('passes if thinking was requested and received', async () => {
    const checks = await thinking('reasoning@asked', { reasoning: 'low' });
    expect(outcome(checks).reasoning).toBe('passed');
    expect(server.calls('reasoning@asked').at(-1)?.body).toMatchObject({ reasoning_effort: 'low' });
  });

  test('passes if thinking was received although it was not configured', async () => {
    expect(outcome(await thinking('reasoning', {})).reasoning).toBe('passed');
  });

  test('fails if thinking was turned off but received', async () => {
    const checks = await thinking('reasoning', { reasoning: 'off' });
    expect(checks.at(-1)).toMatchObject({ name: 'reasoning', state: 'failed' });
    expect(outcome(await thinking('ok', { reasoning: 'off' })).reasoning).toBe('passed');
  });

  test('is inconclusive, with a reason, if thinking was requested but not received', async () => {
    const checks = await check(setupOf(OPENAI, 'ok', { reasoning: 'high' }));
    expect(outcome(checks).reasoning).toBe('unknown');
    expect(detailOf(checks, 'reasoning')).toContain('OpenAI doesn’t return thoughts');
  });

  test('explains where to set thinking if calls can’t set it', async () => {
    const checks = await thinking('ok', { reasoning: 'high', provider: 'lm-studio' });
    expect(detailOf(checks, 'reasoning')).toContain('Set it on that server');
  });

  test('fails if the setting is rejected, even if the worker answers', async () => {
    server.script('no-effort', (exchange) => {
      if (exchange.earlier > 0) return SCENARIOS['ok']?.(exchange);
      answerJson(exchange.response, 400, { error: { message: "Unsupported parameter: 'reasoning_effort'." } });
    });
    const checks = await thinking('no-effort', { reasoning: 'high' });
    expect(outcome(checks)).toMatchObject({ answer: 'passed', reasoning: 'failed' });
    expect(detailOf(checks, 'reasoning')).toContain('refused reasoning_effort');
  });
});

describe('stopping a test', () => {
  test('throws an AbortError and cancels the call', async () => {
    const controller = new AbortController();
    const checks = tester.test(setupOf(server.url, 'stall-before@test'), null, controller.signal);
    const tested = (async () => {
      for await (const { name, state } of checks)
        if (name === 'answer' && state === 'running') waitThenAbort(controller);
    })();
    await expect(tested).rejects.toMatchObject({ name: 'AbortError' });
    expect(await server.calls('stall-before@test')[0]?.ended).toBe('early');
  });
});

function waitThenAbort(controller: AbortController): void {
  void expect
    .poll(() => server.calls('stall-before@test').length)
    .toBe(1)
    .then(() => controller.abort());
}

describe('the list of models', () => {
  test('is sorted by id, and marks the models that accept images', async () => {
    const listed = await tester.models(server.url, null, never());
    const ids = listed.map(({ id }) => id);
    expect(listed.filter(({ canSee }) => canSee).map(({ id }) => id)).toEqual(['ok', 'reasoning']);
    expect(ids).toEqual([...ids].sort((one, other) => one.localeCompare(other)));
    expect(ids).toContain('split-utf8');
  });

  test('is requested with the key', async () => {
    await tester.models(server.url, 'sk-listed-0123456789', never());
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer sk-listed-0123456789');
  });

  test.each([
    ['no-list', 'bad-address'],
    ['page-list', 'broken-reply'],
  ])('fails with a fault for the reply %s', async (mode, code) => {
    await expect(tester.models(server.urlOf(mode), null, never())).rejects.toMatchObject({ fault: { code } });
  });

  test('is rejected with an AbortError if the signal aborts', async () => {
    await expect(tester.models(server.url, null, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a test under the daily budget', () => {
  const price = { input: 1, output: 2 };

  async function room(cap: number | null) {
    const clock = new FakeClock();
    const spending = new MemorySpending(clock, cap);
    const locks = new MemoryLocks();
    const ledger = { spending, locks: locks.tab(), newId: () => 'one' };
    tester = createWorkerTester({ clock, ledger });
    return { spending, locks };
  }

  test('adds its cost to the spending of the day', async () => {
    const { spending } = await room(1);
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(outcome(checks).answer).toBe('passed');
    const { today, workers } = await spending.totals();
    expect(today).toMatchObject({ calls: 1, unpriced: 0 });
    expect(today.usd).toBeGreaterThan(0);
    expect(workers.map(({ workerId }) => workerId)).toEqual([setupOf(server.url, 'ok').id]);
    expect(spending.holds.size).toBe(0);
  });

  test('makes no call if the remaining budget is too small, and explains why', async () => {
    const { spending } = await room(0.0001);
    const before = server.calls('ok').length;
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(server.calls('ok')).toHaveLength(before);
    expect(checks.at(-1)).toMatchObject({ name: 'answer', state: 'failed', fault: { code: 'cap-reached' } });
    expect(detailOf(checks, 'answer')).toContain('continue tomorrow');
    expect((await spending.totals()).today.calls).toBe(0);
  });

  test('fails with an explanation if running calls have reserved the remaining budget', async () => {
    const { spending } = await room(0.01);
    await spending.hold({ runId: 'run', workerId: 'other', name: 'Other', usd: 0.0099 });
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(detailOf(checks, 'answer')).toContain('Wait until they have ended');
  });

  test('adds nothing to the spending of the day if it is free', async () => {
    const { spending } = await room(0);
    const checks = await check(setupOf(server.url, 'ok', { price: { input: 0, output: 0 } }));
    expect(outcome(checks).answer).toBe('passed');
    expect((await spending.totals()).today.calls).toBe(0);
  });

  test('counts its reserved amount as spent if aborted, and holds a lock during the call', async () => {
    const { spending, locks } = await room(1);
    const stop = new AbortController();
    const other = locks.tab();
    let release: (() => void) | null = null;
    const work = async () => {
      for await (const each of tester.test(setupOf(server.url, 'stall', { price }), null, stop.signal)) {
        if (each.name !== 'answer') continue;
        void eventually(() => expect(spending.holds.size).toBe(1)).then(async () => {
          release = await other.acquire('run:test:one');
          await eventually(() => expect(server.calls('stall').length).toBeGreaterThan(0));
          stop.abort();
        });
      }
    };
    await expect(work()).rejects.toMatchObject({ name: 'AbortError' });
    expect(release).toBeNull();
    expect(spending.holds.size).toBe(0);
    expect((await spending.totals()).today).toMatchObject({ unpriced: 1 });
  });
});

describe('connecting to a server', () => {
  const connect = (baseUrl: string, key: string | null = null) => tester.connect(baseUrl, key, never());

  test('lists its models, also if /v1 is missing from the address', async () => {
    const root = server.url.replace(/\/v1$/, '');
    for (const address of [server.url, root]) {
      const found = await connect(address);
      expect([found.baseUrl, found.unlisted]).toEqual([server.url, null]);
      expect(found.models.map(({ id }) => id)).toContain('ok');
    }
  });

  test('accepts a server without a list, and says why there is none', async () => {
    const baseUrl = server.urlOf('no-list');
    expect(await connect(baseUrl)).toMatchObject({ baseUrl, models: [], unlisted: { status: 404 } });
  });

  test('is refused with a sentence if the key is wrong or no server answers', async () => {
    const refusing = createWorkerTester({
      clock: new FakeClock(),
      fetch: () => Promise.resolve(Response.json({ error: { message: 'No.' } }, { status: 401 })),
    });
    await expect(refusing.connect('https://host.example/v1', 'k', never())).rejects.toMatchObject({
      fault: { code: 'unauthorized', message: expect.stringContaining('key') },
    });
    await expect(connect('http://127.0.0.1:9/v1')).rejects.toMatchObject({ fault: { code: 'unreachable' } });
  });
});
