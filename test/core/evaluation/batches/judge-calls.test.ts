import { describe, expect, it } from 'vitest';
import {
  abortError,
  fault,
  runLock,
  type BatchProgress,
  type CallDay,
  type WorkerClient,
  type WorkerEvent,
} from '../../../../src/core/contract';
import type { UnitGraders } from '../../../../src/core/evaluation/batches/grading';
import { createJudge } from '../../../../src/core/graders/ask-judge';
import { createJudgeGrader } from '../../../../src/core/graders/judge';
import { CALL_COST, EXACT, exactTasks, JUDGE, JUDGE_COST, openPage, paidMethods, World } from './world';

/** Cost of the judge's longest answer in US dollars: 8,192 tokens at $1 a million. Excludes the judge's prompt. */
const JUDGE_MOST = 0.008_192;
const PLAN = { judge: JUDGE, methods: paidMethods().slice(0, 1) };

const CORRECT: readonly WorkerEvent[] = [
  { type: 'delta', channel: 'content', text: 'VERDICT: CORRECT' },
  { type: 'finished', usage: { input: 5, output: 3 }, cost: JUDGE_COST, finishReason: 'stop' },
];
const STALLED: readonly WorkerEvent[] = [
  {
    type: 'failed',
    fault: fault('stalled', 'Silence.', { retryable: true }),
    usage: { input: 5, output: 0 },
    cost: JUDGE_COST,
  },
];

/** A browser with a batch of one task for one worker. A judge grades the answer. */
async function judgedWorld(more: { readonly usd?: number } = {}): Promise<World> {
  const world = new World(exactTasks(1).map((task) => ({ ...task, grader: 'judge' as const })));
  await world.add({ ...PLAN, ...more });
  return world;
}

function gradersWith(world: World, client: WorkerClient, day: CallDay | null = null): UnitGraders {
  const judge = createJudge({ worker: JUDGE, client, day, clock: world.clock });
  return {
    ...EXACT,
    graderFor: (_kind, profile, _judge, room) => (profile === 'strict' ? createJudgeGrader(judge, room) : null),
  };
}

/** @param replies the events of each call. The last reply is repeated */
function courtOf(world: World, replies: readonly (readonly WorkerEvent[])[], day: CallDay | null = null) {
  let calls = 0;
  const client = {
    async *run() {
      calls += 1;
      yield* replies[Math.min(calls, replies.length) - 1] ?? [];
    },
  };
  return { graders: gradersWith(world, client, day), calls: () => calls };
}

/** A judge that never answers. `called` resolves at its first call. */
function silentCourt(world: World) {
  let asked: () => void = () => undefined;
  const called = new Promise<void>((resolve) => (asked = resolve));
  const client: WorkerClient = {
    async *run(_messages, _options, signal) {
      asked();
      yield await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(abortError())));
    },
  };
  return { graders: gradersWith(world, client), called };
}

async function run(world: World, graders: UnitGraders): Promise<BatchProgress> {
  return (await openPage(world, { graders }).runner.start('batch')).done;
}

const reloaded = (world: World) => openPage(world).runner.progress('batch');

describe('a call to the judge', () => {
  it('is charged to the batch’s budget at its maximum cost if the page closes before the answer', async () => {
    const world = await judgedWorld({ usd: 0.02 });
    const silent = silentCourt(world);
    const page = openPage(world, silent);
    await page.runner.start('batch');
    await silent.called;
    page.close();
    const lost = (await reloaded(world)).usd - CALL_COST;
    expect(lost).toBeGreaterThan(JUDGE_MOST);
    const court = courtOf(world, [CORRECT]);
    expect(await run(world, court.graders)).toMatchObject({ status: 'paused', fault: { code: 'cap-reached' } });
    expect(court.calls()).toBe(0);
    await world.add(PLAN);
    const finished = await run(world, court.graders);
    expect(finished).toMatchObject({ status: 'finished', right: 1, unpriced: 0 });
    expect(finished.usd).toBeCloseTo(CALL_COST + lost + JUDGE_COST, 6);
    expect((await reloaded(world)).usd).toBeCloseTo(finished.usd, 6);
  });

  it('is charged at its maximum cost if the batch is stopped before the answer', async () => {
    const world = await judgedWorld();
    const silent = silentCourt(world);
    const live = await openPage(world, silent).runner.start('batch');
    await silent.called;
    live.stop();
    const stopped = await live.done;
    expect(stopped.usd).toBeGreaterThan(CALL_COST + JUDGE_MOST);
    expect((await reloaded(world)).usd).toBeCloseTo(stopped.usd, 6);
  });

  it('is retried after a temporary failure, and both calls are charged', async () => {
    const world = await judgedWorld();
    const progress = await run(world, courtOf(world, [STALLED, CORRECT]).graders);
    expect(progress).toMatchObject({ status: 'finished', right: 1, failed: 0, unpriced: 0 });
    expect(progress.usd).toBeCloseTo(CALL_COST + 2 * JUDGE_COST);
    const [stored] = await world.runs();
    expect(stored?.run.judged.map(({ correct, cost }) => [correct, cost])).toEqual([
      [null, JUDGE_COST],
      [true, JUDGE_COST],
    ]);
    expect((await reloaded(world)).usd).toBeCloseTo(progress.usd);
  });

  it('is charged after a failure even if the daily budget refuses the retry', async () => {
    const world = await judgedWorld();
    let held = 0;
    const day: CallDay = {
      hold: async () =>
        ++held === 1 ? { type: 'held', hold: { id: '1' } } : { type: 'refused', fault: fault('cap-reached', 'Spent.') },
      settle: async () => undefined,
    };
    const court = courtOf(world, [STALLED, CORRECT], day);
    const paused = await run(world, court.graders);
    expect(paused).toMatchObject({ status: 'paused', done: 0, fault: { code: 'cap-reached' } });
    expect(court.calls()).toBe(1);
    expect(paused.usd).toBeCloseTo(CALL_COST + JUDGE_COST);
    expect((await reloaded(world)).usd).toBeCloseTo(paused.usd);
  });
});

describe('a batch that can’t record a grade because another tab holds the lock of the run', () => {
  it('pauses with the fault `run-busy`, and continues once the lock is released', async () => {
    const world = new World(exactTasks(1));
    await world.add({ methods: PLAN.methods });
    const tab = world.locks.tab();
    const graders: UnitGraders = {
      ...EXACT,
      graderFor: () => ({
        grade: async () => {
          for (const { run: graded } of await world.runs()) await tab.acquire(runLock(graded.id));
          return { correct: true, detail: 'It says yes.' };
        },
      }),
    };
    expect(await run(world, graders)).toMatchObject({ status: 'paused', done: 0, fault: { code: 'run-busy' } });
    tab.close();
    expect(await run(world, EXACT)).toMatchObject({ status: 'finished', right: 1 });
    expect(world.calls).toHaveLength(1);
  });
});
