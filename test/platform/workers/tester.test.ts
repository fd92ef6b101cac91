import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WorkerCheck, WorkerSetup, WorkerTester } from '../../../src/core/contract';
import { createWorkerTester } from '../../../src/platform/workers/tester';
import { eventually } from '../../fixtures/eventually';
import { FakeClock } from '../../fixtures/fake-clock';
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

// Each test has its own tester, because the next call after a rejection would wait, and this clock does not advance.
let tester: WorkerTester;
beforeEach(() => {
  tester = createWorkerTester({
    clock: new FakeClock(),
    // A service's preset counts only at its own address, so calls to that address are redirected to the test server.
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

/** The newest state of each check, in the order in which the checks first appeared. */
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

  test('fails at the address if no server is running, and asks the user whether one is running', async () => {
    const stopped = await startOpenAiServer();
    await stopped.close();
    const checks = await check(setupOf(stopped.url, 'ok'));
    expect(outcome(checks)).toEqual({ address: 'failed' });
    expect(checks.at(-1)?.fault?.code).toBe('unreachable');
    expect(detailOf(checks, 'address')).toContain('Is the server running?');
  });

  test('fails at the key if it is wrong, and passes with the right one', async () => {
    const setup = setupOf(server.url, 'wrong-key', { needsKey: true });
    const wrong = await check(setup, 'sk-wrong-0123456789');
    expect(outcome(wrong)).toEqual({ address: 'passed', model: 'passed', key: 'failed', answer: 'failed' });
    expect(wrong.at(-1)?.fault?.code).toBe('unauthorized');
    expect(JSON.stringify(wrong)).not.toContain('sk-wrong');
    expect(outcome(await check(setup, RIGHT_KEY))).toMatchObject({ key: 'passed', answer: 'passed' });
  });

  test('fails at the key without a call if the worker has no key', async () => {
    const checks = await check(setupOf(OPENAI, 'ok@keyless', { needsKey: true }));
    expect(outcome(checks)).toEqual({ address: 'passed', key: 'failed' });
    expect(detailOf(checks, 'key')).toContain('platform.openai.com');
    expect(server.calls('ok@keyless')).toHaveLength(0);
  });

  test('sends no key if none is needed', async () => {
    await check(setupOf(server.url, 'ok@no-key'), 'sk-not-needed');
    expect(server.calls('ok@no-key').at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('fails at the model if it is unknown', async () => {
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

  test('passes the check of the answer even if the check of streaming or of the token count fails', async () => {
    expect(outcome(await check(setupOf(server.url, 'whole')))).toMatchObject({ answer: 'passed', streaming: 'failed' });
    expect(outcome(await check(setupOf(server.url, 'no-usage')))).toMatchObject({ answer: 'passed', usage: 'failed' });
  });

  test('fails at the answer if that is empty', async () => {
    const checks = await check(setupOf(server.url, 'empty'));
    expect(checks.find(({ name, state }) => name === 'answer' && state === 'failed')?.fault?.code).toBe('empty-reply');
  });

  test('calls again without settings that were rejected', async () => {
    server.script('picky', (exchange) => {
      const refused = ['stream_options', 'temperature', 'max_tokens'][exchange.earlier];
      if (refused === undefined) return SCENARIOS['ok']?.(exchange);
      answerJson(exchange.response, 400, { error: { message: `Unsupported parameter: '${refused}'.` } });
    });
    expect(outcome(await check(setupOf(server.url, 'picky')))).toMatchObject({ answer: 'passed' });
    const last = server.calls('picky').at(-1)?.body;
    expect(Object.keys(Object(last)).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'stream']);
  });

  test.each([
    ['html', 'bad-address'],
    ['429-always', 'rate-limited'],
    ['cut', 'cut-off'],
  ])('fails at the answer: %s', async (model, code) => {
    expect((await check(setupOf(server.url, model))).at(-1)).toMatchObject({ name: 'answer', fault: { code } });
  });
});

describe('the test of an address that answers 404', () => {
  /** A server that answers below `/v1` only. */
  const below = (path: string, baseUrl: string) => {
    const fetchBelow = (url: string, init?: RequestInit) =>
      url.startsWith(baseUrl) && !url.startsWith(`${baseUrl}/v1/`)
        ? Promise.resolve(Response.json({ error: { message: 'Not Found' } }, { status: 404 }))
        : fetch(url.replace(`${baseUrl}/v1`, server.urlOf(path)), init);
    return createWorkerTester({ clock: new FakeClock(), fetch: fetchBelow });
  };
  const ROOT = 'https://desk.example';

  test('offers the address with /v1 if that answers, and calls nothing else', async () => {
    tester = below('ok', ROOT);
    const checks = await check(setupOf(ROOT, 'ok@moved'));
    expect(outcome(checks)).toEqual({ address: 'failed' });
    expect(checks.at(-1)).toMatchObject({ correction: `${ROOT}/v1`, fault: { code: 'bad-address' } });
    expect(server.calls('ok@moved')).toHaveLength(0);
  });

  test('offers no other address if the address with /v1 does not answer either', async () => {
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

describe('a worker’s own sampling', () => {
  test('is sent in the test, and reported as accepted', async () => {
    const sampling = { temperature: 0.4, topP: 0.8, maxTokens: 9 };
    const checks = await check(setupOf(server.url, 'ok@own', { sampling }));
    expect(outcome(checks).sampling).toBe('passed');
    expect(server.calls('ok@own').at(-1)?.body).toMatchObject({ temperature: 0.4, top_p: 0.8, max_tokens: 512 });
  });

  test('is left out and named if the server rejects it', async () => {
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

  test('passes if thinking was received and not configured', async () => {
    expect(outcome(await thinking('reasoning', {})).reasoning).toBe('passed');
  });

  test('fails if thinking was turned off but received', async () => {
    const checks = await thinking('reasoning', { reasoning: 'off' });
    expect(checks.at(-1)).toMatchObject({ name: 'reasoning', state: 'failed' });
    expect(outcome(await thinking('ok', { reasoning: 'off' })).reasoning).toBe('passed');
  });

  test('gives no result, with the reason, if thinking was requested but not received', async () => {
    const checks = await check(setupOf(OPENAI, 'ok', { reasoning: 'high' }));
    expect(outcome(checks).reasoning).toBe('unknown');
    expect(detailOf(checks, 'reasoning')).toContain('OpenAI doesn’t return thoughts');
  });

  test('explains where to set thinking if the provider has no setting for it in calls', async () => {
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
  test('has the ids in order, and marks the models that can see', async () => {
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

  test('can be stopped', async () => {
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

  test('is booked at its cost', async () => {
    const { spending } = await room(1);
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(outcome(checks).answer).toBe('passed');
    const { today, workers } = await spending.totals();
    expect(today).toMatchObject({ calls: 1, unpriced: 0 });
    expect(today.usd).toBeGreaterThan(0);
    expect(workers.map(({ workerId }) => workerId)).toEqual([setupOf(server.url, 'ok').id]);
    expect(spending.holds.size).toBe(0);
  });

  test('is not made if the budget has no room for it, and reports this', async () => {
    const { spending } = await room(0.0001);
    const before = server.calls('ok').length;
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(server.calls('ok')).toHaveLength(before);
    expect(checks.at(-1)).toMatchObject({ name: 'answer', state: 'failed', fault: { code: 'cap-reached' } });
    expect(detailOf(checks, 'answer')).toContain('continue tomorrow');
    expect((await spending.totals()).today.calls).toBe(0);
  });

  test('does not wait for running calls that reserve the rest of the budget, and reports this', async () => {
    const { spending } = await room(0.01);
    await spending.hold({ runId: 'run', workerId: 'other', name: 'Other', usd: 0.0099 });
    const checks = await check(setupOf(server.url, 'ok', { price }));
    expect(detailOf(checks, 'answer')).toContain('Wait until they have ended');
  });

  test('is not booked if it is free', async () => {
    const { spending } = await room(0);
    const checks = await check(setupOf(server.url, 'ok', { price: { input: 0, output: 0 } }));
    expect(outcome(checks).answer).toBe('passed');
    expect((await spending.totals()).today.calls).toBe(0);
  });

  test('counts as the reserved amount if it is abandoned, and its lock keeps other tabs from settling it', async () => {
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
