/**
 * @file Tests resuming a run: which steps are kept, which calls are repeated, and which costs count towards the caps.
 */
import { describe, expect, it } from 'vitest';
import {
  applyEvent,
  digestText,
  fault,
  renderMessages,
  settingsOf,
  worstInput,
  type EventBody,
  type PlanEvent,
  type Run,
  type RunEvent,
} from '../../../src/core/contract';
import { openResumed } from '../../../src/core/executor/resume';
import { startOfRun } from '../../../src/core/runs/new-run';
import { runStarted, stampEvents, step } from '../../fixtures/run-events';
import {
  conductorWorker,
  done,
  fails,
  finished,
  fold,
  known,
  ofType,
  outline,
  paidWorker,
  play,
  PRICE,
  delta,
  started,
  subtaskOf,
  wait,
  type Scene,
} from './scripted';

const plan = [step(0, 'a'), step(1, 'b', [0]), step(2, 'c', [1])];
const UNREACHABLE = fault('not-found', 'There is no such model.');

async function interruptAt(scene: Scene, last: (event: RunEvent) => boolean): Promise<Run> {
  const { events } = await play(scene);
  const run = fold(events.slice(0, events.findIndex(last) + 1));
  const { runId, at, segment, elapsed } = events[run.lastSeq] ?? {};
  if (runId === undefined || at === undefined || segment === undefined || elapsed === undefined)
    throw new Error('No such event.');
  return applyEvent(run, { type: 'run-interrupted', runId, at, segment, elapsed, seq: run.lastSeq + 1 });
}

function opened(bodies: readonly EventBody[]) {
  const run = fold(stampEvents(bodies));
  return openResumed({ start: startOfRun(run) }, { kind: 'resume', run });
}

it('the event `run-resumed` records the caps that the user raised for the run', () => {
  const run = fold(stampEvents([runStarted({}), { type: 'run-cancelled' }]));
  const { events } = openResumed({ start: startOfRun(run) }, { kind: 'resume', run, raised: { calls: 20 } });
  expect(events).toEqual([{ type: 'run-resumed', raised: { calls: 20 } }]);
});

const startOf = (subtask: number) => (event: RunEvent) => event.type === 'step-started' && event.step === subtask;

/** Stores nothing, because a store would reject events that lack the run's beginning. */
const journal = { append: () => Promise.resolve() };
const resume = (run: Run, scene: Scene) =>
  play({ ...scene, prior: { kind: 'resume', run }, dependencies: { ...scene.dependencies, journal } });

describe('a follow-up question', () => {
  const question = { text: 'Why?', context: { runId: 'run-0', question: 'What is 6 × 7?', answer: 'It is 42.' } };
  const seen = (content = '') => content.split('</overall-task>')[0];

  it('is sent with the earlier question and answer, also after its run is resumed or forked', async () => {
    const scene: Scene = { plan, start: { question } };
    const first = await play(scene);
    const requested = seen(first.workers.calls[0]?.messages[0]?.content);
    expect(requested).toContain('<overall-task>\n<earlier-question>\nWhat is 6 × 7?\n</earlier-question>\n');
    expect(requested).toContain('It is 42.\n</earlier-answer>\n\nFollow-up question:\nWhy?\n');
    const [sent] = first.run.rounds[0]?.steps[0]?.attempts ?? [];
    expect(JSON.stringify(sent?.messages)).not.toContain('It is 42.');
    expect(sent && digestText(renderMessages(first.run, { round: 0, step: 0, attempt: 0 }) ?? [])).toBe(
      digestText(first.workers.calls[0]?.messages ?? []),
    );
    const resumed = await resume(await interruptAt(scene, startOf(1)), scene);
    expect(seen(resumed.workers.calls[0]?.messages[0]?.content)).toBe(requested);
    const forked = await play({
      plan: [],
      start: settingsOf(first.run),
      prior: { kind: 'fork', run: first.run, round: 0, step: 2 },
      runId: 'run-2',
    });
    expect(forked.run.question).toEqual(question);
    expect(seen(forked.workers.calls[0]?.messages[0]?.content)).toBe(requested);
  });
});

