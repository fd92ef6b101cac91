/**
 * @file Tests runs that combine the policy with a model: the model writes the subtasks for the
 * policy's steps, or the policy ranks the model's workflows.
 */
import { describe, expect, it } from 'vitest';
import { createRankedByPolicyConductor } from '../../../src/core/conductor/ranked-by-policy';
import { createSkeletonWordsConductor } from '../../../src/core/conductor/skeleton-words';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { planByPolicy } from '../../../src/core/conductor/policy';
import {
  foldEvents,
  heldPlan,
  planRequestOf,
  seededRandom,
  type Conductor,
  type ConductorInfo,
  type EngineEvent,
  type PlanRequest,
  type Step,
  type TextEngine,
  type WorkerDirectory,
  type WorkerEvent,
} from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { execute } from '../../../src/core/executor/execute';
import { createRuns } from '../../../src/core/runs/run-keeper';
import { FakeClock, idle } from '../../fixtures/fake-clock';
import { Browser, currentSetup, hang, newRun, worker } from './scripted';

const MODEL: ConductorInfo = { id: 'local:tiny', label: 'Tiny', kind: 'webllm', model: 'Tiny', origin: null };
const POOL = ['ash', 'birch', 'cedar'].map((id) => worker(id));
const weights = { parameters: initialParameters({ width: 8 }, seededRandom(1)), revision: 'r1' };

/** The steps that the policy plans for a request. */
function stepsOf(request: PlanRequest): readonly Step[] {
  const plan = planByPolicy(request, weights.parameters);
  if ('fault' in plan) throw new Error(plan.fault.message);
  return plan.workflow.steps;
}

/**
 * A fake model. Each call writes the next text of `texts`. Once `texts` is used up, each call writes a text that matches the
 * grammar. If `most` is set, the first call hangs after that many characters.
 */
function engine({ texts = [], most = null }: { texts?: readonly string[]; most?: number | null }) {
  let calls = 0;
  const model: TextEngine = {
    info: { engine: 'scripted', model: 'Tiny', enforcesGrammar: texts.length === 0 },
    async *generate({ grammar }, signal): AsyncGenerator<EngineEvent> {
      const text = texts[calls++] ?? filled(grammar ?? '');
      const end = calls === 1 && most !== null ? most : text.length;
      for (let at = 0; at < end; at += 9) {
        yield { type: 'delta', channel: 'content', text: text.slice(at, Math.min(end, at + 9)) };
        await idle();
      }
      if (end < text.length) await hang(signal);
      yield { type: 'finished', usage: { input: 50, output: 40 }, cost: 0, finishReason: 'stop' };
    },
  };
  return { model, calls: () => calls };
}

/** Returns a text that matches the grammar and has a different subtask for each step. */
function filled(grammar: string): string {
  const [lists = ''] = /(?<=^lists ::= ).*$/m.exec(grammar) ?? [];
  let step = 0;
  return lists
    .split(/("(?:[^"\\]|\\.)*"|subtask)/)
    .map((piece) => {
      if (piece === 'subtask') return `"Words for step ${step++}."`;
      const literal: unknown = piece.startsWith('"') ? JSON.parse(piece) : '';
      return String(literal);
    })
    .join('');
}

function page(browser: Browser, conductor: Conductor, hanging: readonly string[] = []) {
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
    conductorFor: (info) => ({ ...conductor, info }),
    current: () => Promise.resolve(currentSetup({ workers: POOL })),
    newId: () => `run-${++ids}-of-${called.length}`,
    newSeed: () => 7,
    execute,
  });
  return { runs, called, close: () => locks.close() };
}

const words = (model: TextEngine) =>
  createSkeletonWordsConductor({
    info: withPolicyInfo('skeleton', MODEL),
    engine: model,
    clock: new FakeClock(),
    weights,
  });
const requested = (conductor: Conductor, more = {}) => newRun({ conductor, pool: POOL, access: 'fine', ...more });

