import { describe, expect, it } from 'vitest';
import { fault, FaultError, type BatchProgress, type Outcome, type PoolWorker } from '../../../../src/core/contract';
import type { UnitGraders } from '../../../../src/core/evaluation/batches/grading';
import { createJudge } from '../../../../src/core/graders/ask-judge';
import { createJudgeGrader } from '../../../../src/core/graders/judge';
import { MemorySpending } from '../../../fixtures/memory-spending';
import { DayBudget } from '../../../../src/core/executor/day-budget';
import {
  CALL_COST,
  EXACT,
  exactTasks,
  JUDGE,
  JUDGE_COST,
  openPage,
  paidMethods,
  World,
  type PageOptions,
} from './world';

/** A browser with one task that a judge grades. Batches have three methods: two single workers and a Mixture of Agents. */
function judgedWorld(): World {
  return new World(exactTasks(1).map((task) => ({ ...task, grader: 'judge' as const })));
}

interface Court {
  readonly graders: UnitGraders;
  /** Number of calls that the judge answered. */
  readonly calls: () => number;
}

/** A judge that gives the same reply to every call. @param dailyBudget US dollars */
function courtOf(
  world: World,
  dailyBudget: number | null = null,
  reply = 'REASON: Fine.\nVERDICT: CORRECT',
  judge: PoolWorker = JUDGE,
): Court {
  let calls = 0;
  const spending = new MemorySpending(world.clock, dailyBudget);
  const client = {
    async *run() {
      calls += 1;
      yield { type: 'delta', channel: 'content', text: reply } as const;
      const cost = judge.price === null ? null : JUDGE_COST;
      yield { type: 'finished', usage: { input: 5, output: 3 }, cost, finishReason: 'stop' } as const;
    },
  };
  const day = () => new DayBudget({ runId: 'judge', spending, clock: world.clock, reached: () => undefined });
  const graders: UnitGraders = {
    ...EXACT,
    graderFor: (_kind, profile, _judge, room) =>
      profile === 'strict'
        ? createJudgeGrader(createJudge({ worker: judge, client, day: day(), clock: world.clock }), room)
        : null,
  };
  return { graders, calls: () => calls };
}

async function run(world: World, options: PageOptions, id = 'batch'): Promise<BatchProgress> {
  return (await openPage(world, options).runner.start(id)).done;
}

const sum = (outcomes: readonly Outcome[], of: (each: Outcome) => number) =>
  outcomes.reduce((total, each) => total + of(each), 0);

