/**
 * @file The daily budget limits the total cost of all runs, including parallel runs and the Conductor's own calls.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldEvents, worstInput, type ConductorInfo, type PlanEvent, type Step } from '../../../src/core/contract';
import { DayBudget } from '../../../src/core/executor/day-budget';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemorySpending } from '../../fixtures/memory-spending';
import { poolWorker, step } from '../../fixtures/run-events';
import {
  collect,
  done,
  fails,
  finished,
  ofType,
  paidWorker,
  play,
  PRICE,
  delta,
  stage,
  started,
  wait,
} from './scripted';

const pool = [0, 1, 2].map((index) => paidWorker(index));
const sampling = { temperature: 0, maxTokens: 1000 };
const free = { rounds: 1, calls: 100, tokens: null, usd: null };
/** The maximum cost of an answer with the run's output limit. A call reserves this amount and the cost of its input. */
const ANSWER = (sampling.maxTokens * PRICE.output) / 1e6;

const today = async (spending: MemorySpending) => (await spending.totals()).today;

describe('the daily budget', () => {
  it('refuses calls that would exceed it, and is reported once as reached', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 0.001);
    const { events, run, workers } = await play({
      clock,
      plan: [step(0, 'a'), step(1, 'b')],
      start: { pool, sampling, caps: free },
      dependencies: { spending },
    });
    expect(workers.calls).toHaveLength(0);
    expect(ofType(events, 'cap-reached')).toMatchObject([{ cap: 'usd', limit: 0.001, day: true }]);
    expect(run.fault).toMatchObject({ code: 'cap-reached' });
    expect(run.fault?.message).toContain('continue tomorrow');
    expect(run.spent.usd).toBe(0);
    expect(spending.holds.size).toBe(0);
  });

  it('reserves the extra price of a call, and charges it if the provider reports no cost', async () => {
    const extra = { pool: [paidWorker(0, { price: { ...PRICE, perCall: 1 } })], sampling, caps: free };
    const plan = [step(0, 'a')];
    const clock = new FakeClock('auto');
    const small = new MemorySpending(clock, 1);
    expect((await play({ clock, plan, start: extra, dependencies: { spending: small } })).workers.calls).toEqual([]);
    const enough = new MemorySpending(clock, 1.1);
    const { run } = await play({ clock, plan, start: extra, dependencies: { spending: enough } });
    expect(run.status).toBe('finished');
    expect((await today(enough)).usd).toBeGreaterThan(1);
  });

  it('lowers a call’s output limit to what the rest of the budget covers', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 0.9 * ANSWER);
    const { events, run, workers } = await play({
      clock,
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: free },
      work: ({ options: { maxTokens } }) => [delta('x'), done({ input: 1, output: maxTokens })],
      dependencies: { spending },
    });
    const limit = workers.calls[0]?.options.maxTokens ?? 0;
    expect(limit).toBeGreaterThanOrEqual(512);
    expect(limit).toBeLessThan(900);
    expect(run.status).toBe('finished');
    expect(ofType(events, 'step-finished')[0]?.outputLimit).toBe(limit);
    expect(ofType(events, 'cap-reached')).toEqual([]);
    expect((await today(spending)).usd).toBeLessThanOrEqual(0.9 * ANSWER);
  });

  it('delays a call while reservations of other calls fill the budget', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1.5 * ANSWER);
    const { events, run, workers } = await play({
      clock,
      plan: [step(0, 'a'), step(1, 'b')],
      start: { pool, sampling, caps: free },
      work: () => [wait(10), delta('x'), done({ input: 50, output: 10 })],
      dependencies: { spending },
    });
    expect(run.status).toBe('finished');
    expect(workers.calls.map(({ startedAt }) => startedAt)).toEqual([0, 10]);
    expect(ofType(events, 'step-waiting').map((event) => event.for)).toEqual(['money', null]);
    expect((await today(spending)).usd).toBeCloseTo(run.spent.usd, 12);
  });

  it('refuses a worker whose price is unknown', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 5);
    const { run, workers } = await play({
      clock,
      plan: [step(0, 'a')],
      start: { pool: [paidWorker(0, { price: null })], sampling, caps: free },
      dependencies: { spending },
    });
    expect(workers.calls).toHaveLength(0);
    expect(run.fault).toMatchObject({ code: 'price-unknown' });
  });

  it('counts as exhausted after it refuses an expensive call, but not after a call of unknown price', async () => {
    const clock = new FakeClock('auto');
    const reached: unknown[] = [];
    const day = new DayBudget({
      runId: 'run-1',
      spending: new MemorySpending(clock, 1),
      clock,
      reached: (event) => reached.push(event),
    });
    const { signal } = new AbortController();
    const hold = (usd: number | null) =>
      day.hold({ charged: paidWorker(0), usd, key: null }, signal, () => Promise.resolve());
    expect(await hold(null)).toMatchObject({ type: 'refused', fault: { code: 'price-unknown' } });
    expect(day.exhausted).toBe(false);
    expect(await hold(2)).toMatchObject({ type: 'refused', fault: { code: 'cap-reached' } });
    expect(day.exhausted).toBe(true);
    expect(reached).toHaveLength(1);
  });

  it('ignores workers that are free', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 0);
    const { run } = await play({
      clock,
      plan: [step(0, 'a')],
      start: { pool: [poolWorker(0)], sampling, caps: free },
      dependencies: { spending },
    });
    expect(run.status).toBe('finished');
    expect(spending.rows.size).toBe(0);
  });

  it('charges nothing for a rate-limited call, and the reported cost for a finished call', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1);
    const limited = { code: 'rate-limited', message: 'Too many.', retryable: true } as const;
    const { events } = await play({
      clock,
      plan: [step(0, 'a')],
      start: { pool, sampling, caps: free },
      work: ({ options }) =>
        options.attempt === 0 ? [fails(limited)] : [delta('x'), done({ input: 5, output: 5 }, 0.25)],
      dependencies: { spending },
    });
    expect(ofType(events, 'step-finished')).toMatchObject([{ cost: 0.25, billed: true }]);
    expect(foldEvents(events)?.spent).toMatchObject({ usd: 0.25, billed: 0.25 });
    expect(await today(spending)).toMatchObject({ usd: 0.25, billed: 0.25, unpriced: 0 });
  });

  it('releases all reserved money if the run is stopped while a step waits for the budget', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1.5 * ANSWER);
    const { events, controller } = stage({
      clock,
      plan: [step(0, 'a'), step(1, 'b')],
      start: { pool, sampling, caps: free },
      work: () => [wait(60_000), delta('x'), done()],
      dependencies: { spending },
    });
    for await (const event of events) if (event.type === 'step-waiting') controller.abort();
    await clock.sleep(1, new AbortController().signal);
    expect(spending.holds.size).toBe(0);
  });
});

