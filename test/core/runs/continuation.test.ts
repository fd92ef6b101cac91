/**
 * @file Tests that a saved run continues with the current setup, and that the user is asked if a model or an address has changed.
 */
import { describe, expect, it } from 'vitest';
import {
  fault,
  FaultError,
  foldEvents,
  type ConductorInfo,
  type EventBody,
  type PoolWorker,
  type RaisedCaps,
  type Run,
} from '../../../src/core/contract';
import {
  calledOnFork,
  calledOnResume,
  checkContinuation,
  continuedStart,
  forkedStart,
  questionFor,
  resumedCaps,
  withJoining,
  type ContinueQuestion,
  type CurrentSetup,
} from '../../../src/core/runs/continuation';
import { runStarted, stampEvents } from '../../fixtures/run-events';
import { ANSWERING, Browser, currentSetup, hang, HANGING, newRun, opening, worker, type Script } from './scripted';

const desk = worker('desk', {
  kind: 'endpoint',
  model: 'gpt-4o',
  origin: 'https://api.example.com',
  price: { input: 2, output: 8 },
});
const shelf = worker('shelf', { kind: 'endpoint', model: 'mini', origin: 'https://api.example.com' });
const HAND: ConductorInfo = { id: 'by-hand', label: 'By hand', kind: 'by-hand' };
const CAPS = { rounds: 2, calls: 16, tokens: null, usd: 0.05 };
const PLAN: EventBody = {
  type: 'plan-finished',
  round: 0,
  workflow: { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] },
  thought: '',
  text: '',
  source: 'person',
  usage: null,
  cost: null,
  finishReason: null,
};
/** Starts a run and fails, as if the cap on calls had been reached. */
const FAILING: Script = async function* (request) {
  yield await Promise.resolve(opening(request));
  yield { type: 'run-failed', fault: fault('cap-reached', 'No calls are left.') };
};
/** Plans one step, and then waits until the run is stopped. A fork needs a planned round. */
const PLANNED: Script = async function* (request, signal) {
  yield opening(request);
  yield { type: 'round-started', round: 0 };
  yield { type: 'plan-started', round: 0, conductor: request.start.conductor, messages: [] };
  yield PLAN;
  await hang(signal);
};
const IMPORTED: EventBody = { type: 'run-imported' };

function run(pool: readonly PoolWorker[], more: readonly EventBody[] = [], start = {}): Run {
  const bodies: EventBody[] = [
    runStarted({ pool, conductor: HAND, ...start }),
    { type: 'round-started', round: 0 },
    { type: 'plan-started', round: 0, conductor: HAND, messages: [] },
    PLAN,
    { type: 'run-cancelled' },
    ...more,
  ];
  const folded = foldEvents(stampEvents(bodies));
  if (!folded) throw new Error('No run.');
  return folded;
}

const setup = (workers: readonly PoolWorker[], more: Partial<CurrentSetup> = {}) =>
  currentSetup({ workers, caps: CAPS, ...more });
const requested = (prior: Run, current: CurrentSetup) => questionFor(prior, current, HAND, calledOnResume(prior));

