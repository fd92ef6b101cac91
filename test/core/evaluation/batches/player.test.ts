import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  foldEvents,
  unitKey,
  type Batch,
  type BatchPlan,
  type Outcome,
} from '../../../../src/core/contract';
import { isPlayable } from '../../../../src/core/evaluation/batches/player';
import { unitsOf } from '../../../../src/core/evaluation/batches/units';
import { keepingAnswers, KeptAnswers } from '../../../../src/core/evaluation/recorded/recorded-answers';
import { createRecordedWorkers } from '../../../../src/core/evaluation/recorded/recorded-worker';
import { graderFor } from '../../../../src/core/graders/grader-for';
import { createMemoryBatchStore, createMemoryDatasetStore } from '../../../fixtures/evaluation/memory-stores';
import {
  addDataset,
  batchOf,
  memoryRuns,
  methodSettings,
  practiceConductor,
  practiceMethods,
  practicePlayer,
  practiceTasks,
} from '../../../fixtures/evaluation/practice';
import { recordedPoolWorkers } from '../../../../src/core/evaluation/recorded/recorded-pool';
import { LINES, tableOf as recordedTable } from '../recorded/table';
import { singleWorkerMethods } from '../../../fixtures/evaluation/template-methods';

async function setUp(count = 10) {
  const tasks = practiceTasks(count);
  const datasets = createMemoryDatasetStore();
  const batch = batchOf(await addDataset(datasets, tasks), tasks);
  const batches = createMemoryBatchStore();
  const store = memoryRuns();
  return { batch, batches, store, datasets, player: practicePlayer({ datasets, batches, store }) };
}

async function playAll(
  { player }: Pick<Awaited<ReturnType<typeof setUp>>, 'player'>,
  batch: Batch,
  units = unitsOf(batch.plan),
) {
  const outcomes: Outcome[] = [];
  for await (const some of player.play(batch, units, { history: [] }, new AbortController().signal))
    outcomes.push(...some);
  return outcomes.toSorted((one, other) => (unitKey(one) < unitKey(other) ? -1 : 1));
}