describe('a batch with a judge', () => {
  it('includes the judge in the cost of the batch, but not in the cost of the methods', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE });
    const court = courtOf(world);
    const progress = await run(world, court);
    expect(progress).toMatchObject({ status: 'finished', right: 3, unpriced: 0 });
    expect(court.calls()).toBe(3);
    expect(progress.usd).toBeCloseTo(5 * CALL_COST + 3 * JUDGE_COST);
    const outcomes = await world.batches.outcomes('batch');
    expect(sum(outcomes, ({ usd }) => usd)).toBeCloseTo(5 * CALL_COST);
    expect(sum(outcomes, ({ judge }) => judge?.usd ?? 0)).toBeCloseTo(3 * JUDGE_COST);
  });

  it('counts judge calls of unknown cost, with or without a verdict, also after a reload', async () => {
    const judge = { ...JUDGE, price: null };
    for (const reply of ['VERDICT: CORRECT', 'I would rather not say.']) {
      const world = judgedWorld();
      await world.add({ judge });
      const progress = await run(world, courtOf(world, null, reply, judge));
      expect(progress).toMatchObject({ status: 'finished', done: 3, unpriced: 3 });
      expect(progress.usd).toBeCloseTo(5 * CALL_COST);
      for (const outcome of await world.batches.outcomes('batch')) {
        expect(outcome.judge).toEqual({ usd: 0, unpriced: 1 });
        expect(outcome.unpriced, 'the cost of the run’s own calls is known').toBeUndefined();
      }
      expect(await openPage(world).runner.progress('batch')).toMatchObject({ unpriced: 3 });
    }
  });

  it('includes the calls to the judge in the estimate', async () => {
    const world = judgedWorld();
    const { plan } = await world.add({ judge: JUDGE });
    const { runner } = openPage(world);
    const signal = new AbortController().signal;
    const estimate = await runner.estimate(plan, null, signal);
    const free = await runner.estimate({ ...plan, judge: { ...JUDGE, kind: 'simulated' } }, null, signal);
    expect(estimate.calls).toEqual({ low: 8, high: 8 });
    // An answer of the judge has at most 8,192 tokens, at $1 per million. The prompt costs extra.
    expect((estimate.usd?.high ?? 0) - (free.usd?.high ?? 0)).toBeGreaterThan(3 * 0.008_192);
    expect((await runner.estimate({ ...plan, judge: { ...JUDGE, price: null } }, null, signal)).usd).toBeNull();
  });

  it('estimates no calls to a judge that has already graded the stored runs', async () => {
    const world = judgedWorld();
    const { plan } = await world.add({ judge: JUDGE });
    await run(world, courtOf(world));
    const { runner } = openPage(world);
    const signal = new AbortController().signal;
    const same = await runner.estimate(plan, null, signal);
    expect(same).toMatchObject({ units: 0, known: 3, calls: { low: 0, high: 0 }, usd: { low: 0, high: 0 } });
    const other = { ...plan, judge: { ...JUDGE, model: 'judge-2' } };
    const estimate = await runner.estimate(other, null, signal);
    expect(estimate).toMatchObject({ units: 0, known: 3, calls: { low: 3, high: 3 } });
    expect(estimate.usd?.low).toBeGreaterThan(0);
    expect(estimate.usd?.high).toBeGreaterThan(3 * 0.008_192);
    const unpriced = { ...plan, judge: { ...JUDGE, model: 'judge-2', price: null } };
    expect((await runner.estimate(unpriced, null, signal)).usd).toBeNull();
  });

  it('reuses the judge’s answer if the page crashes before the outcome is stored', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE, concurrency: 1 });
    const court = courtOf(world);
    for (let crashes = 0; crashes < 3; crashes++) {
      const page = openPage(world, {
        ...court,
        crashAt: (event) => event.type === 'run-graded' && event.correct !== null,
      });
      await page.runner.start('batch');
      await page.crashed;
      page.close();
    }
    expect(court.calls()).toBe(3);
    const progress = await run(world, court);
    expect(progress).toMatchObject({ status: 'finished', right: 3 });
    expect(court.calls()).toBe(3);
    expect(progress.usd).toBeCloseTo(world.calls.length * CALL_COST + 3 * JUDGE_COST);
  });

  it('reuses the verdicts of the same judge in another batch, but calls a different judge', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE });
    const court = courtOf(world);
    await run(world, court);
    await world.add({ judge: JUDGE }, 'other');
    expect(await run(world, court, 'other')).toMatchObject({ status: 'finished', right: 3, usd: 0 });
    expect(court.calls()).toBe(3);
    await world.add({ judge: { ...JUDGE, model: 'judge-2' } }, 'another');
    const third = await run(world, court, 'another');
    expect(court.calls()).toBe(6);
    expect(third.usd).toBeCloseTo(3 * JUDGE_COST);
  });

  it('pauses when the daily budget refuses the judge’s call, and resumes with a larger budget', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE, concurrency: 1 });
    const refused = courtOf(world, 0.000_001);
    const paused = await run(world, refused);
    expect(paused).toMatchObject({ status: 'paused', failed: 0, done: 0, fault: { code: 'cap-reached' } });
    expect(refused.calls()).toBe(0);
    expect(paused.usd).toBeCloseTo(world.calls.length * CALL_COST);
    expect(await run(world, courtOf(world, 10))).toMatchObject({ status: 'finished', right: 3, failed: 0 });
    expect(world.calls).toHaveLength(5);
  });

  it('pauses before a call to the judge that could exceed the budget of the batch', async () => {
    const world = judgedWorld();
    await world.add({ judge: { ...JUDGE, price: { input: 1, output: 1000 } }, usd: 0.15, concurrency: 1 });
    const court = courtOf(world);
    const graders: UnitGraders = {
      ...court.graders,
      graderFor: (_kind, profile, judge, room) =>
        profile === 'strict' && judge
          ? createJudgeGrader(
              createJudge({ worker: judge, client: { run: () => neverCalled() }, day: null, clock: world.clock }),
              room,
            )
          : null,
    };
    const paused = await run(world, { graders });
    expect(paused).toMatchObject({ status: 'paused', done: 0, failed: 0 });
    expect(paused.fault?.message).toMatch(/^The next call to the judge could exceed the budget of \$0\.15/);
    expect(paused.usd).toBeCloseTo(CALL_COST);
  });

  it('keeps the cost of replies without a verdict when the failed units are retried', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE });
    const vague = courtOf(world, null, 'I would rather not say.');
    const failed = await run(world, vague);
    expect(failed).toMatchObject({ status: 'finished', failed: 3 });
    expect(failed.usd).toBeCloseTo(5 * CALL_COST + 3 * JUDGE_COST);
    for (const { run: stored } of await world.runs()) expect(stored.grade).toBeNull();
    const again = await (await openPage(world, courtOf(world)).runner.retryFailed('batch')).done;
    expect(again).toMatchObject({ right: 3, failed: 0 });
    expect(again.usd).toBeCloseTo(5 * CALL_COST + 6 * JUDGE_COST);
  });

  it('keeps the cost of replies without a verdict while the retry of reused runs is paused', async () => {
    const world = judgedWorld();
    await world.add({ judge: JUDGE });
    await run(world, courtOf(world));
    await world.add({ judge: { ...JUDGE, model: 'judge-2' } }, 'other');
    const failed = await run(world, courtOf(world, null, 'I would rather not say.'), 'other');
    expect(failed).toMatchObject({ status: 'finished', failed: 3 });
    expect(failed.usd).toBeCloseTo(3 * JUDGE_COST, 6);
    const refused = courtOf(world, 0.000_001);
    const paused = await (await openPage(world, refused).runner.retryFailed('other')).done;
    expect(paused).toMatchObject({ status: 'paused', done: 0 });
    expect(paused.usd).toBeCloseTo(3 * JUDGE_COST, 6);
    expect((await openPage(world).runner.progress('other')).usd).toBeCloseTo(3 * JUDGE_COST, 6);
    expect((await run(world, courtOf(world), 'other')).usd).toBeCloseTo(6 * JUDGE_COST, 6);
  });

  it('calls the judge once if two batches request a verdict for an answer at the same time', async () => {
    const world = judgedWorld();
    await world.add({ judge: { ...JUDGE, model: 'judge-0' } });
    await run(world, courtOf(world));
    await world.add({ judge: JUDGE }, 'one');
    await world.add({ judge: JUDGE }, 'two');
    const court = courtOf(world);
    const both = await Promise.all([run(world, court, 'one'), run(world, court, 'two')]);
    expect(both).toMatchObject([
      { status: 'finished', right: 3 },
      { status: 'finished', right: 3 },
    ]);
    expect(court.calls()).toBe(3);
    expect(both[0].usd + both[1].usd).toBeCloseTo(3 * JUDGE_COST, 6);
  });
});

