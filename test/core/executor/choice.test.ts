import { describe, expect, it } from 'vitest';
import {
  applyEvent,
  heldPlan,
  type Decision,
  type PlanEvent,
  type Run,
  type RunEvent,
  type StepChoice,
  type Workflow,
} from '../../../src/core/contract';
import { MemoryStore } from '../../fixtures/memory-store';
import { step } from '../../fixtures/run-events';
import {
  CONDUCTOR,
  finished,
  fold,
  MOMENT,
  ofType,
  outline,
  play,
  stage,
  subtaskOf,
  wait,
  type PlanItem,
  type Scene,
} from './scripted';

const ALONE: Workflow = { steps: [step(0, 'Solve')] };
const PAIR: Workflow = { steps: [step(1, 'Solve otherwise'), step(2, 'Decide', [0])] };
const LISTED = { code: 'not-found', message: 'There are no lists.', at: 0 } as const;
const SPEED = { promptTokens: 9, decodeTokens: 4, prefill: 90, decode: 40, firstToken: 10, grammar: 2 };

/** A reason for a choice of worker. Tests recognize it by `graded` (the candidate) and `right` (the worker). */
function reason(place: number, worker: number): StepChoice {
  return { basis: 'history', expected: 0.5, graded: place, right: worker, inRole: false, runs: [] };
}

function candidate(place: number, workflow: Workflow | null): PlanEvent {
  const bill = { usage: { input: 100, output: 20 }, cost: 0.01 };
  const read = workflow
    ? ({
        problem: null,
        thought: `Thought ${place}.`,
        finishReason: 'stop',
        speed: SPEED,
        choices: workflow.steps.map(({ worker }) => reason(place, worker)),
      } as const)
    : { problem: LISTED };
  return { type: 'plan-candidate', candidate: place, workflow, text: `text ${place}`, ...bill, ...read };
}

const PLAN_STARTED: PlanEvent = {
  type: 'plan-started',
  conductor: CONDUCTOR,
  messages: [{ role: 'user', parts: [{ kind: 'question' }] }],
  sampling: { temperature: 0.8, maxTokens: 100 },
};
const DRAWN: readonly PlanItem[] = [PLAN_STARTED, candidate(0, ALONE), candidate(1, null), candidate(2, PAIR)];
const choose = (named: number, round = 0): Decision => ({ type: 'choose', round, candidate: named });

function withDecisions(decisions: readonly Decision[], more: Partial<Scene> = {}): Scene {
  return {
    plan: () => DRAWN,
    decisions,
    store: anyStore(),
    ...more,
    start: { candidates: 3, choice: 'person', ...more.start },
  };
}

/** A store that accepts any event. A real store would reject a resumed run, because the run's first part is missing. */
function anyStore(): MemoryStore {
  const store = new MemoryStore();
  store.append = () => Promise.resolve();
  return store;
}

/** Executes a run until it waits for the user, stops as if the page was closed, and marks the run as interrupted. */
async function lostWhileWaiting(scene: Scene) {
  const staged = stage(scene);
  const events: RunEvent[] = [];
  for await (const event of staged.events) {
    events.push(event);
    if (heldPlan(fold(events))) break;
  }
  const last = events.at(-1);
  if (!last) throw new Error('Nothing has begun.');
  const { runId, at, segment, elapsed, seq } = last;
  const interrupted: RunEvent = { runId, at, segment, elapsed, seq: seq + 1, type: 'run-interrupted' };
  return { ...staged, run: applyEvent(fold(events), interrupted) };
}