describe('the settings of a continued run', () => {
  it('include the workers, caps and sampling of the current setup, even if the record has others', () => {
    const forged = { ...desk, model: 'dear', price: { input: 0, output: 0 }, origin: 'https://evil.example' };
    const sampling = { temperature: 0, maxTokens: 900_000 };
    const prior = run([forged], [IMPORTED], { sampling, caps: { rounds: 99, calls: 999, tokens: null, usd: null } });
    const current = setup([desk]);
    expect(continuedStart(prior, current, HAND)).toMatchObject({
      pool: [desk],
      caps: CAPS,
      sampling: current.sampling,
    });
  });

  it('allow as many plans and steps as a new run would, even if the record allows more', () => {
    const prior = run([desk], [IMPORTED], { candidates: 1_000_000, maxSteps: 1_000_000 });
    const current = setup([desk], { candidates: 3 });
    const numbers = (info: ConductorInfo) => {
      const { candidates, maxSteps } = continuedStart(prior, current, info);
      return [candidates, maxSteps];
    };
    expect(numbers(HAND)).toEqual([1, 16]);
    expect(numbers({ id: 'template:consensus', label: 'Consensus', kind: 'template' })).toEqual([1, 16]);
    expect(numbers({ id: 'heuristic', label: 'Rules', kind: 'heuristic' })).toEqual([1, 5]);
    expect(numbers({ id: 'policy', label: 'Policy', kind: 'policy' })).toEqual([3, 5]);
    expect(numbers({ id: 'endpoint:desk', label: 'Desk', kind: 'endpoint' })).toEqual([3, 5]);
    expect(numbers({ id: 'ranked+endpoint:desk', label: 'Desk', kind: 'endpoint' })).toEqual([4, 5]);
  });

  it('for a run from a file, omit the Conductor’s prompt and allow one plan retry', () => {
    const start = { prompt: { later: 'Read {{rounds}}. {{choice}}' }, planRetries: 5 };
    expect(continuedStart(run([desk], [], start), setup([desk]), HAND)).toMatchObject(start);
    const imported = continuedStart(run([desk], [IMPORTED], start), setup([desk]), HAND);
    expect(imported.prompt).toBeUndefined();
    expect(imported.planRetries).toBe(1);
  });

  it('raise the step limit of a fork to the number of steps in its plan, up to 16', () => {
    const planned = (count: number) => ({
      steps: Array.from({ length: count }, () => ({ worker: 0, subtask: 'Solve it.', access: [] })),
    });
    const info: ConductorInfo = { id: 'heuristic', label: 'Rules', kind: 'heuristic' };
    const start = (count: number) =>
      forkedStart(run([desk]), { round: 0, planned: planned(count) }, setup([desk]), info).maxSteps;
    expect([start(2), start(9), start(40)]).toEqual([5, 9, 16]);
  });

  it('require approval of plans in a fork if the current setup requires it', () => {
    const conductor: ConductorInfo = { id: 'heuristic', label: 'Heuristic', kind: 'heuristic' };
    const planned = { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] };
    const at = { round: 0, planned };
    expect(forkedStart(run([desk]), at, setup([desk], { approval: true }), conductor).approval).toBe(true);
    expect(forkedStart(run([desk]), at, setup([desk]), conductor).approval).toBe(false);
  });

  it('include a worker’s current setup, even if the record says that the worker runs in the page', () => {
    for (const kind of ['simulated', 'local', 'python'] as const) {
      const prior = run([{ ...desk, kind, origin: null, price: null }]);
      expect(continuedStart(prior, setup([desk]), HAND).pool).toEqual([desk]);
    }
  });
});