describe('a run that is resumed with another setup', () => {
  const expensive = paidWorker(0, { model: 'dear' });
  const cheap = paidWorker(0, { model: 'cheap', price: { input: 0.5, output: 0.5 } });
  const scene: Scene = { plan: [step(0, 'a'), step(0, 'b', [0])], start: { pool: [expensive] } };

  it('calls the workers with their current setup, and records the setup of each call', async () => {
    const prior = await interruptAt(scene, startOf(1));
    const caps = { rounds: 1, calls: 9, tokens: null, usd: 1 };
    const sampling = { temperature: 0, maxTokens: 77 };
    const { events, run, workers } = await resume(prior, { ...scene, continued: { pool: [cheap], caps, sampling } });
    expect(ofType(events, 'run-resumed')[0]).toMatchObject({ pool: [cheap], caps, sampling });
    expect(ofType(events, 'run-resumed')[0]).not.toHaveProperty('conductor');
    expect(workers.calls.map(({ options }) => [options.worker.model, options.maxTokens])).toEqual([['cheap', 77]]);
    expect(run).toMatchObject({ pool: [cheap], caps, sampling });
    const models = run.rounds[0]?.steps.map(({ attempts }) => attempts.map(({ worker }) => worker?.model));
    expect(models).toEqual([['dear'], ['dear', 'cheap']]);
    const costs = run.rounds[0]?.steps.map(({ attempts }) => attempts.at(-1)?.cost);
    expect(costs).toEqual([(100 * 1 + 50 * 2) / 1e6, (100 + 50) * 0.5e-6]);
  });

  it('records no changes if nothing differs', async () => {
    const prior = await interruptAt(scene, startOf(1));
    const { events } = await resume(prior, { ...scene, continued: { pool: [{ ...expensive }] } });
    expect(Object.keys(events[0] ?? {}).toSorted()).toEqual(['at', 'elapsed', 'runId', 'segment', 'seq', 'type']);
  });

  describe('with lower limits on steps and candidates', () => {
    const steps = [step(0, 'a'), step(0, 'b', [0]), step(0, 'c', [1])];
    const long: Scene = { plan: steps, start: { pool: [expensive], maxSteps: 5, candidates: 3 } };
    const continued = { maxSteps: 2, candidates: 1 };

    it('keeps a plan that was finished under the old limits, even if the run is resumed several times', async () => {
      const prior = await interruptAt(long, startOf(1));
      const again = await resume(prior, { ...long, continued, work: () => [fails(UNREACHABLE)] });
      expect(ofType(again.events, 'run-resumed')).toMatchObject([continued]);
      expect(again.run).toMatchObject({ status: 'failed', ...continued });
      const third = await resume(again.run, long);
      expect([...again.conductor.requests, ...third.conductor.requests]).toEqual([]);
      expect(third.run).toMatchObject({ status: 'finished', answer: 'c done' });
    });

    it('requests an unfinished plan again with the new limits', async () => {
      const prior = await interruptAt(
        { ...long, plan: () => [started, wait(50), finished(steps)] },
        ({ type }) => type === 'plan-started',
      );
      const { conductor, run } = await resume(prior, { ...long, continued });
      expect(conductor.requests).toMatchObject([continued]);
      expect(run).toMatchObject({ status: 'failed', fault: { code: 'plan-invalid' } });
    });

    it('plans a later round with the new limits', async () => {
      const pool = [expensive, conductorWorker(1)];
      const recursive = { pool, recursion: true, caps: { rounds: 2, calls: 9, tokens: null, usd: null } };
      const scene: Scene = {
        plan: ({ round }) => [started, finished(round === 0 ? [...steps, step(1, 'again', [2])] : [step(0, 'd')])],
        start: { ...long.start, ...recursive },
      };
      const prior = await interruptAt(scene, startOf(1));
      const { conductor, run } = await resume(prior, { ...scene, continued });
      expect(conductor.requests).toMatchObject([{ round: 1, ...continued }]);
      expect(run).toMatchObject({ status: 'finished', answer: 'd done' });
    });

    it('runs a candidate plan that was written under the old limits', async () => {
      const candidate = (place: number): PlanEvent => ({
        type: 'plan-candidate',
        candidate: place,
        workflow: { steps },
        problem: null,
        text: '',
        usage: null,
        cost: null,
      });
      const scene: Scene = {
        plan: () => [started, candidate(0), candidate(1), candidate(2)],
        start: { ...long.start, choice: 'person' },
        decisions: [{ type: 'choose', round: 0, candidate: 1 }],
      };
      const prior = await interruptAt(scene, ({ type }) => type === 'plan-held');
      const { conductor, run } = await resume(prior, { ...scene, continued });
      expect(conductor.requests).toEqual([]);
      expect(run).toMatchObject({ status: 'finished', answer: 'c done' });
    });
  });

  it('applies the new caps', async () => {
    const prior = await interruptAt(scene, startOf(1));
    const caps = { ...prior.caps, usd: 1e-6 };
    const { run, workers } = await resume(prior, { ...scene, continued: { caps } });
    expect(workers.calls).toHaveLength(0);
    expect(run).toMatchObject({ status: 'failed', capReached: { cap: 'usd', limit: 1e-6 } });
  });
});

