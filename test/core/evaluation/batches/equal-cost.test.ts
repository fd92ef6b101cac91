import { describe, expect, it } from 'vitest';
import { seededRandom, type BatchPlan, type Method, type Outcome } from '../../../../src/core/contract';
import { drawnSteps, MOST_ANSWERS } from '../../../../src/core/conductor/equal-calls';
import {
  ControlBudgets,
  controlSettings,
  equalCostControl,
  mixControl,
  thinkingControl,
} from '../../../../src/core/evaluation/batches/equal-cost';
import { resultsTable } from '../../../../src/core/evaluation/tables/results-table';
import { storedBatch } from '../../../fixtures/evaluation/batches';
import { isSingleWorker } from '../../../../src/core/evaluation/statistics/single-workers';
import { CALL_COST, exactTasks, openPage, paidMethods, World } from './world';

/** How often each step limit is drawn, of 4,000 draws. */
function drawn(calls: number): Record<string, number> {
  const random = seededRandom(3);
  const counts: Record<string, number> = {};
  for (let draw = 0; draw < 4_000; draw++) {
    const steps = String(drawnSteps(calls, random));
    counts[steps] = (counts[steps] ?? 0) + 1;
  }
  return counts;
}

describe('the number of calls of a control', () => {
  it('is an odd number of answers, whose mean is what the budget buys', () => {
    // A step limit of n + 1 allows a vote of n, see `templates/vote.ts`.
    const counts = drawn(5.6);
    expect(Object.keys(counts)).toEqual(['6', '8']);
    expect((5 * (counts['6'] ?? 0) + 7 * (counts['8'] ?? 0)) / 4_000).toBeCloseTo(5.6, 1);
    expect(drawn(3)).toEqual({ '4': 4_000 });
    expect(drawn(4)).toEqual({ '4': expect.closeTo(2_000, -2), '6': expect.closeTo(2_000, -2) });
  });

  it('is one answer, or one that is checked and repaired, below three calls', () => {
    expect(drawn(1)).toEqual({ '1': 4_000 });
    const counts = drawn(2.5);
    expect(Object.keys(counts)).toEqual(['1', '3']);
    expect(counts['3']).toBeCloseTo(3_000, -2);
  });

  it('is none below one call, and has a maximum', () => {
    expect(drawn(0.99)).toEqual({ null: 4_000 });
    expect(drawn(MOST_ANSWERS)).toEqual({ [MOST_ANSWERS + 1]: 4_000 });
    expect(drawn(Infinity)).toEqual({ [MOST_ANSWERS + 1]: 4_000 });
  });
});

/** A plan with the workers ash and oak alone, a Mixture of Agents, and its two controls. */
function plan(): BatchPlan {
  const methods = paidMethods();
  const compared = methods.find((method) => !isSingleWorker(method));
  if (!compared) throw new Error('There is no method to compare.');
  const dataset = { id: 'd', name: 'D', revision: 'r', isConfidential: false, taskIds: ['a', 'b', 'c', 'd'] };
  return {
    datasets: [dataset],
    methods: [...methods, equalCostControl(compared), equalCostControl(compared, true)],
    repeats: 1,
    seed: 1,
    history: 'none',
    judge: null,
    usd: null,
    concurrency: 1,
  };
}

const [ASH, OAK, MIXED, CONTROL, MATCHED] = [0, 1, 2, 3, 4];

function outcome(method: number, taskId: string, usd: number, correct: boolean, more: Partial<Outcome> = {}): Outcome {
  const verdicts = { strict: { correct, detail: '' } };
  const place = { batchId: 'batch', dataset: 0, repeat: 0, status: 'graded', verdicts, format: null } as const;
  const used = { steps: [], rounds: 1, calls: 1, inputTokens: 1, outputTokens: 1, elapsed: 1 };
  return { ...place, ...used, method, taskId, usd, ...more };
}

const unit = (method: number, taskId: string) => ({ dataset: 0, method, taskId, repeat: 0 });