describe('the cost of a batch', () => {
  it('includes runs without an outcome when the batch is stopped, also after a reload', async () => {
    const world = new World();
    await world.add({ concurrency: 1 });
    const page = openPage(world);
    const live = await page.runner.start('batch');
    live.subscribe(({ done }) => done >= 2 && live.stop());
    const stopped = await live.done;
    const spent = (await world.runs()).reduce((total, { run: { spent: own } }) => total + own.usd, 0);
    const outcomes = sum(await world.batches.outcomes('batch'), ({ usd }) => usd);
    expect(spent).toBeGreaterThan(0);
    expect(stopped.usd).toBeCloseTo(spent);
    const again = await openPage(world).runner.progress('batch');
    expect(again.usd).toBeCloseTo(spent);
    expect(again.usd).toBeGreaterThanOrEqual(outcomes);
    expect(again.unpriced).toBe(stopped.unpriced);
  });

  it('includes runs that a crash interrupted, even before the runs resume', async () => {
    const world = new World();
    await world.add({ concurrency: 1, usd: 1 });
    // Each page crashes at its first finished step, so the two pages together complete at most one run.
    for (let crashes = 0; crashes < 2; crashes++) {
      const page = openPage(world, { crashAt: ({ type }) => type === 'step-finished' });
      await page.runner.start('batch');
      await page.crashed;
      page.close();
    }
    const progress = await openPage(world).runner.progress('batch');
    expect(progress.done).toBeLessThan(2);
    expect(progress.usd).toBeCloseTo(world.calls.length * CALL_COST);
  });

  it('sums known costs, and counts calls of unknown cost separately', async () => {
    const world = new World(exactTasks(1));
    const unpriced = (worker: PoolWorker) => (worker.id === 'oak' ? { ...worker, price: null } : worker);
    const methods = paidMethods().map((method) => {
      const pool = method.settings.pool.map(unpriced);
      return { ...method, settings: { ...method.settings, pool } };
    });
    await world.add({ methods });
    const page = openPage(world, { costOf: (workerId) => (workerId === 'oak' ? null : CALL_COST) });
    const progress = await (await page.runner.start('batch')).done;
    const calls = world.calls.filter((call) => call.startsWith('oak')).length;
    expect(progress).toMatchObject({ status: 'finished', unpriced: calls });
    expect(progress.usd).toBeCloseTo((world.calls.length - calls) * CALL_COST);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(world.calls.length);
  });
});

async function* neverCalled(): AsyncGenerator<never> {
  yield await Promise.reject<never>(new FaultError(fault('internal', 'The judge must not be called.')));
}