describe('an interrupted run', () => {
  it('continues with its unfinished steps when it is resumed, without a new plan', async () => {
    const prior = await interruptAt({ plan }, startOf(1));
    const { events, run, workers, conductor } = await resume(prior, { plan });
    expect(outline(events)).toEqual([
      'run-resumed',
      'step-queued 0.1.1',
      'step-queued 0.2.0',
      'step-started 0.1.1',
      'step-delta 0.1.1',
      'step-finished 0.1.1',
      'step-started 0.2.0',
      'step-delta 0.2.0',
      'step-finished 0.2.0',
      'round-finished',
      'run-finished',
    ]);
    expect(events[0]).toMatchObject({ seq: prior.lastSeq + 1, segment: 1, elapsed: 0 });
    expect(conductor.requests).toHaveLength(0);
    expect(workers.calls.map(({ options }) => options.attempt)).toEqual([1, 0]);
    expect(run.answer).toBe('c done');
  });

  it('is planned again if its plan was unfinished, and keeps finished steps that are unchanged', async () => {
    const streaming: Scene = {
      plan: () => [started, known(0, step(0, 'a')), known(1, step(1, 'b')), wait(50), finished(plan)],
    };
    const prior = await interruptAt(streaming, (event) => event.type === 'step-finished' && event.step === 1);
    const { events, run, workers } = await resume(prior, { plan });
    expect(workers.calls.map(subtaskOf)).toEqual(['b', 'c']);
    expect(outline(events).filter((line) => line.startsWith('step-discarded'))).toEqual(['step-discarded 0.1.0']);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'finished', 'finished']);
    expect(run.rounds[0]?.discarded).toHaveLength(1);
  });

  it('discards a finished step if the new plan has fewer steps', async () => {
    const streaming: Scene = {
      plan: () => [started, known(0, step(0, 'a')), known(1, step(1, 'b')), wait(50), finished(plan)],
    };
    const prior = await interruptAt(streaming, (event) => event.type === 'step-finished' && event.step === 1);
    const { events, run } = await resume(prior, { plan: [step(0, 'a')] });
    expect(ofType(events, 'step-discarded')).toMatchObject([{ step: 1, attempt: 0 }]);
    expect(run.answer).toBe('a done');
  });

  it('finishes without a call if only its last event is missing', async () => {
    const prior = await interruptAt({ plan }, ({ type }) => type === 'round-finished');
    const { events, run } = await resume(prior, { plan });
    expect(outline(events)).toEqual(['run-resumed', 'run-finished']);
    expect(run.answer).toBe('c done');
  });

  it('counts past spending and an estimate of the interrupted call towards its caps', async () => {
    const pool = [0, 1, 2].map((index) => paidWorker(index));
    const scene: Scene = {
      plan,
      start: {
        pool,
        sampling: { temperature: 0, maxTokens: 500 },
        caps: { rounds: 1, calls: 9, tokens: 1000, usd: null },
      },
      work: () => [delta('x'), wait(10), done({ input: 10, output: 10 })],
    };
    const prior = await interruptAt(scene, startOf(1));
    const fine = await resume(prior, scene);
    expect(fine.run.status).toBe('finished');
    const spent = { ...prior, spent: { ...prior.spent, input: 300 } };
    const { run } = await resume(spent, scene);
    expect(run.fault?.code).toBe('cap-reached');
  });
});