describe('the budget of a control', () => {
  const outcomes = [
    ...['a', 'b', 'c', 'd'].map((task) => outcome(ASH, task, 0.01, task !== 'a')),
    ...['a', 'b', 'c', 'd'].map((task) => outcome(OAK, task, 0.02, false)),
    outcome(MIXED, 'a', 0.3, true),
    outcome(MIXED, 'b', 0.05, true),
    outcome(MIXED, 'c', 0.05, true),
    outcome(MIXED, 'd', 0.08, true),
  ];
  const budgets = new ControlBudgets(plan(), outcomes);

  it('depends only on other tasks', () => {
    // Without task a: ash solves 3 of 3 tasks for $0.01, and the method costs ($0.05 + $0.05 + $0.08) / 3.
    expect(budgets.of(unit(CONTROL, 'a'))).toEqual({ worker: 'ash', calls: expect.closeTo(6) });
    for (const [usd, correct] of [
      [99, false],
      [0, true],
    ] as const) {
      const others = outcomes.filter(({ taskId }) => taskId !== 'a');
      const own = [ASH, OAK, MIXED].map((method) => outcome(method, 'a', usd, correct !== (method === ASH)));
      const changed = new ControlBudgets(plan(), [...others, ...own]);
      expect(changed.of(unit(CONTROL, 'a'))).toEqual({ worker: 'ash', calls: expect.closeTo(6) });
    }
  });

  it('is for the worker that is best on a half of the other tasks', () => {
    // Only oak solves a task, which is task d. For task d itself, both are equal, and the first method wins.
    const once = outcomes.map((each) => {
      const correct = each.method === OAK && each.taskId === 'd';
      return { ...each, verdicts: { strict: { correct, detail: '' } } };
    });
    const workers = ['a', 'b', 'c', 'd'].map(
      (task) => new ControlBudgets(plan(), once).of(unit(CONTROL, task))?.worker,
    );
    expect(workers.at(-1)).toBe('ash');
    expect(workers).toContain('oak');
  });

  it('is the cost on the task itself if it is matched, but at least one call', () => {
    expect(budgets.of(unit(MATCHED, 'a'))?.calls).toBeCloseTo(30);
    expect(budgets.of(unit(MATCHED, 'd'))?.calls).toBeCloseTo(8);
    const cheap = outcomes.map((each) => (each.method === MIXED ? { ...each, usd: 0.001 } : each));
    expect(new ControlBudgets(plan(), cheap).of(unit(MATCHED, 'a'))?.calls).toBe(1);
    expect(new ControlBudgets(plan(), cheap).of(unit(CONTROL, 'a'))?.calls).toBeCloseTo(0.1);
  });

  it('counts calls instead of money if a cost is unknown, or the worker is free', () => {
    const free = outcomes.map((each) => ({ ...each, usd: 0, calls: each.method === MIXED ? 4 : 1 }));
    expect(new ControlBudgets(plan(), free).of(unit(CONTROL, 'a'))?.calls).toBe(4);
    const unpriced = free.map((each) => ({ ...each, usd: 1, unpriced: each.taskId === 'c' ? 1 : 0 }));
    expect(new ControlBudgets(plan(), unpriced).of(unit(CONTROL, 'a'))?.calls).toBe(4);
  });

  it('is unknown without other tasks', () => {
    const only = outcomes.filter(({ taskId }) => taskId === 'a');
    expect(new ControlBudgets(plan(), only).of(unit(CONTROL, 'a'))).toBeNull();
  });
});

describe('the control with the most thinking', () => {
  const [ash, oak, compared] = paidMethods();
  if (!ash || !oak || !compared) throw new Error('There are too few methods.');
  const most = (method: Method): Method => ({
    ...method,
    id: `${method.id} most`,
    settings: { ...method.settings, sampling: { ...method.settings.sampling, mostThinking: true } },
  });
  const thinking: BatchPlan = {
    ...plan(),
    methods: [ash, oak, most(oak), compared, equalCostControl(compared), thinkingControl(compared)],
  };
  const outcomes = ['a', 'b', 'c', 'd'].flatMap((task) => [
    outcome(0, task, 0.01, true),
    outcome(1, task, 0.01, false),
    outcome(2, task, 0.04, true),
    outcome(3, task, 0.2, true),
  ]);
  const budgets = new ControlBudgets(thinking, outcomes);

  it('calls the best worker that thinks the most as often as the cost buys, with that setting', () => {
    expect(budgets.of(unit(4, 'a'))).toEqual({ worker: 'ash', calls: expect.closeTo(20) });
    expect(budgets.of(unit(5, 'a'))).toEqual({ worker: 'oak', calls: expect.closeTo(5) });
    const [plain, control] = [4, 5].map((method) => {
      const own = thinking.methods[method];
      return own && controlSettings(thinking, own, unit(method, 'a'), { grader: 'exact', budgets });
    });
    expect(control).toMatchObject({ maxSteps: 6, sampling: { mostThinking: true }, skipSettled: true });
    expect(plain).not.toHaveProperty('sampling.mostThinking');
  });

  it('is missing if no worker alone thinks the most', () => {
    const without = new ControlBudgets({ ...thinking, methods: thinking.methods.toSpliced(2, 1) }, outcomes);
    expect(without.of(unit(4, 'a'))).toBeNull();
  });

  it('has its own sentence in the results, and the column is that of the other control', () => {
    const tasks = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const many = {
      ...thinking,
      datasets: [{ id: 'd', name: 'D', revision: 'r', isConfidential: false, taskIds: tasks }],
    };
    const all = tasks.flatMap((task, index) => [
      ...[0, 1, 2].map((method) => outcome(method, task, 0.01, index % 2 === 0)),
      outcome(3, task, 0.2, true),
      outcome(4, task, 0.2, index % 2 === 0),
      outcome(5, task, 0.2, index % 3 > 0),
    ]);
    const table = resultsTable(storedBatch('b', { plan: many }), all, { profile: 'strict' });
    expect(table.methods[3]?.equalCost?.mean).toBeCloseTo(0.5);
    expect(table.results[0]?.join(' ')).toContain(
      'With a worker alone that thinks the most, the difference at equal cost is 33.3 ±',
    );
  });
});