describe('a run whose plan the user chooses', () => {
  it('waits for the choice once all candidates have arrived, and runs the chosen candidate', async () => {
    const { events, run, workers, conductor } = await play(withDecisions([choose(2)]));
    expect(conductor.requests[0]).toMatchObject({ candidates: 3, choice: 'person' });
    expect(outline(events).slice(2, 10)).toEqual([
      'plan-started',
      'plan-candidate',
      'plan-candidate',
      'plan-candidate',
      'plan-held',
      'plan-chosen',
      'plan-finished',
      'step-queued 0.0.0',
    ]);
    expect(ofType(events, 'plan-held')[0]?.heldFor).toBe('choice');
    expect(workers.calls.map(subtaskOf)).toEqual(['Solve otherwise', 'Decide']);
    expect(run).toMatchObject({ status: 'finished', answer: 'Decide done', choice: 'person' });
    expect(run.rounds[0]?.plan).toMatchObject({
      chosen: 2,
      chosenBy: 'person',
      workflow: PAIR,
      source: 'conductor',
      thought: 'Thought 2.',
      text: 'text 2',
      finishReason: 'stop',
      speed: SPEED,
      choices: [reason(2, 1), reason(2, 2)],
      heldFor: null,
      isChoiceOpen: false,
    });
  });

  it('counts the cost of each candidate once, and does not count the user’s time as active time', async () => {
    const { run } = await play(withDecisions([choose(0)]));
    expect(run.spent).toMatchObject({ usd: expect.closeTo(0.03), unpriced: 0 });
    expect(run.rounds[0]?.plan?.endedAt).toBeLessThan(MOMENT);
  });

  it('stores no reasons for the chosen workers if the Conductor gives none', async () => {
    const plan = () => {
      return DRAWN.map((item) => {
        if ('wait' in item || item.type !== 'plan-candidate') return item;
        const { choices: _none, ...told } = item;
        return told;
      });
    };
    const { events, run } = await play(withDecisions([choose(2)], { plan }));
    expect(run.rounds[0]?.plan).toMatchObject({
      chosen: 2,
      choices: null,
      candidates: DRAWN.slice(1).map(() => ({ choices: null })),
    });
    expect(ofType(events, 'plan-finished')[0]).not.toHaveProperty('choices');
  });

  it('ignores the choice of an invalid candidate, a missing candidate, or a candidate of another round', async () => {
    const { events, run } = await play(withDecisions([choose(1), choose(7), choose(2, 3), choose(0)]));
    expect(ofType(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'person' }]);
    expect(run.answer).toBe('Solve done');
  });

  it('does not wait for a choice if the Conductor finishes a plan itself', async () => {
    const plan = () => [PLAN_STARTED, candidate(0, null), finished(ALONE.steps)];
    const { events, run } = await play(withDecisions([], { plan }));
    expect(ofType(events, 'plan-held')).toEqual([]);
    expect(run.answer).toBe('Solve done');
  });

  it('fails if the Conductor stops without a valid candidate', async () => {
    const { events, run } = await play(withDecisions([choose(0)], { plan: () => [PLAN_STARTED, candidate(0, null)] }));
    expect(ofType(events, 'plan-held')).toEqual([]);
    expect(run).toMatchObject({ status: 'failed', fault: { code: 'plan-failed' } });
  });

  it('asks the Conductor to choose by vote if no user is present', async () => {
    const { decisions: _unanswered, ...scene } = withDecisions([]);
    const { conductor } = await play({ ...scene, plan: [step(0, 'Solve')] });
    expect(conductor.requests[0]?.choice).toBe('vote');
  });

  it('can be canceled while it waits for the choice', async () => {
    const staged = stage(withDecisions([]));
    const events: RunEvent[] = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'plan-held') staged.controller.abort();
    }
    expect(events.at(-1)?.type).toBe('run-cancelled');
    expect(fold(events).rounds[0]?.plan).toMatchObject({ status: 'cancelled', isChoiceOpen: true });
    expect(fold(events).spent.unpriced).toBe(0);
    expect(staged.workers.calls).toEqual([]);
  });

  it('waits for approval of the chosen plan if approval is on', async () => {
    const approve: Decision = { type: 'approve', round: 0 };
    const { events, run } = await play(withDecisions([choose(2), approve], { start: { approval: true } }));
    expect(ofType(events, 'plan-held').map(({ heldFor }) => heldFor)).toEqual(['choice', 'approval']);
    expect(run.answer).toBe('Decide done');
  });
});

describe('a run that was interrupted before the user chose a plan', () => {
  it('waits for the choice without calling a model after it is resumed with all candidates', async () => {
    const { run } = await lostWhileWaiting(withDecisions([]));
    expect(run).toMatchObject({ status: 'interrupted', spent: { unpriced: 0 } });
    expect(run.rounds[0]?.plan?.candidates).toHaveLength(3);
    const resumed = await play(withDecisions([choose(2)], { prior: { kind: 'resume', run } }));
    expect(resumed.conductor.requests).toEqual([]);
    expect(outline(resumed.events).slice(0, 4)).toEqual(['run-resumed', 'plan-held', 'plan-chosen', 'plan-finished']);
    expect(resumed.run).toMatchObject({ status: 'finished', answer: 'Decide done' });
    expect(resumed.run.spent.usd).toBeCloseTo(run.spent.usd);
    expect(resumed.run.rounds[0]?.plan).toMatchObject({ chosen: 2, thought: 'Thought 2.', speed: SPEED });
    expect(resumed.run.rounds[0]?.plan?.choices).toEqual([reason(2, 1), reason(2, 2)]);
  });

  it('waits for the choice again after a second interruption', async () => {
    const { run } = await lostWhileWaiting(withDecisions([]));
    const { run: twice } = await lostWhileResuming(run);
    const third = await play(withDecisions([choose(2)], { prior: { kind: 'resume', run: twice } }));
    expect(third.conductor.requests).toEqual([]);
    expect(third.run.answer).toBe('Decide done');
  });

  it('counts no estimated tokens for the plan when it is resumed with all candidates', async () => {
    const long = { role: 'user' as const, parts: [{ kind: 'literal' as const, text: 'word '.repeat(4000) }] };
    const plan = () => [{ ...PLAN_STARTED, messages: [long] } as const, ...DRAWN.slice(1)];
    const { run } = await lostWhileWaiting(withDecisions([], { plan }));
    const caps = { ...run.caps, tokens: 1000 };
    const prior = { kind: 'resume' as const, run: { ...run, caps, sampling: { temperature: 0, maxTokens: 10 } } };
    expect((await play(withDecisions([choose(0)], { prior }))).run.status).toBe('finished');
  });

  it('requests a new plan after it is resumed with only some candidates', async () => {
    const staged = stage(
      withDecisions([], { plan: () => [PLAN_STARTED, candidate(0, ALONE), wait(50), candidate(1, PAIR)] }),
    );
    const events: RunEvent[] = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'plan-candidate') break;
    }
    const run = { ...fold(events), status: 'interrupted' as const };
    const resumed = await play(withDecisions([choose(0)], { prior: { kind: 'resume', run } }));
    expect(resumed.conductor.requests).toHaveLength(1);
  });
});

/** Resumes a run that waits for a choice, and interrupts it again before the user chooses. */
async function lostWhileResuming(before: Run) {
  const staged = stage(withDecisions([], { prior: { kind: 'resume', run: before } }));
  let run = before;
  for await (const event of staged.events) {
    run = applyEvent(run, event);
    if (event.type === 'plan-held') break;
  }
  const last = { runId: run.id, at: 0, segment: run.segments.length - 1, elapsed: 0 };
  return { run: applyEvent(run, { ...last, seq: run.lastSeq + 1, type: 'run-interrupted' }) };
}