describe('steps planned by the policy, with subtasks written by a model', () => {
  it('start while the model still writes later steps, and can be restored from the events', async () => {
    const browser = new Browser();
    const conductor = words(engine({}).model);
    const { runs, called } = page(browser, conductor);
    const live = await runs.start(requested(conductor, { seed: 3 }));
    const run = await live.done;
    const plan = run.rounds[0]?.plan;
    expect(run.status).toBe('finished');
    expect(plan).toMatchObject({ source: 'conductor', policy: { part: 'skeleton', revision: 'r1' } });
    expect(plan?.workflow?.steps.length).toBe(called.length);
    expect(plan?.workflow?.steps[0]?.subtask).toBe('Words for step 0.');
    expect(plan?.workflow?.steps.every(({ role }) => role !== undefined)).toBe(true);
    const events = await browser.store.read(live.id);
    const place = (type: string) => events.findIndex((event) => event.type === type);
    expect(place('step-started')).toBeLessThan(place('plan-finished'));
    expect(foldEvents(events)?.rounds[0]?.plan).toEqual(plan);
  });

  it('wait for approval, and run with the user’s edits', async () => {
    const conductor = words(engine({}).model);
    const { runs, called } = page(new Browser(), conductor);
    const live = await runs.start(requested(conductor, { approval: true }));
    while (!heldPlan(live.run)) await idle();
    expect(called).toEqual([]);
    live.decide({ type: 'edit', round: 0, workflow: { steps: [{ worker: 2, subtask: 'Mine.', access: [] }] } });
    live.decide({ type: 'approve', round: 0 });
    expect(await live.done).toMatchObject({ status: 'finished', answer: 'cedar says 42' });
    expect(called).toEqual(['cedar']);
  });

  it('are written again if the page was closed during planning, but finished steps are not repeated', async () => {
    const browser = new Browser();
    const first = words(engine({ most: 80 }).model);
    const lost = page(browser, first);
    const live = await lost.runs.start(requested(first, { seed: 3 }));
    while (live.run.rounds[0]?.steps[0]?.status !== 'finished') await idle();
    const ran = [...lost.called];
    expect(live.run.rounds[0]?.plan?.status).toBe('writing');
    lost.close();

    const found = page(browser, words(engine({}).model));
    expect(await found.runs.recover()).toEqual([live.id]);
    const run = await (await found.runs.resume(live.id)).done;
    expect(run).toMatchObject({ status: 'finished', rounds: [{ plan: { source: 'conductor' } }] });
    expect(found.called).toHaveLength((run.rounds[0]?.steps.length ?? 0) - ran.length);
  });

  it('can be forked at the last step without calling the earlier steps', async () => {
    const conductor = words(engine({}).model);
    const { runs, called } = page(new Browser(), conductor);
    const { id, rounds } = await (await runs.start(requested(conductor))).done;
    const steps = rounds[0]?.plan?.workflow?.steps ?? [];
    const last = steps.length - 1;
    called.length = 0;
    const workflow = { steps: steps.map((step, at) => (at === last ? { ...step, worker: 2 } : step)) };
    const fork = await (await runs.fork(id, { round: 0, step: last, workflow })).done;
    expect(fork).toMatchObject({ status: 'finished', answer: 'cedar says 42' });
    expect(called).toEqual(['cedar']);
  });

  it('may lead to a second round, which the policy also plans', async () => {
    // Tries seeds until the policy requests another round for this question.
    for (let seed = 1; seed < 60; seed++) {
      const conductor = createSkeletonWordsConductor({
        info: withPolicyInfo('skeleton', MODEL),
        engine: engine({}).model,
        clock: new FakeClock(),
        weights: { parameters: initialParameters({ width: 8 }, seededRandom(seed)), revision: `r${seed}` },
      });
      const { runs } = page(new Browser(), conductor);
      const run = await (await runs.start(requested(conductor, { recursion: true }))).done;
      if (run.rounds.length < 2) continue;
      expect(run.status).toBe('finished');
      for (const { plan } of run.rounds) {
        expect(plan).toMatchObject({ source: 'conductor', policy: { part: 'skeleton', revision: `r${seed}` } });
      }
      return;
    }
    expect.fail('No policy asks for another round.');
  });

  it('have the policy’s own subtasks if no answer of the model is valid', async () => {
    const conductor = words(engine({ texts: ['No.', 'No!'] }).model);
    const { runs } = page(new Browser(), conductor);
    const run = await (await runs.start(requested(conductor))).done;
    expect(run.rounds[0]?.plan).toMatchObject({
      source: 'fallback',
      retries: [{ next: 'stricter' }, { next: 'fallback' }],
      workflow: { steps: stepsOf(planRequestOf(run, { history: [] })) },
    });
    expect(run).toMatchObject({ status: 'finished', spent: { input: 100 + 5 * run.spent.calls } });
  });
});

describe('a model’s workflows that the policy ranks', () => {
  const alone = { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] };
  const checked = { steps: [...alone.steps, { worker: 1, subtask: 'Check it.', access: [0] }] };
  const texts = [checked, alone].map((workflow) => formatWorkflow(workflow, { access: 'fine' }));
  const ranked = () =>
    createRankedByPolicyConductor({
      info: withPolicyInfo('ranking', MODEL),
      engine: engine({ texts }).model,
      clock: new FakeClock(),
      weights,
    });

  it('are recorded with their scores, and the highest-ranked workflow runs', async () => {
    const browser = new Browser();
    const conductor = ranked();
    const { runs, called } = page(browser, conductor);
    const live = await runs.start(requested(conductor, { candidates: 2 }));
    const plan = (await live.done).rounds[0]?.plan;
    expect(plan).toMatchObject({
      policy: { part: 'ranking' },
      chosen: 1,
      chosenBy: 'rank',
      workflow: alone,
      candidates: [{ score: { logProbability: null } }, { score: { logProbability: expect.any(Number), choices: 3 } }],
    });
    expect(called).toEqual(['ash']);
    expect(foldEvents(await browser.store.read(live.id))?.rounds[0]?.plan).toEqual(plan);
  });

  it('wait for the user’s choice if the run has `choice: person`', async () => {
    const conductor = ranked();
    const { runs, called } = page(new Browser(), conductor);
    const live = await runs.start(requested(conductor, { candidates: 2, choice: 'person' }));
    while (!heldPlan(live.run)) await idle();
    live.decide({ type: 'choose', round: 0, candidate: 0 });
    expect((await live.done).rounds[0]?.plan).toMatchObject({ chosen: 0, chosenBy: 'person', workflow: checked });
    expect(called).toEqual(['ash', 'birch']);
  });
});
