import { describe, expect, it } from 'vitest';
import {
  applyEvent,
  heldPlan,
  type Decision,
  type RunEvent,
  type Step,
  type Workflow,
} from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { MemoryStore } from '../../fixtures/memory-store';
import { step } from '../../fixtures/run-events';
import {
  conductorWorker,
  done,
  finished,
  fold,
  known,
  MOMENT,
  ofType,
  outline,
  paidWorker,
  play,
  delta,
  stage,
  started,
  subtaskOf,
  wait,
  type Scene,
} from './scripted';

const PLAN = [step(0, 'Solve'), step(1, 'Solve otherwise'), step(2, 'Decide', [0, 1])];
const EDITED: Workflow = { steps: [step(1, 'Solve with care'), step(1, 'Solve otherwise'), step(2, 'Decide', [0])] };

const approve = (round = 0): Decision => ({ type: 'approve', round });
const edit = (workflow: Workflow, round = 0): Decision => ({ type: 'edit', round, workflow });

function withDecisions(decisions: readonly Decision[], more: Partial<Scene> = {}): Scene {
  return { plan: PLAN, decisions, ...more, start: { approval: true, ...more.start } };
}

/**
 * Executes a run until it waits for the user, then stops as if the page was closed.
 * @param after minimum number of edits in the run
 */
async function untilHeld(scene: Scene, after = 0) {
  const staged = stage(scene);
  const events: RunEvent[] = [];
  for await (const event of staged.events) {
    events.push(event);
    if (heldPlan(fold(events)) && ofType(events, 'plan-edited').length >= after) break;
  }
  return { ...staged, events };
}

function interrupted(events: readonly RunEvent[]) {
  const last = events.at(-1);
  if (!last) throw new Error('Nothing has begun.');
  const { runId, at, segment, elapsed, seq } = last;
  return applyEvent(fold(events), { runId, at, segment, elapsed, seq: seq + 1, type: 'run-interrupted' });
}

