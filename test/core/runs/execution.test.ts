/**
 * @file Tests runs with the real executor: which calls they make, and which calls they never
 * repeat.
 */
import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  heldPlan,
  type Conductor,
  type PlanEvent,
  type PlanRequest,
  type WorkerDirectory,
  type WorkerEvent,
  type Workflow,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import { createRuns } from '../../../src/core/runs/run-keeper';
import { idle } from '../../fixtures/fake-clock';
import { Browser, currentSetup, hang, newRun } from './scripted';

const STEPS = [
  { worker: 0, subtask: 'Solve it.', access: [] },
  { worker: 1, subtask: 'Check it.', access: [0] },
];

/** A Conductor that plans two steps. The second step sees the output of the first. */
const conductor: Conductor = {
  info: newRun().conductor.info,
  propose: () => planOf(STEPS),
};

async function* planOf(steps: Workflow['steps']): AsyncIterable<PlanEvent> {
  yield { type: 'plan-started', conductor: newRun().conductor.info, messages: [] };
  const nothing = { usage: null, cost: 0, finishReason: null };
  yield { type: 'plan-finished', workflow: { steps }, thought: '', text: '', source: 'conductor', ...nothing };
}

/** Starts a plan and never finishes it. */
async function* waits(_request: PlanRequest, signal: AbortSignal): AsyncIterable<PlanEvent> {
  yield { type: 'plan-started', conductor: conductor.info, messages: [] };
  await hang(signal);
}

/**
 * A page with the real executor. `called` lists the ids of the called workers. A worker in
 * `hanging` never answers.
 */
function page(browser: Browser, hanging: readonly string[] = [], conductorFor = () => conductor) {
  const called: string[] = [];
  const workers: WorkerDirectory = ({ id }) => ({
    async *run(_messages, _options, signal): AsyncIterable<WorkerEvent> {
      called.push(id);
      if (hanging.includes(id)) await hang(signal);
      yield { type: 'delta', channel: 'content', text: `${id} says 42` };
      yield { type: 'finished', usage: { input: 5, output: 3 }, cost: null, finishReason: 'stop' };
    },
  });
  const locks = browser.locks.tab();
  let ids = 0;
  const runs = createRuns({
    store: browser.store,
    locks,
    notices: browser.notices.tab(),
    clock: browser.clock,
    workers,
    conductorFor,
    current: () => Promise.resolve(currentSetup()),
    newId: () => `run-${++ids}-of-${called.length}`,
    newSeed: () => 7,
    execute,
  });
  return { runs, called, close: () => locks.close() };
}