describe('the control of recorded workers', () => {
  const tasks = Array.from({ length: 400 }, (_, index) => `t${index}`);
  const compared = paidMethods().find((method) => !isSingleWorker(method)) ?? paidMethods()[0];
  const mixed: BatchPlan = {
    ...plan(),
    datasets: [{ id: 'd', name: 'D', revision: 'r', isConfidential: false, taskIds: tasks }],
    methods: [...paidMethods(), ...(compared ? [mixControl(compared)] : [])],
  };
  /** Ash solves half of the tasks for $0.01 each, oak solves all for $0.03, and the method costs this much. */
  const budgetsAt = (usd: number, more: Partial<Outcome> = {}) =>
    new ControlBudgets(
      mixed,
      tasks.flatMap((task, index) => [
        outcome(ASH, task, 0.01, index % 2 === 0),
        outcome(OAK, task, 0.03, true, more),
        outcome(MIXED, task, usd, true),
      ]),
    );
  const drawnAt = (usd: number) => {
    const random = seededRandom(2);
    const drawn = tasks.map((task) => budgets.get(usd)?.mixed(unit(CONTROL, task), random));
    return drawn.filter((worker) => worker === 'oak').length / tasks.length;
  };
  const budgets = new Map([0.005, 0.01, 0.015, 0.02, 0.05].map((usd) => [usd, budgetsAt(usd)]));

  it('draws the workers so that the mean cost is that of the method', () => {
    expect(drawnAt(0.01)).toBe(0);
    expect(drawnAt(0.015)).toBeCloseTo(0.25, 1);
    expect(drawnAt(0.02)).toBeCloseTo(0.5, 1);
    expect(drawnAt(0.05)).toBe(1);
  });

  it('is missing if all workers cost more, or a cost is unknown', () => {
    expect(budgets.get(0.005)?.mixed(unit(CONTROL, 't0'), seededRandom(1))).toBeNull();
    const unknown = budgetsAt(0.02, { usd: 0, unpriced: 1 });
    expect(unknown.mixed(unit(CONTROL, 't0'), seededRandom(1))).toBeNull();
  });

  it('never uses a worker that costs more and solves less', () => {
    const dear = new ControlBudgets(
      mixed,
      tasks.flatMap((task) => [
        outcome(ASH, task, 0.01, true),
        outcome(OAK, task, 0.03, false),
        outcome(MIXED, task, 0.02, true),
      ]),
    );
    const random = seededRandom(2);
    expect(new Set(tasks.map((task) => dear.mixed(unit(CONTROL, task), random)))).toEqual(new Set(['ash']));
  });

  it('makes one call on each task, after the other methods', async () => {
    const made = new World(exactTasks(6));
    await made.add({ methods: mixed.methods, concurrency: 3 });
    const page = openPage(made, { answer: (worker) => (worker === 'oak' ? 'yes' : 'no') });
    expect(await (await page.runner.start('batch')).done).toMatchObject({ status: 'finished', units: 24, failed: 0 });
    const outcomes = (await made.batches.outcomes('batch')).filter(({ method }) => method === CONTROL);
    expect(outcomes).toHaveLength(6);
    for (const each of outcomes) {
      expect(each).toMatchObject({ status: 'graded', calls: 1, steps: [{ workerId: 'oak' }] });
    }
  });
});