describe('the confirmation before a run continues', () => {
  it('is needed if a worker has another model or address than in the record', () => {
    for (const change of [{ model: 'gpt-4o-mini' }, { origin: 'https://other.example' }]) {
      const now = { ...desk, ...change };
      expect(requested(run([desk]), setup([now]))?.changes).toMatchObject([
        { before: { model: 'gpt-4o' }, now: change },
      ]);
    }
  });

  it('is not needed if only name, price, limits or caps differ', () => {
    const now = { ...desk, name: 'Table', price: { input: 9, output: 9 }, description: 'Better.' };
    const sampling = { temperature: 1, maxTokens: 10 };
    expect(requested(run([desk]), setup([now], { sampling }))).toBeNull();
  });

  it('lists only workers that may still be called', () => {
    const prior = run([desk, shelf]);
    expect(requested(prior, setup([desk, { ...shelf, model: 'maxi' }]))).toBeNull();
    expect(requested(prior, setup([{ ...desk, model: 'maxi' }, shelf]))?.changes).toHaveLength(1);
    const waiting = run([desk, shelf], [], { approval: true });
    expect(
      requested(waiting, setup([desk, { ...shelf, model: 'maxi' }])),
      'the plan may still be edited',
    ).not.toBeNull();
  });

  it('lists the whole pool if a second round always follows, even under a recorded cap of one round', () => {
    const caps = { ...CAPS, rounds: 1 };
    const prior = run([desk, shelf], [], { recursionMode: 'always', caps });
    expect(calledOnResume(prior)).toEqual({ workers: new Set([0, 1]), mayPlan: true });
  });

  it('names a missing worker, or is replaced by an error if only the missing worker would be called', () => {
    const prior = run([desk, shelf]);
    const both = { ...prior, rounds: prior.rounds.map((round) => ({ ...round, plan: null })) };
    expect(requested(both, setup([shelf]))?.changes).toEqual([expect.objectContaining({ now: null })]);
    const missing = checkContinuation(prior, setup([shelf]), prior.conductor, calledOnResume(prior));
    expect(missing).toMatchObject({ code: 'worker-missing', message: expect.stringContaining('This run needs desk') });
  });

  it('for a run from a file, lists every remote worker that may be called', () => {
    const current = setup([desk, worker('ash')]);
    expect(requested(run([desk], [IMPORTED]), current)).toMatchObject({
      changes: [],
      calls: [{ model: 'gpt-4o' }],
      maxTokens: 4096,
    });
    expect(requested(run([worker('ash')], [IMPORTED]), current), 'no call leaves the page').toBeNull();
    expect(requested(run([desk]), current), 'the user’s own run').toBeNull();
  });

  it('includes the Conductor if it has to plan again', () => {
    const own: ConductorInfo = {
      id: 'endpoint:desk',
      label: 'Desk',
      kind: 'endpoint',
      model: 'gpt-4o',
      origin: desk.origin,
    };
    const prior = foldEvents(stampEvents([runStarted({ pool: [desk], conductor: own }), { type: 'run-cancelled' }]));
    if (!prior) throw new Error('No run.');
    const question = questionFor(prior, setup([desk]), { ...own, model: 'gpt-5' }, calledOnResume(prior));
    expect(question?.changes).toMatchObject([{ before: { model: 'gpt-4o' }, now: { model: 'gpt-5' } }]);
  });

  it('is replaced by an error while Private is on and a worker is remote', () => {
    const prior = run([desk]);
    const isPrivate = checkContinuation(
      prior,
      setup([desk], { isPrivate: true }),
      prior.conductor,
      calledOnResume(prior),
    );
    expect(isPrivate?.message).toContain('Private is on');
  });

  it('is replaced by an error while Private is on and a remote Conductor has to plan again', () => {
    const own: ConductorInfo = { id: 'endpoint:desk', label: 'Desk', kind: 'endpoint', origin: 'https://api.example' };
    const prior = foldEvents(stampEvents([runStarted({ conductor: own }), { type: 'run-cancelled' }]));
    if (!prior) throw new Error('No run.');
    const isPrivate = setup(prior.pool, { isPrivate: true });
    expect(checkContinuation(prior, isPrivate, own, calledOnResume(prior))?.message).toContain('Private is on');
  });

  it('leaves out the Conductor if the user has yet to choose among the plans', () => {
    const key = { round: 0, candidate: 0, problem: null, text: '', usage: null, cost: null };
    const workflow = { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] };
    const prior = foldEvents(
      stampEvents([
        runStarted({ pool: [desk], candidates: 2, choice: 'person' }),
        { type: 'round-started', round: 0 },
        { type: 'plan-started', round: 0, conductor: HAND, messages: [] },
        { type: 'plan-candidate', ...key, workflow },
        { type: 'plan-held', round: 0, heldFor: 'choice' },
        { type: 'run-cancelled' },
      ]),
    );
    if (!prior) throw new Error('No run.');
    expect(calledOnResume(prior)).toEqual({ workers: new Set([0]), mayPlan: false });
  });

  it('lists the whole pool if the recorded plan has too many steps, because the Conductor plans again', () => {
    const prior = run([desk, shelf]);
    const [round] = prior.rounds;
    const plan = round?.plan;
    if (!round || !plan) throw new Error('No plan.');
    const steps = Array.from({ length: 17 }, () => ({ worker: 0, subtask: 'Solve it.', access: [] }));
    const plannedUnder = { ...plan.plannedUnder, maxSteps: 1_000_000 };
    const forged = { ...prior, rounds: [{ ...round, plan: { ...plan, workflow: { steps }, plannedUnder } }] };
    expect(calledOnResume(forged)).toEqual({ workers: new Set([0, 1]), mayPlan: true });
  });

  it('lists the workers of the steps that a fork calls', () => {
    const steps = [0, 1].map((each) => ({ worker: each, subtask: 'Solve it.', access: [] }));
    const key = { round: 0, step: 0, attempt: 0 };
    const prior = run([desk, shelf], [{ type: 'step-reused', ...key, output: '42', reasoning: '' }]);
    const calledFrom = (step: number) => [...calledOnFork(prior, { round: 0, step }, { steps }).workers];
    expect([calledFrom(0), calledFrom(1)]).toEqual([[0, 1], [1]]);
  });
});