describe('a run with the real executor', () => {
  it('answers the question with the output of its last step', async () => {
    const { runs, called } = page(new Browser());
    const live = await runs.start(newRun({ conductor }));
    expect(await live.done).toMatchObject({ status: 'finished', answer: 'birch says 42', spent: { calls: 2 } });
    expect(called).toEqual(['ash', 'birch']);
  });

  it('repeats no finished call if it is resumed after its tab was closed', async () => {
    const browser = new Browser();
    const lost = page(browser, ['birch']);
    const { id } = await lost.runs.start(newRun({ conductor }));
    while (!lost.called.includes('birch')) await idle();
    lost.close();
    const found = page(browser);
    expect(await found.runs.recover()).toEqual([id]);
    expect(found.called).toEqual([]);
    expect(await (await found.runs.resume(id)).done).toMatchObject({ status: 'finished', answer: 'birch says 42' });
    expect(found.called).toEqual(['birch']);
  });

  it('keeps finished outputs when the user stops it, and reuses them when resumed', async () => {
    const browser = new Browser();
    const first = page(browser, ['birch']);
    const live = await first.runs.start(newRun({ conductor }));
    while (!first.called.includes('birch')) await idle();
    live.stop();
    expect(await live.done).toMatchObject({
      status: 'cancelled',
      rounds: [{ steps: [{ output: 'ash says 42' }, {}] }],
    });
    const second = page(browser);
    expect((await (await second.runs.resume(live.id)).done).status).toBe('finished');
    expect(second.called).toEqual(['birch']);
  });

  it('still waits for approval after the user edits the plan and closes the tab', async () => {
    const browser = new Browser();
    const lost = page(browser);
    const live = await lost.runs.start(newRun({ conductor, approval: true }));
    while (!heldPlan(live.run)) await idle();
    live.decide({ type: 'approve', round: 1 });
    live.decide({ type: 'edit', round: 0, workflow: { steps: STEPS.map((each) => ({ ...each, worker: 1 })) } });
    while (!live.run.rounds[0]?.plan?.edited) await idle();
    expect(lost.called).toEqual([]);
    lost.close();

    const found = page(browser);
    expect(await found.runs.recover()).toEqual([live.id]);
    const resumed = await found.runs.resume(live.id);
    while (!heldPlan(resumed.run)) await idle();
    expect(found.called).toEqual([]);
    resumed.decide({ type: 'approve', round: 0 });
    const run = await resumed.done;
    expect(run).toMatchObject({ status: 'finished', answer: 'birch says 42', spent: { calls: 2 } });
    expect(run.rounds[0]?.plan).toMatchObject({ edited: true, approved: true, proposed: { steps: STEPS } });
    expect(found.called).toEqual(['birch', 'birch']);
  });

  it('waits again for the choice of a plan after its tab was closed, without requesting new plans', async () => {
    const browser = new Browser();
    let requested = 0;
    const workflows = [{ steps: STEPS }, { steps: STEPS.map((each) => ({ ...each, worker: 1 })) }];
    const drawing: Conductor = {
      ...conductor,
      async *propose() {
        requested += 1;
        yield { type: 'plan-started', conductor: conductor.info, messages: [] };
        for (const [candidate, workflow] of workflows.entries()) {
          yield { type: 'plan-candidate', candidate, workflow, problem: null, text: '', usage: null, cost: null };
        }
      },
    };
    const lost = page(browser);
    const live = await lost.runs.start(newRun({ conductor: drawing, candidates: 2, choice: 'person' }));
    while (!heldPlan(live.run)) await idle();
    lost.close();

    const found = page(browser);
    expect(await found.runs.recover()).toEqual([live.id]);
    const resumed = await found.runs.resume(live.id);
    while (!heldPlan(resumed.run)) await idle();
    expect(heldPlan(resumed.run)).toMatchObject({ heldFor: 'choice', plan: { candidates: [{}, {}] } });
    resumed.decide({ type: 'choose', round: 0, candidate: 1 });
    expect(await resumed.done).toMatchObject({ status: 'finished', answer: 'birch says 42' });
    expect(requested).toBe(1);
    expect([lost.called, found.called]).toEqual([[], ['birch', 'birch']]);
  });

  it('needs no approval for a plan that was written by hand', async () => {
    const { runs } = page(new Browser());
    const byHand: Conductor = { ...conductor, info: { ...conductor.info, kind: 'by-hand' } };
    const live = await runs.start(newRun({ conductor: byHand, approval: true }));
    expect(await live.done).toMatchObject({ status: 'finished', approval: false });
  });

  it('can be resumed without its Conductor only if the plan is finished', async () => {
    const gone = () => {
      throw new FaultError(fault('worker-missing', 'Cedar conducted this run and was removed. Add it again.'));
    };
    const browser = new Browser();
    const first = page(browser, ['birch']);
    const planned = await first.runs.start(newRun({ conductor }));
    while (!first.called.includes('birch')) await idle();
    const planning = { ...conductor, propose: waits };
    const unplanned = await first.runs.start(newRun({ conductor: planning }));
    planned.stop();
    unplanned.stop();
    await Promise.all([planned.done, unplanned.done]);
    const { runs } = page(browser, [], gone);
    expect((await (await runs.resume(planned.id)).done).status).toBe('finished');
    const failed = await (await runs.resume(unplanned.id)).done;
    expect(failed).toMatchObject({ status: 'failed', fault: { code: 'worker-missing' } });
  });

  it('is confidential if it is a direct or indirect fork of a confidential run', async () => {
    const browser = new Browser();
    const { runs } = page(browser);
    const batch = { id: 'b', dataset: 'd', task: 't', method: 'm', repeat: 0, isConfidential: true } as const;
    const { id, done } = await runs.start(newRun({ conductor, batch }));
    await done;
    const fork = await (await runs.fork(id, { round: 0, step: 1 })).done;
    expect(fork).toMatchObject({ batch: null, isConfidential: true });
    expect(await (await runs.fork(fork.id, { round: 0, step: 1 })).done).toMatchObject({ isConfidential: true });
    const open = await (await runs.start(newRun({ conductor }))).done;
    expect(await (await runs.fork(open.id, { round: 0, step: 1 })).done).toMatchObject({ isConfidential: false });
  });

  it('can be forked without repeating the calls of earlier steps', async () => {
    const browser = new Browser();
    const { runs, called } = page(browser);
    const { id, done } = await runs.start(newRun({ conductor }));
    await done;
    const workflow = { steps: [...STEPS.slice(0, 1), { worker: 0, subtask: 'Check it twice.', access: [0] }] };
    const fork = await (await runs.fork(id, { round: 0, step: 1, workflow })).done;
    expect(fork).toMatchObject({
      answer: 'ash says 42',
      parent: { runId: id, round: 0, step: 1 },
      spent: { calls: 1 },
    });
    expect(fork.rounds[0]?.steps.map(({ status }) => status)).toEqual(['reused', 'finished']);
    expect(called).toEqual(['ash', 'birch', 'ash']);
  });

  it('can be forked with a worker that was not in its pool', async () => {
    const { runs, called } = page(new Browser());
    const pool = newRun().pool.slice(0, 1);
    const alone: Conductor = { ...conductor, propose: () => planOf(STEPS.slice(0, 1)) };
    const { id, done } = await runs.start(newRun({ conductor: alone, pool }));
    await done;
    const workflow = { steps: [{ worker: 1, subtask: 'Solve it.', access: [] }] };
    const fork = await (await runs.fork(id, { round: 0, step: 0, workflow, joining: ['birch'] })).done;
    expect(fork).toMatchObject({ status: 'finished', answer: 'birch says 42' });
    expect(fork.pool.map((worker) => worker.id)).toEqual(['ash', 'birch']);
    expect(called).toEqual(['ash', 'birch']);
  });

  it('fails without making a call if the start of the call can’t be stored, and can be resumed later', async () => {
    const browser = new Browser();
    let room = false;
    browser.store.intercept = (event) => {
      if (!room && event.type === 'step-started' && event.step === 1) {
        throw new FaultError(fault('storage-full', 'The browser’s storage is full. Delete some runs.'));
      }
    };
    const { runs, called } = page(browser);
    const live = await runs.start(newRun({ conductor }));
    expect(await live.done).toMatchObject({ status: 'failed', fault: { code: 'storage-full' } });
    expect(called).toEqual(['ash']);
    room = true;
    expect(await (await runs.resume(live.id)).done).toMatchObject({ status: 'finished', answer: 'birch says 42' });
    expect(called).toEqual(['ash', 'birch']);
  });
});