const CHARGED: ConductorInfo = {
  id: 'endpoint:paid-0',
  label: 'Planner',
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: PRICE,
};
const planStarted: PlanEvent = {
  type: 'plan-started',
  conductor: CHARGED,
  messages: [{ role: 'user', parts: [{ kind: 'literal', text: 'Plan!' }] }],
  sampling,
};

describe('the Conductor’s own calls', () => {
  it('are booked as calls of the worker that plans', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 1);
    const usage = { input: 100, output: 100 };
    await play({
      clock,
      plan: () => [planStarted, finished([step(0, 'a')], { usage, cost: 0.125 })],
      start: { pool, sampling, caps: free },
      dependencies: { spending },
    });
    const { workers } = await spending.totals();
    expect(workers).toMatchObject([{ workerId: 'paid-0', today: { calls: 2 } }]);
    expect(workers[0]?.today.usd).toBeCloseTo(0.125 + (100 * PRICE.input + 50 * PRICE.output) / 1e6, 12);
  });

  it('are not made if they would exceed the daily budget', async () => {
    const clock = new FakeClock('auto');
    const spending = new MemorySpending(clock, 0.0001);
    const { events, run } = await play({
      clock,
      plan: () => [planStarted, finished([step(0, 'a')])],
      start: { pool, sampling, caps: free },
      dependencies: { spending },
    });
    expect(ofType(events, 'plan-failed')).toMatchObject([{ fault: { code: 'cap-reached' } }]);
    expect(run).toMatchObject({ status: 'failed', spent: { usd: 0 } });
    expect(spending.holds.size).toBe(0);
  });
});

const workflow = fc.array(fc.record({ worker: fc.nat(2), sees: fc.array(fc.nat(4), { maxLength: 2 }) }), {
  minLength: 1,
  maxLength: 5,
});
const scene = fc.record({
  steps: workflow,
  /** Duration of each call, and its cost as a share of its maximum cost. A share of 0 means that the connection breaks. */
  calls: fc.array(fc.record({ ms: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    minLength: 5,
    maxLength: 5,
  }),
});

it('parallel runs never exceed the daily budget, whatever their calls cost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(scene, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 0, max: 12, noNaN: true }),
      async (scenes, room) => {
        const clock = new FakeClock('auto');
        const cap = room * ANSWER;
        const spending = new MemorySpending(clock, cap);
        const runs = scenes.map(({ steps, calls }, index) => {
          let made = 0;
          const plan = steps.map(({ worker, sees }, at): Step => {
            return step(worker, `part ${at}`, [...new Set(sees.filter((seen) => seen < at))].toSorted());
          });
          return stage({
            clock,
            runId: `run-${index}`,
            plan: () => [started, finished(plan)],
            start: { pool, sampling, caps: free },
            work: ({ messages, options }) => {
              const { ms = 0, share = 0 } = calls[made++ % calls.length] ?? {};
              // The budget may lower the output limit of a call.
              const { maxTokens } = options;
              const worst = (worstInput(messages) * PRICE.input + maxTokens * PRICE.output) / 1e6;
              return share === 0 ? [wait(ms)] : [wait(ms), delta('x'), done(null, share * worst)];
            },
            dependencies: { spending },
          });
        });
        const all = await Promise.all(runs.map(({ events }) => collect(events)));
        const spent = (await today(spending)).usd;
        expect(spent).toBeLessThanOrEqual(cap * (1 + 1e-9));
        const total = all.map((events) => foldEvents(events)?.spent.usd ?? 0).reduce((sum, usd) => sum + usd, 0);
        expect(total).toBeLessThanOrEqual(spent + 1e-9);
        expect(spending.holds.size).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

it('the cost of a call is booked before the run ends, even if the first booking fails', async () => {
  const clock = new FakeClock('auto');
  const spending = new MemorySpending(clock, 1);
  const { settle } = spending;
  let refusals = 1;
  spending.settle = (id, bill) => (refusals-- > 0 ? Promise.reject(new Error('Busy.')) : settle(id, bill));
  const { run } = await play({
    clock,
    plan: [step(0, 'a')],
    start: { pool, sampling, caps: free },
    dependencies: { spending },
  });
  expect(spending.holds.size).toBe(0);
  expect((await today(spending)).usd).toBeCloseTo(run.spent.usd, 12);
});
