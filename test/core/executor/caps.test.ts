/**
 * @file Tests the caps of a run. The maximum cost of a call is reserved before the call is sent, so that parallel calls never
 * exceed a cap.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountFor, isFree, type Caps, type ConductorInfo, type PlanEvent } from '../../../src/core/contract';
import { CapsLedger } from '../../../src/core/executor/caps';
import { poolWorker, step } from '../../fixtures/run-events';
import { done, finished, ofType, paidWorker, play, delta, started, wait } from './scripted';

const none: Caps = { rounds: 1, calls: 100, tokens: null, usd: null };
const pool = [0, 1, 2].map((index) => paidWorker(index));
const sampling = { temperature: 0, maxTokens: 1000 };
const parallel = [step(0, 'a'), step(1, 'b'), step(2, 'c'), step(0, 'last', [0, 1, 2])];

describe('the cap on calls', () => {
  it('fails the first step that would exceed it, and is reported once', async () => {
    const { events, run, workers } = await play({ plan: parallel, start: { caps: { ...none, calls: 2 } } });
    expect(workers.calls).toHaveLength(2);
    expect(ofType(events, 'cap-reached')).toMatchObject([{ cap: 'calls', limit: 2, wanted: 3 }]);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'finished', 'failed', 'skipped']);
    expect(run.rounds[0]?.steps.map(({ fault }) => fault?.code)).toEqual([
      undefined,
      undefined,
      'cap-reached',
      undefined,
    ]);
    expect(run.fault).toMatchObject({ code: 'cap-reached' });
    expect(run.fault?.message).toContain('limited to 2 calls');
    expect(run.capReached).toEqual({ cap: 'calls', limit: 2, wanted: 3 });
  });

  it('counts each retry as a call', async () => {
    const { run, workers } = await play({
      plan: [step(0, 'a')],
      start: { caps: { ...none, calls: 2 } },
      work: () => [],
    });
    expect(workers.calls).toHaveLength(2);
    expect(run.fault?.code).toBe('cap-reached');
  });
});

describe('caps on tokens and money', () => {
  it('delay a call until finished calls release enough of their reservations', async () => {
    const { run, workers } = await play({
      plan: parallel,
      start: { pool, sampling, caps: { ...none, tokens: 2000 } },
      work: () => [wait(10), delta('x'), done({ input: 50, output: 10 })],
    });
    expect(workers.calls.map(({ startedAt }) => startedAt)).toEqual([0, 10, 20, 30]);
    expect(run.status).toBe('finished');
  });

  it('refuse a call whose maximum cost alone exceeds the cap', async () => {
    const { events, workers } = await play({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: { ...none, usd: 0.001 } },
    });
    expect(workers.calls).toHaveLength(0);
    expect(ofType(events, 'cap-reached')).toMatchObject([{ cap: 'usd', limit: 0.001 }]);
    expect(ofType(events, 'step-failed')[0]?.fault.message).toContain('at most $0.001');
  });

  it('lower a call’s output limit to the rest of the cap if that is enough for an answer', async () => {
    const { events, run, workers } = await play({
      plan: [step(0, 'a'), step(1, 'b', [0])],
      start: { pool, sampling, caps: { ...none, tokens: 1500 } },
      work: ({ options: { maxTokens } }) => [delta('x'), done({ input: 10, output: maxTokens === 1000 ? 500 : 200 })],
    });
    const [first, second] = workers.calls.map(({ options }) => options.maxTokens);
    expect(first).toBe(1000);
    expect(second).toBeGreaterThanOrEqual(512);
    expect(second).toBeLessThan(1000 - 10);
    expect(ofType(events, 'step-finished').map(({ outputLimit }) => outputLimit)).toEqual([undefined, second]);
    expect(run.rounds[0]?.steps.map(({ attempts }) => attempts[0]?.outputLimit)).toEqual([null, second]);
    expect(run).toMatchObject({ status: 'finished', capReached: null });
  });

  it('refuse a call without room for an answer, and report the needed and the remaining amount', async () => {
    const { run, workers } = await play({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: { ...none, tokens: 500 } },
    });
    expect(workers.calls).toHaveLength(0);
    expect(run.fault?.message).toMatch(
      /^Step 1 \(.+\) was not called\. This run is limited to 500 tokens\. The next call could use up to 1,\d{3}, and 500 are left\./,
    );
  });

  it('are mentioned in the error if an answer with a lowered output limit has no visible text', async () => {
    const { run } = await play({
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: { ...none, tokens: 900 } },
      work: () => [{ ...done({ input: 10, output: 600 }), finishReason: 'length' as const }],
    });
    expect(run.fault?.code).toBe('empty-reply');
    expect(run.fault?.message).toContain('to stay within the budget');
  });

  describe('for the Conductor’s calls to its model', () => {
    const conductor: ConductorInfo = {
      id: 'endpoint:x',
      label: 'X',
      kind: 'endpoint',
      origin: 'https://x.example.com',
      price: { input: 1, output: 2 },
    };
    const planStarted = (more: Partial<ConductorInfo> = {}): PlanEvent => ({
      type: 'plan-started',
      conductor: { ...conductor, ...more },
      messages: [{ role: 'user', parts: [{ kind: 'question' }] }],
      sampling: { temperature: 0, maxTokens: 1000 },
    });
    const lost: PlanEvent = {
      type: 'plan-retried',
      problem: null,
      fault: null,
      text: 'lost',
      usage: { input: 100, output: 900 },
      cost: 0.0019,
      next: 'stricter',
    };
    const plan = finished([step(0, 'a')], { usage: { input: 100, output: 100 }, cost: 0.0003 });

    /** Runs a plan. `continuedAfter` lists the event types after which the run let the Conductor continue. */
    async function planUnder(caps: Partial<Caps>, items: readonly PlanEvent[]) {
      const continuedAfter: string[] = [];
      const recordItems = function* () {
        for (const item of items) {
          yield item;
          continuedAfter.push(item.type);
        }
      };
      const { run, events } = await play({
        plan: [],
        start: { caps: { ...none, ...caps } },
        dependencies: {
          conductor: {
            info: conductor,
            async *propose() {
              yield* recordItems();
            },
          },
        },
      });
      return { run, events, continuedAfter };
    }

    it('refuse the first call if it could exceed the cap', async () => {
      const { run, events, continuedAfter } = await planUnder({ tokens: 900 }, [planStarted(), plan]);
      expect(continuedAfter).toEqual([]);
      expect(run).toMatchObject({ status: 'failed', fault: { code: 'cap-reached' }, capReached: { cap: 'tokens' } });
      expect(ofType(events, 'plan-failed')).toHaveLength(1);
      expect(run.spent).toMatchObject({ input: 0, output: 0, usd: 0, unpriced: 0 });
    });

    it('refuse a retry if it could exceed the cap', async () => {
      const { run, continuedAfter } = await planUnder({ usd: 0.0035 }, [planStarted(), lost, plan]);
      expect(continuedAfter).toEqual(['plan-started']);
      expect(run.fault?.code).toBe('cap-reached');
      expect(run.spent.usd).toBe(0.0019);
    });

    it('refuse a retry whose larger output limit could exceed the cap', async () => {
      const longer: PlanEvent = { ...lost, maxTokens: 2000 };
      expect((await planUnder({ usd: 0.005 }, [planStarted(), lost, plan])).run.status).toBe('finished');
      const { run, continuedAfter } = await planUnder({ usd: 0.005 }, [planStarted(), longer, plan]);
      expect(continuedAfter).toEqual(['plan-started']);
      expect(run.fault?.code).toBe('cap-reached');
      expect(run.spent).toMatchObject({ input: 100, output: 900, usd: 0.0019 });
    });

    it('release the unused part of a reservation', async () => {
      const short: PlanEvent = { ...lost, usage: { input: 10, output: 10 }, cost: 0.00003 };
      const caps = { tokens: 1500, usd: 0.003 };
      const { run } = await planUnder(caps, [planStarted(), short, plan]);
      expect(run.status).toBe('finished');
      expect((await planUnder(caps, [planStarted(), lost, plan])).run.fault?.code).toBe('cap-reached');
      expect(run.spent.calls).toBe(1);
    });

    it('refuse a remote model of unknown price if money is capped', async () => {
      const { run, continuedAfter } = await planUnder({ usd: 1 }, [planStarted({ price: null }), plan]);
      expect(continuedAfter).toEqual([]);
      expect(run.fault?.code).toBe('price-unknown');
      expect((await planUnder({}, [planStarted({ price: null }), plan])).run.status).toBe('finished');
      const here = planStarted({ price: null, origin: null });
      expect((await planUnder({ usd: 0.01 }, [here, plan])).run.status).toBe('finished');
    });
  });

  it('include the Conductor’s spending', async () => {
    const { run, workers } = await play({
      plan: () => [started, finished([step(0, 'a')], { usage: { input: 900, output: 100 }, cost: 0.5 })],
      start: { pool, sampling, caps: { ...none, tokens: 1500 } },
    });
    expect(workers.calls).toHaveLength(0);
    expect(run.fault?.code).toBe('cap-reached');
  });

  it('refuse a worker without a price if money is capped', async () => {
    const { events, run } = await play({
      plan: [step(0, 'a')],
      start: { pool: [paidWorker(0, { price: null })], sampling, caps: { ...none, usd: 100 } },
    });
    expect(run.fault?.code).toBe('price-unknown');
    expect(ofType(events, 'cap-reached')).toHaveLength(0);
  });

  it('allow free workers under a money cap of 0', async () => {
    const { run } = await play({
      plan: [step(0, 'a')],
      start: { pool: [poolWorker(0, { kind: 'local', price: null })], sampling, caps: { ...none, usd: 0 } },
    });
    expect(run.status).toBe('finished');
  });

  it('are never exceeded, however many calls are in progress', async () => {
    const call = fc.record({
      output: fc.nat({ max: 1000 }),
      input: fc.nat({ max: 100 }),
      duration: fc.nat({ max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: 6000 }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        fc.integer({ min: 0, max: 8 }),
        async (calls, tokens, usd, most) => {
          const { run } = await play({
            plan: calls.map((_, index) => step(index % 3, `${index}`)),
            start: { pool, sampling, maxSteps: 8, caps: { rounds: 1, calls: most, tokens, usd } },
            work: ({ messages, options: { maxTokens } }) => {
              const index = /<subtask>\n(\d)/.exec(messages[0]?.content ?? '')?.[1] ?? 0;
              const { output = 0, input = 0, duration = 0 } = calls[Number(index)] ?? {};
              // A provider writes no more tokens than the output limit of the call.
              return [wait(duration), delta('x'), done({ input, output: Math.min(output, maxTokens) })];
            },
          });
          expect(run.spent.calls).toBeLessThanOrEqual(most);
          expect(run.spent.input + run.spent.output).toBeLessThanOrEqual(tokens);
          expect(run.spent.usd).toBeLessThanOrEqual(usd * (1 + 1e-6));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the ledger of the caps', () => {
  it('releases a reservation when the call has settled', () => {
    const ledger = new CapsLedger({ ...none, tokens: 1100 }, { calls: 0, tokens: 0, usd: 0 }, () => undefined);
    const messages = [{ role: 'user' as const, content: 'x' }];
    const one = ledger.reserve(paidWorker(0), messages, sampling);
    expect(one.type).toBe('reserved');
    expect(ledger.reserve(paidWorker(0), messages, sampling).type).toBe('wait');
    if (one.type === 'reserved') ledger.settle(one.reservation, { usage: { input: 1, output: 2 }, cost: null });
    expect(ledger.reserve(paidWorker(0), messages, sampling).type).toBe('reserved');
  });
});

describe('the cost of a call', () => {
  const call = { worker: paidWorker(0), messages: [], output: '', reasoning: '', maxTokens: 10, fault: null };
  const reported = { usage: null, cost: null };

  it('is 0 for a call that a rate limit rejected', () => {
    const turned = { code: 'rate-limited', message: '', retryable: true } as const;
    expect(accountFor({ ...call, reported, fault: turned })).toEqual({ usage: null, cost: 0 });
  });

  it('is unknown for a call that stalled without text, unless the worker is free or reported usage', () => {
    const stalled = { code: 'stalled', message: '', retryable: false } as const;
    const silent = { ...call, reported, output: '', reasoning: '', fault: stalled };
    expect(accountFor(silent)).toEqual({ usage: null, cost: null });
    expect(accountFor({ ...silent, worker: poolWorker(0) }).cost).toBe(0);
    expect(accountFor({ ...silent, output: 'A word' }).cost).toBeGreaterThan(0);
    expect(accountFor({ ...silent, reported: { usage: { input: 1, output: 1 }, cost: 0.25 } }).cost).toBe(0.25);
  });

  it('is unknown if usage is known but the price is not', () => {
    const usage = { input: 1, output: 1 };
    const worker = paidWorker(0, { price: null });
    expect(accountFor({ ...call, worker, reported: { usage, cost: null } })).toEqual({ usage, cost: null });
  });

  it('is the reported cost if the provider reported it', () => {
    expect(accountFor({ ...call, reported: { usage: { input: 1, output: 1 }, cost: 0.25 } }).cost).toBe(0.25);
  });

  it('is calculated from estimated tokens if the provider counted zero tokens for an answer with text', () => {
    const messages = [{ role: 'user', content: 'Four score and seven' } as const];
    const answered = { ...call, messages, output: 'word '.repeat(8) };
    const zero = { usage: { input: 0, output: 0 }, cost: null };
    expect(accountFor({ ...answered, reported: zero })).toEqual({
      usage: { input: 5, output: 10, estimated: true },
      cost: 0.000025,
    });
    const half = { usage: { input: 7, output: 0 }, cost: null };
    expect(accountFor({ ...answered, reported: half }).usage).toEqual({ input: 7, output: 10, estimated: true });
    const program = { ...answered, worker: poolWorker(0, { kind: 'python' }), reported: zero };
    expect(accountFor(program).usage).toEqual({ input: 0, output: 0 });
    expect(accountFor({ ...call, messages, reported: zero }).usage).toEqual({ input: 0, output: 0 });
  });

  it('is never estimated for more output tokens than the limit of the call', () => {
    expect(accountFor({ ...call, reported, output: 'word '.repeat(1000) }).usage?.output).toBe(10);
  });

  it('is 0 for a simulated worker despite its declared price, but not for a server of unknown price', () => {
    expect(isFree(poolWorker(0, { price: { input: 5, output: 5 } }))).toBe(true);
    expect(isFree(paidWorker(0, { price: null }))).toBe(false);
  });
});