describe('the caps of a resumed run', () => {
  it('are the current caps, or the run’s raised caps where these are higher', () => {
    expect(resumedCaps({ ...CAPS, calls: 8 }, { calls: 20 }, {})).toEqual({ ...CAPS, calls: 20 });
    expect(resumedCaps({ ...CAPS, calls: 30 }, { calls: 20 }, {})).toEqual({ ...CAPS, calls: 30 });
    expect(resumedCaps({ ...CAPS, usd: null }, { usd: 1 }, {}), 'no limit').toEqual({ ...CAPS, usd: null });
  });

  it('are the caps that the user enters for this resume, even if caps were raised before', () => {
    expect(resumedCaps(CAPS, { usd: 5 }, { usd: 0.5 })).toEqual({ ...CAPS, usd: 0.5 });
  });

  it('follow a lowered setting for a cap that was not raised', () => {
    const lowered = { ...CAPS, calls: 8 };
    expect(resumedCaps(lowered, { usd: 1 }, {})).toEqual({ ...lowered, usd: 1 });
  });

  it('ignore caps that were raised before the run was imported', () => {
    const forged: EventBody[] = [{ type: 'run-resumed', raised: { usd: 1000 } }, { type: 'run-cancelled' }];
    expect(run([desk], forged).raised).toEqual({ usd: 1000 });
    const imported = run([desk], [...forged, IMPORTED, { type: 'run-resumed', raised: { calls: 20 } }]);
    expect(imported.raised, 'only a cap that was raised after the import counts').toEqual({ calls: 20 });
  });
});

describe('a fork', () => {
  const planned = { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] };
  const prompt = { template: { fixed: 'Plan in rhymes.', question: '{{question}}' } };
  const forked = (prior: Run) => forkedStart(prior, { round: 0, planned }, setup([desk]), HAND);

  it('keeps the run’s prompt for the Conductor, except a prompt from a file', () => {
    expect(forked(run([desk], [], { prompt })).prompt).toEqual(prompt);
    expect(forked(run([desk], [IMPORTED], { prompt }))).not.toHaveProperty('prompt');
  });

  it('keeps the setting “a second round always follows”, so the fork may call the whole pool', () => {
    const prior = run([desk, shelf], [], { recursionMode: 'always' });
    expect(forked(prior)).toMatchObject({ recursion: false, recursionMode: 'always' });
    expect(calledOnFork(prior, { round: 0, step: 0 }, planned)).toEqual({ workers: new Set([0, 1]), mayPlan: true });
    expect(calledOnFork(prior, { round: 1, step: 0 }, planned).mayPlan, 'no third round follows').toBe(false);
  });
});

describe('a fork with an added worker', () => {
  const planned = { steps: [{ worker: 1, subtask: 'Solve it.', access: [] }] };
  const called = (prior: Run) => calledOnFork(prior, { round: 0, step: 0 }, planned);

  it('has the added worker at the end of its pool, with the current setup of that worker', () => {
    expect(withJoining(run([desk]), ['shelf'], setup([desk, shelf])).pool).toEqual([desk, shelf]);
  });

  it('is rejected if the worker is not set up, or if the run has recursion', () => {
    expect(() => withJoining(run([desk]), ['shelf'], setup([desk]))).toThrow(/no longer set up/);
    const recursive = run([desk], [], { recursion: true });
    expect(() => withJoining(recursive, ['shelf'], setup([desk, shelf]))).toThrow(/recursion/);
  });

  it('is rejected if Private is on and the worker is on a server', () => {
    const current = setup([shelf, worker('ash')], { isPrivate: true });
    const joined = withJoining(run([worker('ash')]), ['shelf'], current);
    expect(checkContinuation(joined, current, HAND, called(joined))?.message).toContain('Private is on');
  });

  it('asks the user about the worker if the run came from a file', () => {
    const current = setup([shelf, worker('ash')]);
    const joined = withJoining(run([worker('ash')], [IMPORTED]), ['shelf'], current);
    expect(questionFor(joined, current, HAND, called(joined))?.calls.map(({ name }) => name)).toEqual(['shelf']);
  });
});

