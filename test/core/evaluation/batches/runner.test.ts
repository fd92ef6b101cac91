import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  unitKey,
  type BatchProgress,
  type RunEvent,
  type Unit,
} from '../../../../src/core/contract';
import { CALL_COST, EXACT, exactTasks, openPage, paidMethods, World } from './world';

/** US dollars. Covers the maximum cost of any single run, but not the maximum cost of all runs. */
const BUDGET = 0.15;

/** Runs a batch to its end, or until it pauses. */
async function runToEnd(page: ReturnType<typeof openPage>, id = 'batch'): Promise<BatchProgress> {
  return (await page.runner.start(id)).done;
}

const table = async (world: World, id = 'batch') => {
  const outcomes = await world.batches.outcomes(id);
  return outcomes
    .map((outcome) => ({ key: unitKey(outcome), ...outcome, elapsed: 0, batchId: '' }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
};

describe('a batch of paid workers', () => {
  it('runs and grades every unit once, without repeated calls', async () => {
    const world = new World();
    await world.add();
    const progress = await runToEnd(openPage(world));
    expect(progress).toMatchObject({ status: 'finished', units: 12, done: 12, graded: 12, right: 12, failed: 0 });
    const calls = (await world.batches.outcomes('batch')).reduce((sum, each) => sum + each.calls, 0);
    expect(world.calls).toHaveLength(calls);
    for (const { events } of await world.runs()) expectStepsOnce(events);
    expect(progress.usd).toBeCloseTo(calls * CALL_COST);
  });

  it('does not start while Private is on, but starts after Private is turned off', async () => {
    const world = new World();
    await world.add();
    const message = expect.stringMatching(/^Private is on, and .+ runs on a server\. Turn Private off to run/);
    const { runner } = openPage(world, { isPrivate: true });
    await expect(runner.start('batch')).rejects.toMatchObject({ fault: { code: 'no-workers', message } });
    await expect(runner.retryFailed('batch')).rejects.toMatchObject({ fault: { code: 'no-workers' } });
    expect(world.calls).toEqual([]);
    expect(await runToEnd(openPage(world))).toMatchObject({ status: 'finished', failed: 0 });
  });

  it('records the batch and the verdict in each run', async () => {
    const world = new World();
    await world.add();
    await runToEnd(openPage(world));
    for (const { run } of await world.runs()) {
      expect(run.batch).toMatchObject({ id: 'batch', dataset: 'puzzles', repeat: 0 });
      expect(run.grade).toMatchObject({ correct: true, by: 'grader' });
    }
  });

  it('uses the same seed for all methods on a task, and a different seed for each repeat', async () => {
    const world = new World(exactTasks(1));
    await world.add({ repeats: 2 });
    await runToEnd(openPage(world));
    const seeds = (await world.runs()).map(({ run }) => `${run.batch?.repeat} ${run.seed}`);
    expect(seeds).toHaveLength(6);
    expect(new Set(seeds).size).toBe(2);
  });

  it('runs only the units of its shard, so that two shards run every unit once', async () => {
    const world = new World();
    await world.add();
    const isFirst = ({ taskId }: Unit) => taskId < 'task-1';
    const first = await runToEnd(openPage(world, { isOwn: isFirst }));
    expect(first).toMatchObject({ status: 'finished', units: 3, done: 3 });
    const second = openPage(world, { isOwn: (unit) => !isFirst(unit) });
    expect(await second.runner.progress('batch')).toMatchObject({ status: 'paused', units: 9, done: 0 });
    expect(await runToEnd(second)).toMatchObject({ status: 'finished', units: 9, done: 9 });
    const alone = new World();
    await alone.add();
    await runToEnd(openPage(alone));
    expect(await table(world)).toEqual(await table(alone));
    expect(world.calls.toSorted()).toEqual(alone.calls.toSorted());
  });

  it('lets current runs finish when it is paused, and resumes later', async () => {
    const world = new World();
    await world.add();
    const page = openPage(world);
    const live = await page.runner.start('batch');
    live.subscribe(({ done }) => done >= 2 && live.pause());
    const paused = await live.done;
    expect(paused).toMatchObject({ status: 'paused', running: 0, fault: null });
    expect(paused.done).toBeGreaterThanOrEqual(2);
    expect(paused.done).toBeLessThan(12);
    expect(paused.failed).toBe(0);
    expect(page.runner.live('batch')).toBeNull();
    expect((await page.runner.progress('batch')).status).toBe('paused');
    expect(await runToEnd(page)).toMatchObject({ status: 'finished', done: 12, right: 12 });
    expect(world.calls).toHaveLength(20);
  });

  it('resumes runs that were stopped, without repeating finished steps', async () => {
    const world = new World();
    await world.add();
    const page = openPage(world);
    const live = await page.runner.start('batch');
    live.subscribe(({ running, done }) => running > 0 && done >= 1 && live.stop());
    const stopped = await live.done;
    expect(stopped.status).toBe('paused');
    expect(stopped.failed).toBe(0);
    expect(await runToEnd(page)).toMatchObject({ status: 'finished', done: 12, right: 12, failed: 0 });
    for (const { events } of await world.runs()) expectStepsOnce(events);
  });

  it('does not start in a second tab while it runs', async () => {
    const world = new World();
    await world.add();
    const live = await openPage(world).runner.start('batch');
    await expect(openPage(world).runner.start('batch')).rejects.toMatchObject({ fault: { code: 'run-busy' } });
    expect((await openPage(world).runner.progress('batch')).status).toBe('running');
    await live.done;
  });

  it('estimates the same maximum cost as a calculation by hand', async () => {
    const world = new World(exactTasks(1));
    const { plan } = await world.add();
    const highs: (number | undefined)[] = [];
    for (const method of plan.methods) {
      const estimate = await openPage(world).runner.estimate({ ...plan, methods: [method] }, null, never());
      highs.push(estimate.usd?.high);
    }
    // Input costs $20 a million tokens, and output $40. An answer has at most 100 tokens, which cost $0.004.
    // A single worker reads the question (5 tokens), its subtask (17) and the wording around them (250). The
    // estimate doubles these 272 tokens, in case the worker's tokenizer is less efficient. 544 tokens cost
    // $0.01088.
    const alone = 0.010_88 + 0.004;
    // The aggregator of the Mixture of Agents reads the question (5), its subtask (27), the wording (250), and two answers
    // (200) with their subtasks (34) and frames (120). Twice that is 1,272 tokens: $0.02544.
    const aggregator = 0.025_44 + 0.004;
    expect(highs[0]).toBeCloseTo(alone, 10);
    expect(highs[1]).toBeCloseTo(alone, 10);
    expect(highs[2]).toBeCloseTo(2 * alone + aggregator, 10);
    // The budget covers the maximum cost of any single run, but not that of all 12 runs.
    expect(BUDGET).toBeGreaterThan(2 * alone + aggregator);
    expect(BUDGET).toBeLessThan(4 * (4 * alone + aggregator));
  });

  it('pauses before a run that could exceed the budget of the batch', async () => {
    const world = new World();
    await world.add({ usd: BUDGET, concurrency: 1 });
    const paused = await runToEnd(openPage(world));
    expect(paused.status).toBe('paused');
    expect(paused.fault?.message).toMatch(/budget of \$0\.15/);
    expect(paused.usd).toBeGreaterThan(0);
    expect(paused.usd).toBeLessThanOrEqual(BUDGET);
  });

  it('keeps parallel runs within its budget', async () => {
    const world = new World();
    await world.add({ usd: BUDGET, concurrency: 8 });
    const paused = await runToEnd(openPage(world));
    expect(paused.status).toBe('paused');
    expect(paused.usd).toBeGreaterThan(0);
    expect(paused.usd).toBeLessThanOrEqual(BUDGET);
  });

  it('counts failed runs separately from wrong answers, and retries only failed runs', async () => {
    const world = new World();
    await world.add();
    const broken = openPage(world, {
      answer: (id) => {
        if (id === 'ash') throw new FaultError(fault('unauthorized', 'The key is wrong.'));
        return 'no';
      },
    });
    const failed = await runToEnd(broken);
    expect(failed).toMatchObject({ status: 'finished', done: 12, right: 0 });
    expect(failed.failed).toBeGreaterThan(0);
    expect(failed.graded).toBe(12 - failed.failed);
    const before = world.calls.length;
    const again = await (await openPage(world).runner.retryFailed('batch')).done;
    expect(again).toMatchObject({ status: 'finished', done: 12, failed: 0, right: failed.failed });
    expect(world.calls.slice(before).length).toBeGreaterThan(0);
    for (const { events } of await world.runs()) expectStepsOnce(events);
  });

  it('keeps the failed outcomes if a retry can’t start because the dataset is missing', async () => {
    const world = new World(exactTasks(1));
    await world.add();
    const answer = (): string => {
      throw new FaultError(fault('bad-request', 'No.'));
    };
    expect(await runToEnd(openPage(world, { answer }))).toMatchObject({ failed: 3 });
    await world.datasets.remove('puzzles');
    await expect(openPage(world).runner.retryFailed('batch')).rejects.toMatchObject({
      fault: { code: 'run-missing', message: expect.stringContaining('Import the same table again') as string },
    });
    expect(await world.batches.outcomes('batch')).toHaveLength(3);
    expect((await openPage(world).runner.progress('batch')).usd).toBe(0);
  });

  it('continues after grader errors and ungradable tasks, and counts the two separately', async () => {
    const world = new World();
    await world.add();
    const graders = {
      ...EXACT,
      graderFor: (...given: Parameters<typeof EXACT.graderFor>) => {
        const [, profile] = given;
        if (profile !== 'strict') return null;
        return {
          grade: async ({ question }: { question: string }) => {
            if (question.includes('0')) throw new Error('It broke.');
            return { correct: true, detail: 'Right.' };
          },
        };
      },
      checkGradable: async ({ question }: { question: string }) =>
        question.includes('1') ? fault('not-gradable', 'The solution fails here.') : null,
    };
    const progress = await runToEnd(openPage(world, { graders }));
    expect(progress).toMatchObject({ status: 'finished', failed: 3, notGradable: 3, right: 6 });
    const calls = world.calls.length;
    // The runs have their answers, so only the graders run again.
    expect(await (await openPage(world).runner.retryFailed('batch')).done).toMatchObject({ failed: 0, right: 9 });
    expect(world.calls).toHaveLength(calls);
  });

  it('deletes the outcome of a single failed unit when its retry starts', async () => {
    const world = new World(exactTasks(1));
    await world.add();
    let answers = 0;
    const answer = () => {
      if (answers++ > 0) return 'yes';
      throw new FaultError(fault('unauthorized', 'The key is wrong.'));
    };
    expect(await runToEnd(openPage(world, { answer }))).toMatchObject({ failed: 1, right: 2 });
    const live = await openPage(world).runner.retryFailed('batch');
    expect((await world.batches.outcomes('batch')).map(({ status }) => status)).toEqual(['graded', 'graded']);
    expect(await live.done).toMatchObject({ failed: 0, right: 3 });
  });

  it('makes no calls for a unit that another batch has already run', async () => {
    const world = new World();
    await world.add();
    await runToEnd(openPage(world));
    const calls = world.calls.length;
    await world.add({}, 'other');
    expect((await openPage(world).runner.estimate((await world.add({}, 'other')).plan, 'other', never())).known).toBe(
      12,
    );
    expect(await runToEnd(openPage(world), 'other')).toMatchObject({ status: 'finished', right: 12, usd: 0 });
    expect(world.calls).toHaveLength(calls);
  });

  it('charges a retry to the batch that requested it, even if another batch started the run', async () => {
    const world = new World(exactTasks(2));
    await world.add();
    const answer = () => {
      throw new FaultError(fault('unauthorized', 'The key is wrong.'));
    };
    await runToEnd(openPage(world, { answer }));
    await world.add({}, 'other');
    expect(await runToEnd(openPage(world), 'other')).toMatchObject({ failed: 6, usd: 0 });
    const before = world.calls.length;
    const retried = await (await openPage(world).runner.retryFailed('other')).done;
    expect(retried).toMatchObject({ status: 'finished', right: 6, failed: 0 });
    const cost = (world.calls.length - before) * CALL_COST;
    expect(cost).toBeGreaterThan(0);
    expect(retried.usd).toBeCloseTo(cost);
    // These calls count for the other batch, also after a reload, and not for the first batch.
    expect((await openPage(world).runner.progress('other')).usd).toBeCloseTo(cost);
    expect((await (await openPage(world).runner.retryFailed('batch')).done).usd).toBe(0);
  });

  it('keeps the verdict and cost of a run that is deleted before its grade is recorded', async () => {
    const world = new World(exactTasks(1));
    await world.add();
    const page = openPage(world);
    page.runs.grade = async () => {
      throw new FaultError(fault('run-missing', 'This run no longer exists.'));
    };
    const progress = await runToEnd(page);
    expect(progress).toMatchObject({ status: 'finished', right: 3, failed: 0 });
    expect(progress.usd).toBeCloseTo(world.calls.length * CALL_COST);
  });

  it('executes equal runs only once if two batches need them at the same time', async () => {
    const alone = new World();
    await alone.add();
    await runToEnd(openPage(alone));
    const world = new World();
    await world.add({ concurrency: 4 });
    await world.add({ concurrency: 4 }, 'other');
    const page = openPage(world);
    const both = await Promise.all([runToEnd(page), runToEnd(page, 'other')]);
    for (const progress of both) expect(progress).toMatchObject({ status: 'finished', right: 12, failed: 0 });
    expect(world.calls).toHaveLength(alone.calls.length);
  });

  it('lets equal methods share their runs', async () => {
    const world = new World();
    const [first] = paidMethods();
    if (!first) throw new Error('There are no methods.');
    await world.add({ methods: [first, { ...first, id: 'copy', label: 'A copy' }], concurrency: 4 });
    expect(await runToEnd(openPage(world))).toMatchObject({ status: 'finished', done: 8, right: 8 });
    expect(world.calls).toHaveLength(4);
  });

  it('finishes while outcomes wait for the user’s grade, and stores that grade later', async () => {
    const world = new World(exactTasks(1).map((task) => ({ ...task, grader: 'person' as const })));
    await world.add();
    const page = openPage(world);
    expect(await runToEnd(page)).toMatchObject({ status: 'finished', waiting: 3, graded: 0 });
    const [outcome] = await world.batches.outcomes('batch');
    if (!outcome) throw new Error('There is no outcome.');
    await page.runner.grade('batch', outcome, true);
    expect(await page.runner.progress('batch')).toMatchObject({ waiting: 2, graded: 1, right: 1 });
    expect((await world.runs()).filter(({ run }) => run.grade?.by === 'person')).toHaveLength(1);
  });

  it('rejects the user’s grade of an outcome that does not wait for a grade, and changes nothing', async () => {
    const world = new World(exactTasks(1));
    await world.add();
    const page = openPage(world);
    await runToEnd(page);
    const outcomes = await world.batches.outcomes('batch');
    const [outcome] = outcomes;
    if (!outcome) throw new Error('There is no outcome.');
    await expect(page.runner.grade('batch', outcome, false)).rejects.toMatchObject({
      fault: { code: 'nothing-to-grade' },
    });
    expect(await world.batches.outcomes('batch')).toEqual(outcomes);
    expect((await world.runs()).filter(({ run }) => run.grade?.by === 'person')).toHaveLength(0);
  });

  it('gives the same results after many crashes, without repeating finished steps', async () => {
    const whole = new World(exactTasks(2));
    await whole.add();
    await runToEnd(openPage(whole));
    const expected = await table(whole);
    // A page makes progress if a call returns before the page crashes, because finished steps are kept. Resuming
    // and planning two parallel runs emits up to 20 events before the first call returns, so these pages crash
    // after 20 events or more. The next two tests crash pages earlier.
    for (const crashAfter of [20, 25, 40, 60]) {
      const world = new World(exactTasks(2));
      await world.add();
      for (let crashes = 0; ; crashes++) {
        expect(crashes).toBeLessThan(100);
        if (await livesToEnd(openPage(world, { crashAfter }))) break;
      }
      expect(figuresOf(await table(world))).toEqual(figuresOf(expected));
      for (const { events } of await world.runs()) expectStepsOnce(events);
    }
  });

  it.each([1, 4])(
    'finishes at least one more step in each page in which a call returns, with %i parallel runs',
    async (concurrency) => {
      const world = new World(exactTasks(2));
      await world.add({ concurrency });
      for (let before = 0; ;) {
        if (await livesToEnd(openPage(world, { crashAt: ({ type }) => type === 'step-finished' }))) break;
        const finished = await finishedSteps(world);
        expect(finished).toBeGreaterThan(before);
        before = finished;
      }
      // For each of the two tasks, the two single workers take one step each, and the Mixture of Agents takes
      // three.
      expect(await finishedSteps(world)).toBe(10);
      for (const { events } of await world.runs()) expectStepsOnce(events);
    },
  );

  it('gives the same results after many pages that crashed before their first call', async () => {
    const whole = new World(exactTasks(2));
    await whole.add();
    await runToEnd(openPage(whole));
    const world = new World(exactTasks(2));
    await world.add();
    for (let crashes = 0; crashes < 10; crashes++) {
      expect(await livesToEnd(openPage(world, { crashAfter: 1 + crashes }))).toBe(false);
    }
    // The crashed pages added events to these runs, but paid for no call.
    expect(world.calls).toEqual([]);
    expect(await runToEnd(openPage(world))).toMatchObject({ status: 'finished', done: 6, right: 6 });
    expect(figuresOf(await table(world))).toEqual(figuresOf(await table(whole)));
    expect(world.calls.length).toBe(whole.calls.length);
  });
});

/** Runs the batch in a page that may crash. @returns whether it reached the end of the batch */
async function livesToEnd(page: ReturnType<typeof openPage>): Promise<boolean> {
  const live = await page.runner.start('batch');
  const isDone = await Promise.race([live.done.then(() => true), page.crashed.then(() => false)]);
  page.close();
  return isDone;
}

/** The parts of an outcome that don't depend on when its run was interrupted. */
function figuresOf(found: Awaited<ReturnType<typeof table>>) {
  return found.map(({ key, status, verdicts, steps, rounds }) => ({ key, status, verdicts, steps, rounds }));
}

async function finishedSteps(world: World): Promise<number> {
  const runs = await world.runs();
  return runs.flatMap(({ events }) => events).filter(({ type }) => type === 'step-finished').length;
}

function never(): AbortSignal {
  return new AbortController().signal;
}

/** Checks that every step finished at most once and was not called afterwards. */
function expectStepsOnce(events: readonly RunEvent[]): void {
  const finished = new Set<string>();
  for (const event of events) {
    if (event.type !== 'step-started' && event.type !== 'step-finished') continue;
    const step = `${event.round}/${event.step}`;
    expect(finished).not.toContain(step);
    if (event.type === 'step-finished') finished.add(step);
  }
}