describe('running a batch on virtual time (with a clock that skips pauses)', () => {
  it('gives exactly the same outcomes and events each time', async () => {
    const [one, other] = [await setUp(), await setUp()];
    expect(await playAll(one, one.batch)).toEqual(await playAll(other, other.batch));
    expect([...one.store.runs.values()]).toEqual([...other.store.runs.values()]);
  });

  it('stores a finished, graded run and an outcome for each task and method', async () => {
    const world = await setUp(5);
    const outcomes = await playAll(world, world.batch);
    expect(outcomes).toHaveLength(5 * practiceMethods().length);
    expect(await world.batches.outcomes(world.batch.id)).toHaveLength(outcomes.length);
    for (const outcome of outcomes) {
      const run = foldEvents(world.store.runs.get(outcome.runId ?? '') ?? []);
      expect(run).toMatchObject({ status: 'finished', batch: { id: 'batch' }, grade: { by: 'grader' } });
      expect(run?.grade?.correct).toBe(outcome.verdicts.strict?.correct);
      expect(outcome).toMatchObject({ status: 'graded', usd: 0, elapsed: run?.time });
      expect(outcome.elapsed).toBeGreaterThan(500);
      expect(outcome.steps.length).toBe(run?.rounds[0]?.steps.length);
    }
  });

  it('records in each run how far it trusts its checks, by the rules of the method and the history of the batch', async () => {
    const world = await setUp(20);
    const rules = { bound: 0.85, goOnShare: 0.5 };
    const [method, other] = practiceMethods(methodSettings({ skipSettled: true }));
    if (!method || !other) throw new Error('no methods');
    const plan = { ...world.batch.plan, methods: [{ ...method, trustRules: rules }, other] };
    const [solver = '', checker = ''] = method.settings.pool.map(({ id }) => id);
    const check = { checker, solver, verdict: 'right', isRight: true } as const;
    const earlier = { runId: 'r', startedAt: 0, question: 'Solve it.', right: true, played: [], checks: [check] };
    const units = unitsOf(plan);
    const given = { history: [earlier] };
    for await (const _ of world.player.play({ ...world.batch, plan }, units, given, new AbortController().signal));
    const runs = [...world.store.runs.values()].flatMap((events) => foldEvents(events) ?? []);
    const trusts = (id: string) => runs.flatMap(({ batch, trust }) => (batch?.method === id ? [trust] : []));
    expect(trusts(other.id)).toEqual(Array.from({ length: 20 }, () => undefined));
    expect(trusts(method.id).map((trust) => trust?.bound)).toEqual(Array.from({ length: 20 }, () => 0.85));
    expect(trusts(method.id)[0]?.checkers).toHaveProperty([checker]);
    const going = trusts(method.id).filter((trust) => trust?.goesOn).length;
    expect(going).toBeGreaterThan(3);
    expect(going).toBeLessThan(17);
  });

  it('trusts checks by the measurements of the plan, without any history', async () => {
    const world = await setUp(3);
    const [method] = practiceMethods(methodSettings({ skipSettled: true }));
    if (!method) throw new Error('no methods');
    const checker = method.settings.pool[1]?.id ?? '';
    const verdicts = { right: 10, wrong: 2, unsure: 0 };
    const measuredChecks = [{ checker, domain: 'maths' as const, right: verdicts, wrong: verdicts }];
    const methods = [{ ...method, trustRules: { bound: 0.85, goOnShare: 0 } }];
    const played = async (more: Partial<BatchPlan>) => {
      const batch = { ...world.batch, plan: { ...world.batch.plan, methods, ...more } };
      const given = { history: [] };
      for await (const _ of world.player.play(batch, unitsOf(batch.plan), given, new AbortController().signal));
      return new Map([...world.store.runs].map(([id, events]) => [id, foldEvents(events)?.trust]));
    };
    const before = await played({});
    expect([...before.values()].flatMap((trust) => Object.keys(trust?.checkers ?? {}))).toEqual([]);
    const all = await played({ measuredChecks });
    // Runs of a plan without measurements are not reused.
    expect(all.size).toBe(2 * before.size);
    const trusts = [...all].flatMap(([id, trust]) => (before.has(id) ? [] : [trust]));
    expect(trusts.length).toBe(3);
    for (const trust of trusts) expect(trust?.checkers[checker]?.ofWrong.right).toBeGreaterThan(0);
  });

  it('stores plain subtasks in the runs of a method with the plain-subtasks ablation', async () => {
    const world = await setUp(5);
    await playAll(world, world.batch);
    const method = world.batch.plan.methods.find(({ ablation }) => ablation?.plainSubtasks);
    const runs = [...world.store.runs.values()].flatMap((events) => foldEvents(events) ?? []);
    const changed = runs.filter(({ batch }) => batch?.method === method?.id);
    expect(changed).toHaveLength(5);
    const subtasks = changed.flatMap(({ rounds }) =>
      rounds.flatMap(({ steps }) => steps.map(({ step }) => step.subtask)),
    );
    expect(new Set(subtasks)).toEqual(new Set(['Solve the user question.']));
  });

  it('fails every task of a method whose Conductor is missing, and no task of other methods', async () => {
    const { batch, batches, store, datasets } = await setUp(5);
    const missing = batch.plan.methods.find(({ settings }) => settings.conductor.kind === 'template')?.id;
    const message = 'The Conductor is no longer available.';
    const player = practicePlayer({
      datasets,
      batches,
      store,
      conductorFor: (info) => {
        if (info.id === missing) throw new FaultError(fault('worker-missing', message));
        return practiceConductor(info);
      },
    });
    const outcomes = await playAll({ player }, batch);
    const failed = outcomes.filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(5);
    for (const each of failed) {
      expect(batch.plan.methods[each.method]?.id).toBe(missing);
      expect(each).toMatchObject({ usd: 0, fault: { code: 'worker-missing', message } });
      expect(each.runId).toBeUndefined();
    }
    expect(outcomes).toHaveLength(5 * batch.plan.methods.length);
  });

  it('gives the same outcomes after an interruption, without repeating stored runs', async () => {
    const whole = await setUp(12);
    const expected = await playAll(whole, whole.batch);
    const world = await setUp(12);
    const units = unitsOf(world.batch.plan);
    // Simulates a page that is closed after it has stored the last runs, but before it stores their outcomes.
    await playAll(world, world.batch, units.slice(0, 50));
    await world.batches.removeOutcomes('batch', units.slice(40, 50));
    const before = world.store.runs.size;
    await playAll(world, world.batch, units.slice(40));
    const found = await world.batches.outcomes('batch');
    expect(found.toSorted((one, other) => (unitKey(one) < unitKey(other) ? -1 : 1))).toEqual(expected);
    expect(world.store.runs.size).toBe(whole.store.runs.size);
    expect(before).toBeLessThan(whole.store.runs.size);
  });

  it('runs a task once for all methods with equal settings, even while earlier runs are being stored', async () => {
    const { batch, batches, store, datasets } = await setUp(30);
    const [first] = batch.plan.methods;
    if (!first) throw new Error('There are no methods.');
    const copies = ['one', 'two', 'three'].map((id) => ({ ...first, id }));
    const added: string[] = [];
    const slow = {
      ...store,
      addRuns: async (runs: Parameters<typeof store.addRuns>[0]) => {
        added.push(...runs.map(([started]) => started?.runId ?? ''));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await store.addRuns(runs);
      },
    };
    const player = practicePlayer({ datasets, batches, store: slow });
    const plan = { ...batch.plan, methods: copies };
    // The player stores runs in groups, and one group ends between two methods of the same task.
    expect(await playAll({ player }, { ...batch, plan })).toHaveLength(90);
    expect(added).toHaveLength(30);
    expect(new Set(added).size).toBe(30);
  });

  it('reuses the runs of a batch with the same tasks and methods', async () => {
    const world = await setUp(3);
    await playAll(world, world.batch);
    const runs = world.store.runs.size;
    const outcomes = await playAll(world, { ...world.batch, id: 'other', createdAt: 1 });
    expect(outcomes.every(({ isReused }) => isReused)).toBe(true);
    expect(world.store.runs.size).toBe(runs);
  });
});