describe('a plan that was cut off by an interruption', () => {
  it('counts its written tokens towards the caps', async () => {
    const planStarted: PlanEvent = {
      type: 'plan-started',
      conductor: { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com', price: null },
      messages: [{ role: 'user', parts: [{ kind: 'question' }] }],
      sampling: { temperature: 0, maxTokens: 500 },
    };
    const question = { text: 'What is six times seven?' };
    const room = worstInput([{ role: 'user', content: question.text }]) + 500;
    const write = (text: string): PlanEvent => ({ type: 'plan-delta', channel: 'content', text });
    const status = async (text: string) => {
      const scene: Scene = {
        plan: () => [planStarted, write(text), wait(100), finished([step(0, 'a')], { usage: { input: 1, output: 1 } })],
        start: {
          question,
          sampling: { temperature: 0, maxTokens: 10 },
          caps: { rounds: 1, calls: 9, tokens: room + 50, usd: null },
        },
      };
      const prior = await interruptAt(scene, ({ type }) => type === 'plan-delta');
      return (await resume(prior, scene)).run.status;
    };
    expect(await status('x')).toBe('finished');
    expect(await status('x'.repeat(400))).toBe('failed');
  });

  const waits: EventBody = { type: 'plan-waiting', round: 0, for: 'limit', delay: 10 };
  it.each([
    ['counts twice towards the caps if it is cut off twice', [], 2],
    ['counts once if it is cut off again before its second call is sent', [waits], 1],
  ] as const)('%s', (_name, more, times) => {
    const requested: EventBody = {
      type: 'plan-started',
      round: 0,
      conductor: { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com', price: PRICE },
      messages: [{ role: 'user', parts: [{ kind: 'question' }] }],
      sampling: { temperature: 0, maxTokens: 500 },
    };
    const written: EventBody = { type: 'plan-delta', round: 0, channel: 'content', text: 'x'.repeat(400) };
    const lost: EventBody = { type: 'run-interrupted' };
    const once: EventBody[] = [runStarted(), { type: 'round-started', round: 0 }, requested, written, lost];
    const twice: EventBody[] = [
      ...once,
      { type: 'run-resumed' },
      requested,
      ...(more.length > 0 ? more : [written]),
      lost,
    ];
    const { spent } = opened(once);
    const both = opened(twice).spent;
    expect(spent.tokens).toBeGreaterThan(100);
    expect(both.tokens).toBe(times * spent.tokens);
    expect(both.usd).toBeCloseTo(times * spent.usd, 12);
    const third = fold(stampEvents([...twice, { type: 'run-resumed' }, requested]));
    expect(third.rounds[0]?.lostPlans).toHaveLength(times);
    expect(third.spent.unpriced).toBe(times);
  });
});

describe('a failed run', () => {
  it('repeats only the steps without output when the user resumes it', async () => {
    const failing = fails(fault('unauthorized', 'The key was refused.'));
    const { run: prior } = await play({
      plan,
      work: (call) => (subtaskOf(call) === 'b' ? [failing] : [delta('x'), done()]),
    });
    const { run, workers } = await resume(prior, { plan });
    expect(workers.calls.map((call) => [subtaskOf(call), call.options.attempt])).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'c done', fault: null });
    expect(run.rounds).toHaveLength(1);
  });

  it('is planned again if its plan was invalid', async () => {
    const { run: prior } = await play({ plan: [step(9, 'nobody')] });
    const { run, conductor } = await resume(prior, { plan });
    expect(conductor.requests).toHaveLength(1);
    expect(run.answer).toBe('c done');
  });

  it('allows four more attempts per step when the user resumes it', async () => {
    const busy = fails(fault('overloaded', 'Busy.', { retryable: true }));
    const { run: prior } = await play({ plan: [step(0, 'a')], work: () => [busy] });
    const { events } = await resume(prior, { plan: [step(0, 'a')], work: () => [busy] });
    expect(ofType(events, 'step-started').map(({ attempt }) => attempt)).toEqual([4, 5, 6, 7]);
  });
});

describe('a canceled run', () => {
  it('repeats the stopped step, but no finished step, when the user resumes it', async () => {
    const controller = new AbortController();
    const scene: Scene = { plan, work: (call) => [delta(subtaskOf(call)), wait(10), done()] };
    const { run: prior } = await play({
      ...scene,
      signal: controller.signal,
      work: (call) => {
        if (subtaskOf(call) === 'b') controller.abort();
        return [delta(subtaskOf(call)), wait(10), done()];
      },
    });
    expect(prior.status).toBe('cancelled');
    const { run, workers } = await resume(prior, scene);
    expect(workers.calls.map(subtaskOf)).toEqual(['b', 'c']);
    expect(run.answer).toBe('c');
  });
});