describe('a run whose plan needs approval', () => {
  it('waits after the plan and continues once the user approves it', async () => {
    const { events, run, workers } = await play(withDecisions([approve()]));
    expect(outline(events).slice(0, 7)).toEqual([
      'run-started',
      'round-started',
      'plan-started',
      'plan-finished',
      'plan-held',
      'plan-approved',
      'step-queued 0.0.0',
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Decide done', approval: true });
    expect(run.rounds[0]?.plan).toMatchObject({ approved: true, edited: false, heldFor: null });
    expect(workers.calls).toHaveLength(3);
  });

  it('calls no worker while it waits, even if steps are known before the plan is complete', async () => {
    const clock = new FakeClock('auto');
    const plan = () => [started, ...PLAN.map((each, index) => known(index, each)), wait(50), finished(PLAN)];
    const { events, workers } = await untilHeld(withDecisions([], { clock, plan }));
    expect(workers.calls).toEqual([]);
    expect(ofType(events, 'step-queued')).toEqual([]);
    expect(ofType(events, 'plan-step-known')).toHaveLength(3);
  });

  it('runs the edited plan, and also stores the Conductor’s plan', async () => {
    const { run, workers } = await play(withDecisions([edit(EDITED), approve()]));
    expect(workers.calls.map((call) => [call.options.worker.name, subtaskOf(call)])).toEqual([
      ['Birch', 'Solve with care'],
      ['Birch', 'Solve otherwise'],
      ['Cedar', 'Decide'],
    ]);
    const last = workers.calls.at(-1)?.messages.at(-1)?.content ?? '';
    expect(last).toContain('Solve with care done');
    expect(last).not.toContain('Solve otherwise done');
    const plan = run.rounds[0]?.plan;
    expect(plan).toMatchObject({ edited: true, source: 'conductor', workflow: EDITED, proposed: { steps: PLAN } });
  });

  it('lets the user add and remove steps', async () => {
    const longer: Step[] = [...PLAN, step(0, 'Say it shorter', [2])];
    const added = await play(withDecisions([edit({ steps: longer }), approve()]));
    expect(added.run.answer).toBe('Say it shorter done');
    const removed = await play(withDecisions([edit({ steps: PLAN.slice(0, 1) }), approve()]));
    expect(removed.run).toMatchObject({ answer: 'Solve done', spent: { calls: 1 } });
  });

  it('ignores invalid edits and edits that change nothing', async () => {
    const broken: Workflow[] = [
      { steps: [] },
      { steps: [step(7, 'Nobody')] },
      { steps: [step(0, ' ')] },
      { steps: [step(0, 'Look ahead', [1]), step(1, 'Solve')] },
      { steps: Array.from({ length: 6 }, () => step(0, 'Solve')) },
    ];
    const { events, run } = await play(
      withDecisions([...broken.map((each) => edit(each)), edit({ steps: PLAN }), approve()]),
    );
    expect(ofType(events, 'plan-edited')).toEqual([]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Decide done' });
  });

  it('does not mark its plan as edited after the user restores the Conductor’s plan', async () => {
    const { run } = await play(withDecisions([edit(EDITED), edit({ steps: PLAN }), approve()]));
    expect(run.rounds[0]?.plan).toMatchObject({ edited: false, workflow: { steps: PLAN } });
  });

  it('ignores decisions about another round', async () => {
    const { events } = await untilHeld(withDecisions([approve(1), edit(EDITED, 1), edit(EDITED)]), 1);
    expect(ofType(events, 'plan-edited')).toHaveLength(1);
    expect(ofType(events, 'plan-approved')).toEqual([]);
  });

  it('does not count the wait for the user as active time', async () => {
    const quick = await play({ plan: PLAN });
    const slow = await play(withDecisions([edit(EDITED), edit({ steps: PLAN }), approve()]));
    expect(slow.events.at(-1)?.elapsed).toBe((quick.events.at(-1)?.elapsed ?? 0) + 3 * MOMENT);
    expect(slow.run.time).toBe(quick.run.time);
  });

  it('ends at once if it is canceled while it waits', async () => {
    const { events, controller } = stage(withDecisions([]));
    const seen: RunEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.type === 'plan-held') controller.abort();
    }
    expect(outline(seen).slice(-2)).toEqual(['plan-held', 'run-cancelled']);
    expect(heldPlan(fold(seen))).toBeNull();
  });

  it('does not wait if no user is present', async () => {
    const { events, run } = await play({ plan: PLAN, start: { approval: true } });
    expect(ofType(events, 'plan-held')).toEqual([]);
    expect(run.status).toBe('finished');
  });

  it('fails without calling a worker if the approval cannot be stored', async () => {
    const store = new MemoryStore();
    const append = store.append.bind(store);
    store.append = (event) =>
      event.type === 'plan-approved' ? Promise.reject(new Error('The disk is full.')) : append(event);
    const { run, workers } = await play(withDecisions([approve()], { store }));
    expect(run).toMatchObject({ status: 'failed', fault: { code: 'storage-failed' } });
    expect(workers.calls).toEqual([]);
  });

  it('waits for approval in each round that calls a worker', async () => {
    const pool = [paidWorker(0), paidWorker(1), conductorWorker(2)];
    const rounds = [[step(0, 'Try'), step(2, 'Look again')], [step(1, 'Try again'), step(2, 'Look again')], []];
    const { events, run } = await play(
      withDecisions([approve(0), approve(1)], {
        plan: (request) => [started, finished(rounds[request.round] ?? [])],
        start: { pool, recursion: true, caps: { rounds: 4, calls: 16, tokens: null, usd: null } },
      }),
    );
    expect(ofType(events, 'plan-held').map(({ round }) => round)).toEqual([0, 1]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Try again done' });
  });
});

describe('a run with approval that is resumed or forked', () => {
  it('waits again and keeps the edits if it was interrupted while it waited', async () => {
    const before = await untilHeld(withDecisions([edit(EDITED)]), 1);
    const prior = interrupted(before.events);
    expect(prior.rounds[0]?.plan).toMatchObject({ edited: true, approved: false, workflow: EDITED });
    const { events, run, conductor, workers } = await play(
      withDecisions([approve()], { prior: { kind: 'resume', run: prior }, store: anyStore() }),
    );
    expect(outline(events).slice(0, 3)).toEqual(['run-resumed', 'plan-held', 'plan-approved']);
    expect(conductor.requests).toEqual([]);
    expect(workers.calls.map(subtaskOf)).toEqual(['Solve with care', 'Solve otherwise', 'Decide']);
    expect(run.rounds[0]?.plan).toMatchObject({ edited: true, approved: true, proposed: { steps: PLAN } });
  });

  it('does not wait again if the plan was approved before the interruption', async () => {
    const { events } = await play(
      withDecisions([edit(EDITED), approve()], { work: () => [delta('Half'), wait(10), done()], store: anyStore() }),
    );
    const approved = events.findIndex((event) => event.type === 'plan-approved');
    const prior = interrupted(events.slice(0, approved + 1));
    const resumed = await play(withDecisions([], { prior: { kind: 'resume', run: prior }, store: anyStore() }));
    expect(ofType(resumed.events, 'plan-held')).toEqual([]);
    expect(resumed.run.status).toBe('finished');
  });

  it('keeps both the Conductor’s plan and the edited plan in a fork', async () => {
    const { run } = await play(withDecisions([edit(EDITED), approve()]));
    const forked = await play(
      withDecisions([], { runId: 'run-2', prior: { kind: 'fork', run, round: 0, step: 2 }, store: new MemoryStore() }),
    );
    expect(ofType(forked.events, 'plan-held')).toEqual([]);
    const plan = forked.run.rounds[0]?.plan;
    expect(plan).toMatchObject({ edited: true, approved: true, workflow: EDITED, proposed: { steps: PLAN } });
    expect(forked.workers.calls.map(subtaskOf)).toEqual(['Decide']);
  });
});

/** A store that accepts any event. A real store would reject a resumed run, because the run's first part is missing. */
function anyStore() {
  const store = new MemoryStore();
  store.append = () => Promise.resolve();
  return store;
}