describe('a batch with an equal-cost control', () => {
  /** Adds a batch whose method *Mixture of Agents* makes three calls on each task. */
  async function world(count = 6) {
    const made = new World(exactTasks(count));
    await made.add({ methods: plan().methods.slice(0, 4), concurrency: 3 });
    return made;
  }
  const controls = async (made: World) =>
    (await made.batches.outcomes('batch')).filter(({ method }) => method === CONTROL);

  it('runs the control last, with a vote of the best worker at the cost of the method', async () => {
    const made = await world();
    const page = openPage(made, { answer: (worker) => (worker === 'oak' ? 'yes' : 'no') });
    const progress = await (await page.runner.start('batch')).done;
    expect(progress).toMatchObject({ status: 'finished', units: 24, failed: 0, notGradable: 0 });
    for (const each of await controls(made)) {
      // Three equal answers need no call that chooses.
      expect(each).toMatchObject({ status: 'graded', calls: 3, usd: expect.closeTo(3 * CALL_COST) });
      expect(each.verdicts.strict?.correct).toBe(true);
      expect(each.steps.every(({ workerId }) => workerId === 'oak')).toBe(true);
    }
    const prompts = made.calls.slice(-3 * 6);
    expect(prompts.every((call) => call.startsWith('oak '))).toBe(true);
  });

  it('calls the worker once more to choose between answers that can’t be compared, and counts that call', async () => {
    const made = await world();
    let texts = 0;
    const answer = (_worker: string, prompt: string) =>
      prompt.includes('Choose the one result')
        ? 'yes'
        : `The sea is${' very'.repeat((texts += 1))} wide\nand the sky is high.`;
    await (
      await openPage(made, { answer }).runner.start('batch')
    ).done;
    for (const each of await controls(made)) {
      expect(each).toMatchObject({ status: 'graded', calls: 4, usd: expect.closeTo(4 * CALL_COST) });
      expect(each.verdicts.strict?.correct).toBe(true);
    }
  });

  it('makes the same calls if the page crashes and the batch is resumed', async () => {
    const whole = await world();
    await (
      await openPage(whole).runner.start('batch')
    ).done;
    const events = (await whole.runs()).reduce((sum, run) => sum + run.events.length, 0);
    for (const share of [0.5, 0.8, 0.95]) {
      const made = await world();
      const page = openPage(made, { crashAfter: Math.floor(share * events) });
      void page.runner.start('batch').then(({ done }) => done);
      await page.crashed;
      page.close();
      const next = openPage(made);
      await next.runs.recover();
      expect(await (await next.runner.start('batch')).done).toMatchObject({ status: 'finished', failed: 0 });
      const keys = (outcomes: readonly Outcome[]) => outcomes.map(({ runId, usd }) => `${runId} ${usd}`).toSorted();
      expect(keys(await controls(made))).toEqual(keys(await controls(whole)));
    }
  });

  it('has no run if one call costs more than the method', async () => {
    const made = await world();
    const priced = openPage(made, { costOf: () => CALL_COST });
    await (
      await priced.runner.start('batch')
    ).done;
    // The method becomes cheaper than one call after its runs.
    const cheap = (await made.batches.outcomes('batch')).filter(({ method }) => method === MIXED);
    await made.batches.addOutcomes(cheap.map((each) => ({ ...each, usd: CALL_COST / 2 })));
    await made.batches.removeOutcomes('batch', await controls(made));
    const called = made.calls.length;
    const progress = await (await openPage(made).runner.start('batch')).done;
    expect(progress).toMatchObject({ status: 'finished', failed: 0, notGradable: 6 });
    expect(made.calls).toHaveLength(called);
    const message = 'No equal-cost control. One call to ash costs more than the method.';
    for (const each of await controls(made)) expect(each.fault).toMatchObject({ code: 'not-gradable', message });
  });

  it('is estimated like the method that it is compared with', async () => {
    const made = await world();
    const signal = new AbortController().signal;
    const batch = await made.batches.get('batch');
    if (!batch) throw new Error('There is no batch.');
    const { runner } = openPage(made);
    const both = await runner.estimate(batch.plan, null, signal);
    const without = await runner.estimate({ ...batch.plan, methods: batch.plan.methods.slice(0, 3) }, null, signal);
    const one = await runner.estimate({ ...batch.plan, methods: batch.plan.methods.slice(0, 2) }, null, signal);
    expect(both.units - without.units).toBe(6);
    expect(both.calls.high - without.calls.high).toBe(without.calls.high - one.calls.high);
    expect(both.usd?.high).toBeCloseTo(2 * (without.usd?.high ?? 0) - (one.usd?.high ?? 0));
  });
});