describe('the list of a batch’s units (a unit is one task with one method)', () => {
  it('contains every unit once, with all methods of a task next to each other', async () => {
    const { batch } = await setUp(10);
    const units = unitsOf({ ...batch.plan, repeats: 2 });
    const count = batch.plan.methods.length;
    expect(new Set(units.map(unitKey)).size).toBe(10 * 2 * count);
    expect(units).toHaveLength(10 * 2 * count);
    for (let from = 0; from < units.length; from += count) {
      const some = units.slice(from, from + count);
      expect(new Set(some.map(({ method }) => method)).size).toBe(count);
      expect(new Set(some.map(({ taskId }) => taskId)).size).toBe(1);
    }
  });
});

describe('running a batch of recorded workers on virtual time', () => {
  it('replays each answer with its recorded score, cost and time', async () => {
    const { tasks, workers: names } = recordedTable(LINES);
    const workers = recordedPoolWorkers(names, { id: 'made-up', name: 'Made-up' });
    const recorded = createMemoryDatasetStore();
    const dataset = await addDataset(recorded, tasks, 'made-up');
    const batch = batchOf(dataset, tasks, { methods: singleWorkerMethods(methodSettings({ pool: workers })) });
    const batches = createMemoryBatchStore();
    const answers = new KeptAnswers();
    const player = practicePlayer({
      datasets: keepingAnswers(recorded, answers),
      batches,
      store: memoryRuns(),
      graders: { graderFor: (kind, profile) => graderFor(kind, profile), checkGradable: async () => null },
      workersOn: (clock) => {
        const client = createRecordedWorkers({ clock, answers });
        return () => client;
      },
    });
    const outcomes: Outcome[] = [];
    for await (const some of player.play(batch, unitsOf(batch.plan), { history: [] }, new AbortController().signal)) {
      outcomes.push(...some);
    }
    const of = (method: number, taskId: string) =>
      outcomes.find((outcome) => outcome.method === method && outcome.taskId === taskId);
    expect(of(0, 'a')).toMatchObject({ status: 'graded', verdicts: { strict: { correct: true } }, usd: 0.002 });
    expect(of(0, 'a')?.elapsed).toBeGreaterThanOrEqual(800);
    expect(of(0, 'b')).toMatchObject({ status: 'graded', verdicts: { strict: { correct: false } } });
    expect(of(1, 'c')).toMatchObject({ status: 'failed', fault: { code: 'question-unreadable' } });
  });

  it('is possible if recorded scores grade the answers, but not if a judge grades them', () => {
    const workers = recordedPoolWorkers(['lynx', 'wren'], { id: 'made-up', name: 'Made-up' });
    const [method] = singleWorkerMethods(methodSettings({ pool: workers }));
    expect(method && isPlayable(method, ['recorded'])).toBe(true);
    expect(method && isPlayable(method, ['judge'])).toBe(false);
  });
});