describe('resuming', () => {
  /** A run that was stopped before its first call. One of its workers has another model in the current setup. */
  async function stopped(confirm?: (question: ContinueQuestion) => Promise<boolean>, script = HANGING) {
    const browser = new Browser();
    const first = browser.tab(script);
    const live = await first.runs.start(
      newRun({ pool: [desk, shelf], conductor: { ...newRun().conductor, info: HAND } }),
    );
    live.stop();
    await live.done;
    const current = () => Promise.resolve(setup([{ ...desk, model: 'gpt-4o-mini' }, shelf]));
    return { browser, id: live.id, ...browser.tab(undefined, { current, ...(confirm ? { confirm } : {}) }) };
  }

  it.each([
    ['declines', () => Promise.resolve(false)],
    ['cannot be asked', undefined],
  ])('makes no call if the user %s, and neither does forking', async (_, confirm) => {
    for (const script of [HANGING, PLANNED]) {
      const { runs, requested: executed, id } = await stopped(confirm, script);
      await expect(runs.resume(id)).rejects.toMatchObject({ name: 'AbortError' });
      expect(executed).toEqual([]);
      expect((await runs.open(id))?.run.status).toBe('cancelled');
    }
    const { browser, runs, requested: executed, id } = await stopped(confirm, PLANNED);
    await expect(runs.fork(id, { round: 0, step: 0 })).rejects.toMatchObject({ name: 'AbortError' });
    expect(executed).toEqual([]);
    expect(await browser.store.count()).toBe(1);
  });

  it('is possible without a plan, but forking is rejected', async () => {
    const { runs, requested: executed, id } = await stopped(() => Promise.resolve(true));
    await expect(runs.fork(id, { round: 0, step: 0 })).rejects.toMatchObject({ fault: { code: 'plan-invalid' } });
    expect(executed).toEqual([]);
    await (
      await runs.resume(id)
    ).done;
    expect(executed).toHaveLength(1);
  });

  it('continues with the current setup if the user agrees', async () => {
    const questions: ContinueQuestion[] = [];
    const confirm = (question: ContinueQuestion) => {
      questions.push(question);
      return Promise.resolve(true);
    };
    const { runs, requested: executed, id } = await stopped(confirm);
    await (
      await runs.resume(id)
    ).done;
    expect(questions).toMatchObject([{ changes: [{ before: { model: 'gpt-4o' }, now: { model: 'gpt-4o-mini' } }] }]);
    expect(executed[0]?.start).toMatchObject({ pool: [{ model: 'gpt-4o-mini' }, { model: 'mini' }], caps: CAPS });
  });

  it('keeps every cap that was raised for the run, also after a reload', async () => {
    const { browser, id } = await stopped();
    const confirm = () => Promise.resolve(true);
    const current = () => Promise.resolve(setup([desk, shelf]));
    const resume = async (raised?: RaisedCaps) => {
      const { runs, requested: executed } = browser.tab(FAILING, { current, confirm });
      const live = await runs.resume(id, raised);
      await live.done;
      return executed[0]?.start.caps;
    };
    expect(await resume({ calls: 99 })).toEqual({ ...CAPS, calls: 99 });
    expect(await resume({ usd: 2 }), 'another cap').toEqual({ ...CAPS, calls: 99, usd: 2 });
    expect(await resume(), 'tried again').toEqual({ ...CAPS, calls: 99, usd: 2 });
  });
});

describe('a run whose Conductor was removed', () => {
  const removed: ConductorInfo = { id: 'endpoint:gone', label: 'Gone', kind: 'endpoint', model: 'gone-1' };
  const builtIn: ConductorInfo = { id: 'policy', label: 'Built in', kind: 'policy', origin: null };
  const missing = () => {
    throw new FaultError(fault('worker-missing', 'The Conductor Gone is no longer available. Choose another one.'));
  };

  /** A finished run, in a page where its Conductor is missing. */
  async function finished(recursionMode: 'self' | 'always', answer: boolean) {
    const browser = new Browser();
    const conductor = { ...newRun().conductor, info: removed };
    const live = await browser.tab(ANSWERING).runs.start(newRun({ conductor, recursionMode }));
    await live.done;
    const questions: ContinueQuestion[] = [];
    const tab = browser.tab(ANSWERING, {
      conductorFor: missing,
      substitute: { ...conductor, info: builtIn },
      confirm: (question) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
    });
    return { ...tab, id: live.id, questions };
  }

  it('is forked with a built-in Conductor if the fork needs a new plan and the user agrees', async () => {
    const { runs, requested: executed, id, questions } = await finished('always', true);
    const outline = await runs.outlineFork(id, { round: 0, step: 0 });
    expect(outline).toMatchObject({ plansAgain: true, refusal: null });
    await (
      await runs.fork(id, { round: 0, step: 0 })
    ).done;
    expect(questions).toMatchObject([
      { changes: [{ before: { name: 'Gone' }, now: { name: 'Built in' }, isSubstitute: true }] },
    ]);
    expect(executed[0]?.start.conductor).toEqual(builtIn);
  });

  it('is not forked if the fork needs a new plan and the user declines', async () => {
    const { runs, requested: executed, id } = await finished('always', false);
    await expect(runs.fork(id, { round: 0, step: 0 })).rejects.toMatchObject({ name: 'AbortError' });
    expect(executed).toEqual([]);
  });

  it('is forked without asking the user if the fork needs no new plan', async () => {
    const { runs, requested: executed, id, questions } = await finished('self', false);
    await (
      await runs.fork(id, { round: 0, step: 0 })
    ).done;
    expect(questions).toEqual([]);
    expect(executed[0]?.start.conductor).toEqual(removed);
  });
});
