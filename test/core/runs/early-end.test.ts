/** @file Tests runs that the user ends early: what is offered, what happens, and that they count for no statistics. */
import { describe, expect, it } from 'vitest';
import {
  countedGrade,
  fault,
  mayCount,
  rewardOfSummary,
  summarize,
  type Conductor,
  type PlanEvent,
  type PoolWorker,
  type Run,
  type WorkerDirectory,
  type WorkerEvent,
  type Workflow,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import { createRuns } from '../../../src/core/runs/run-keeper';
import { earlyOffer } from '../../../src/core/runs/early-offer';
import { gradedRunOf } from '../../../src/core/runs/graded-run';
import { rolloutLines } from '../../../src/core/training/export/rollout-export';
import { idle } from '../../fixtures/fake-clock';
import { Browser, currentSetup, hang, newRun, worker } from './scripted';
import { NOTHING_STORED } from '../../fixtures/only-marked';

const STEPS: Workflow['steps'] = [
  { worker: 0, subtask: 'Solve it.', access: [] },
  { worker: 1, subtask: 'Check the result of step 1.', access: [0], role: 'verify' },
  { worker: 2, subtask: 'Combine everything.', access: [0, 1] },
];
const PAID: Partial<PoolWorker> = {
  kind: 'endpoint',
  origin: 'https://api.example.com',
  price: { input: 1, output: 2 },
};

const conductor: Conductor = {
  info: newRun().conductor.info,
  async *propose(): AsyncIterable<PlanEvent> {
    yield { type: 'plan-started', conductor: newRun().conductor.info, messages: [] };
    const nothing = { usage: null, cost: 0, finishReason: null };
    yield { type: 'plan-finished', workflow: { steps: STEPS }, thought: '', text: '', source: 'conductor', ...nothing };
  },
};

/** A page with the real executor. The worker `cedar` never answers its step in the plan. It answers the combining call unless `fails`. */
function page({ hangs = 'cedar', fails = false } = {}) {
  const called: string[] = [];
  const browser = new Browser();
  const workers: WorkerDirectory = ({ id }) => ({
    async *run(messages, _options, signal): AsyncIterable<WorkerEvent> {
      called.push(id);
      const isCombining = messages[0]?.content.includes('ended early') === true;
      if (id === hangs && !isCombining) await hang(signal);
      if (isCombining && fails) yield { type: 'failed', fault: fault('bad-request', 'No.'), usage: null, cost: null };
      yield { type: 'delta', channel: 'content', text: isCombining ? 'combined' : `${id} says 42` };
      yield { type: 'finished', usage: { input: 5, output: 3 }, cost: null, finishReason: 'stop' };
    },
  });
  const runs = createRuns({
    store: browser.store,
    locks: browser.locks.tab(),
    notices: browser.notices.tab(),
    clock: browser.clock,
    workers,
    conductorFor: () => conductor,
    current: () => Promise.resolve(currentSetup({ workers: pool })),
    newId: () => 'run-1',
    newSeed: () => 7,
    execute,
  });
  return { runs, called, store: browser.store };
}

const pool = ['ash', 'birch', 'cedar'].map((id) => worker(id, PAID));

async function startedRun(options: Parameters<typeof page>[0] = {}) {
  const opened = page(options);
  const live = await opened.runs.start(newRun({ conductor, pool }));
  for (let turn = 0; turn < 5; turn++) await idle();
  return { ...opened, live };
}

/** The offer of a run, which must have one. */
function offerOf(run: Run) {
  const offer = earlyOffer(run);
  if (!offer) throw new Error('There is no offer.');
  return offer;
}

describe('the offer to end a run early', () => {
  it('is missing until a step has finished', async () => {
    const { live } = await startedRun({ hangs: 'ash' });
    expect(earlyOffer(live.run)).toBeNull();
    live.answerNow({ round: 0, step: 0 });
    await idle();
    expect(live.run).toMatchObject({ status: 'running', early: null });
    live.stop();
    await live.done;
  });

  it('names the newest answer, not a check, and the price of combining the finished steps', async () => {
    const { live } = await startedRun();
    const { latest, combining } = offerOf(live.run);
    expect(latest).toEqual({ round: 0, step: 0 });
    expect(combining).toMatchObject({ worker: 2, steps: 2 });
    const { low = 0, high = 0 } = combining?.range ?? {};
    expect(low).toBeGreaterThan(0);
    // The output limit of 4096 tokens at $2 per million is the largest part of the maximum.
    expect(high).toBeGreaterThan(0.008);
    expect(high).toBeLessThan(0.012);
    live.stop();
    await live.done;
  });

  it('combines nothing if only one step has finished', async () => {
    const { live } = await startedRun({ hangs: 'birch' });
    expect(offerOf(live.run)).toEqual({ latest: { round: 0, step: 0 }, combining: null });
    live.stop();
    await live.done;
  });
});

describe('a run that was ended early', () => {
  it('is finished with the latest answer, and makes no further call', async () => {
    const { live, called, runs } = await startedRun();
    live.answerNow(offerOf(live.run).latest);
    const run = await live.done;
    expect(run).toMatchObject({ status: 'finished', answer: 'ash says 42', early: { round: 0, step: 0 } });
    expect(called).toEqual(['ash', 'birch', 'cedar']);
    expect((await runs.open('run-1'))?.run).toEqual(run);
    expect(earlyOffer(run)).toBeNull();
  });

  it.each([
    [false, 'combined'],
    [true, 'ash says 42'],
  ])('has the combined answer, or the latest one if the call fails (%s)', async (fails, answer) => {
    const { live, called } = await startedRun({ fails });
    const { latest, combining } = offerOf(live.run);
    live.answerNow({ ...latest, combinedBy: combining?.worker ?? -1 });
    expect(await live.done).toMatchObject({ status: 'finished', answer });
    expect(called).toEqual(['ash', 'birch', 'cedar', 'cedar']);
  });

  it('counts for no statistics, even if it is graded', async () => {
    const { live, runs, store } = await startedRun();
    live.answerNow(offerOf(live.run).latest);
    await live.done;
    const run = await runs.grade('run-1', true);
    expect(run.grade).toMatchObject({ correct: true });
    expect(countedGrade(run, true)).toBeNull();
    expect(gradedRunOf(run, true)).toBeNull();
    const summary = summarize(run);
    expect(summary).toMatchObject({ early: true, correct: true });
    expect(summary.reward).toBeUndefined();
    expect(rewardOfSummary(summary)).toBeNull();
    expect(mayCount(summary, true)).toBe(false);
    expect(await runs.history()).toEqual([]);
    const lines: string[] = [];
    for await (const line of rolloutLines(store, { signal: new AbortController().signal, evaluation: NOTHING_STORED }))
      lines.push(line);
    expect(lines).toEqual([]);
  });

  it('can be forked, and the fork carries out the whole plan', async () => {
    const { live, runs } = await startedRun();
    live.answerNow(offerOf(live.run).latest);
    await live.done;
    const outline = await runs.outlineFork('run-1', { round: 0, step: 2 });
    expect(outline.refusal).toBeNull();
    expect(outline.steps.map(({ kind }) => kind)).toEqual(['reused', 'reused', 'called']);
  });
});
