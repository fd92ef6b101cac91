import { describe, expect, it } from 'vitest';
import type { BatchProgress } from '../../../../src/core/contract';
import { MAX_WAIT_FOR_LIMIT } from '../../../../src/core/contract/worker/retry';
import { createJudge } from '../../../../src/core/graders/ask-judge';
import { createJudgeGrader } from '../../../../src/core/graders/judge';
import { CALL_COST, EXACT, exactTasks, openPage, paidMethods, World } from './world';

const BUSY = { code: 'run-busy', message: expect.stringContaining('has made no progress for 10 minutes') };

/**
 * Creates a browser with these batches. Each batch has one task for one worker. The actual cost of a run is $0.01. Its maximum
 * cost is about $0.015.
 */
async function worldOf(...ids: readonly string[]): Promise<World> {
  const world = new World(exactTasks(1));
  for (const id of ids) await world.add({ methods: paidMethods().slice(0, 1), usd: 0.02 }, id);
  return world;
}

async function run(page: ReturnType<typeof openPage>, id: string): Promise<BatchProgress> {
  return (await page.runner.start(id)).done;
}

describe('a run that two batches need at the same time', () => {
  it('is executed only once in two tabs, and neither batch pauses', async () => {
    const world = await worldOf('one', 'two');
    const both = await Promise.all([run(openPage(world), 'one'), run(openPage(world), 'two')]);
    for (const progress of both) expect(progress).toMatchObject({ status: 'finished', right: 1, failed: 0 });
    expect(world.calls).toHaveLength(1);
    expect(both[0].usd + both[1].usd).toBeCloseTo(CALL_COST);
  });

  it('is executed only once, even if each of two tabs executes several runs at a time', async () => {
    const world = new World();
    for (const id of ['one', 'two']) await world.add({ concurrency: 4 }, id);
    const both = await Promise.all([run(openPage(world), 'one'), run(openPage(world), 'two')]);
    for (const progress of both) expect(progress).toMatchObject({ status: 'finished', right: 12, failed: 0 });
    expect(world.calls).toHaveLength(20);
  });

  it('reserves no money of the waiting batch, so that the batch’s budget still covers the judge', async () => {
    const world = new World(exactTasks(1).map((task) => ({ ...task, grader: 'judge' as const })));
    const [method] = paidMethods();
    const judge = method?.settings.pool[1] ?? null;
    if (!method || !judge) throw new Error('There is no method.');
    let judged = 0;
    const client = {
      async *run() {
        judged += 1;
        yield { type: 'delta', channel: 'content', text: 'VERDICT: CORRECT' } as const;
        yield { type: 'finished', usage: { input: 5, output: 3 }, cost: CALL_COST, finishReason: 'stop' } as const;
      },
    };
    const graders = (model: string) => ({
      ...EXACT,
      graderFor: (...[, profile, , room]: Parameters<typeof EXACT.graderFor>) =>
        profile === 'strict'
          ? createJudgeGrader(createJudge({ worker: { ...judge, model }, client, day: null, clock: world.clock }), room)
          : null,
    });
    // A call to the judge costs at most about $0.34, and the run at most $0.015. The second batch's budget is less than the sum.
    await world.add({ methods: [method], usd: 1, judge: { ...judge, model: 'one' } }, 'one');
    await world.add({ methods: [method], usd: 0.35, judge: { ...judge, model: 'two' } }, 'two');
    const page = openPage(world, { graders: graders('one') });
    const other = openPage(world, { graders: graders('two') });
    const both = await Promise.all([run(page, 'one'), run(other, 'two')]);
    for (const progress of both) expect(progress).toMatchObject({ status: 'finished', right: 1, failed: 0 });
    expect(world.calls).toHaveLength(1);
    expect(judged).toBe(2);
  });

  it('pauses the waiting batch if the run is stuck in another tab, and the batch can continue after that tab closes', async () => {
    const world = await worldOf('one', 'two');
    const stuck = openPage(world, { crashAt: ({ type }) => type === 'step-started' });
    await stuck.runner.start('one');
    await stuck.crashed;
    const before = world.clock.now();
    const page = openPage(world);
    expect(await run(page, 'two')).toMatchObject({ status: 'paused', running: 0, fault: BUSY });
    expect(world.clock.now() - before).toBeGreaterThan(MAX_WAIT_FOR_LIMIT);
    stuck.close();
    expect(await run(page, 'two')).toMatchObject({ status: 'finished', right: 1 });
  });

  it('pauses the waiting batch if the run is stuck in the same tab, and the batch can continue after the run ends', async () => {
    const world = await worldOf('one', 'two');
    const page = openPage(world, { replyTime: 3_600_000 });
    const first = await page.runner.start('one');
    expect(await run(page, 'two')).toMatchObject({ status: 'paused', running: 0, fault: BUSY });
    expect(first.progress).toMatchObject({ status: 'running', running: 1 });
    expect(await first.done).toMatchObject({ status: 'finished', right: 1 });
    expect(await run(page, 'two')).toMatchObject({ status: 'finished', right: 1 });
    expect(world.calls).toHaveLength(1);
  });

  it('does not pause the waiting batch as long as the run makes progress', async () => {
    const world = new World(exactTasks(1));
    // The method needs three calls.
    for (const id of ['one', 'two']) await world.add({ methods: paidMethods().slice(2) }, id);
    // A call takes one minute longer than the longest pause for a rate limit. A batch gives up only after twice that pause.
    const replyTime = MAX_WAIT_FOR_LIMIT + 60_000;
    const both = await Promise.all(['one', 'two'].map((id) => run(openPage(world, { replyTime }), id)));
    for (const progress of both) expect(progress).toMatchObject({ status: 'finished', right: 1 });
    expect(world.calls).toHaveLength(3);
    expect(world.clock.monotonic()).toBeGreaterThan(2 * MAX_WAIT_FOR_LIMIT);
  });

  it('lets the user pause the waiting batch', async () => {
    const world = await worldOf('one', 'two');
    // The crashed page holds the lock of its run until the page is closed.
    const stuck = openPage(world, { crashAt: ({ type }) => type === 'step-started' });
    await stuck.runner.start('one');
    await stuck.crashed;
    const page = openPage(world);
    const waiting = await page.runner.start('two');
    waiting.subscribe(({ running }) => running > 0 && waiting.pause());
    expect(await waiting.done).toMatchObject({ status: 'paused', done: 0, running: 0, fault: null });
    stuck.close();
    expect(await run(page, 'two')).toMatchObject({ status: 'finished', right: 1 });
  });
});
