/** @file Tests runs that the user ends early, with the best answer so far. */
import { describe, expect, it } from 'vitest';
import { fault, foldEvents, renderMessages, type EarlyEnd, type RunEvent } from '../../../src/core/contract';
import {
  conductorWorker,
  delta,
  done,
  fails,
  fold,
  known,
  ofType,
  outline,
  paidWorker,
  play,
  stage,
  started,
  wait,
  type Call,
  type Scene,
} from './scripted';
import { step } from '../../fixtures/run-events';

const PLAN = [step(0, 'Solve the task.'), step(1, 'Solve the task.'), step(2, 'Combine the results.', [0, 1])];
const POOL = [0, 1, 2].map((index) => paidWorker(index));
const LATEST: EarlyEnd = { round: 0, step: 0 };
const COMBINED: EarlyEnd = { ...LATEST, combinedBy: 2 };

/** Worker 0 answers at once, worker 1 needs long, worker 2 combines. */
const work = ({ options }: Call) => [
  delta(['Answer: 42', 'Answer: 43', 'Answer: 44'][options.worker.colour - 1] ?? ''),
  wait(options.worker.colour === 2 ? 10_000 : 10),
  done(),
];

function request() {
  let resolve: (early: EarlyEnd) => void = () => undefined;
  const promise = new Promise<EarlyEnd>((resolved) => (resolve = resolved));
  return { promise, resolve };
}

/** Plays a run, and requests an answer after the first event for which `when` holds. */
async function endEarly(
  early: EarlyEnd,
  scene: Partial<Scene> = {},
  when: (event: RunEvent) => boolean = ({ type }) => type === 'step-finished',
) {
  const { promise, resolve } = request();
  const staged = stage({ plan: PLAN, work, start: { pool: POOL }, ...scene, dependencies: { answerNow: promise } });
  const events: RunEvent[] = [];
  for await (const event of staged.events) {
    events.push(event);
    if (when(event)) resolve(early);
  }
  return { ...staged, events, run: fold(events, scene.prior?.kind === 'resume' ? scene.prior.run : null) };
}

describe('a run that is ended with the latest answer', () => {
  it('cancels the other steps, makes no further call, and is marked', async () => {
    const { events, run, workers } = await endEarly(LATEST);
    expect(outline(events).slice(-5)).toEqual([
      'step-cancelled 0.1.0',
      'step-cancelled 0.2.0',
      'answer-requested',
      'round-finished',
      'run-finished',
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42', early: { ...LATEST, during: 0 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'cancelled', 'cancelled']);
    expect(workers.calls).toHaveLength(2);
    expect(workers.calls[1]?.aborted).toBe(true);
  });

  it('goes on if the chosen step has no output', async () => {
    const { run } = await endEarly({ round: 0, step: 1 }, {}, ({ type }) => type === 'step-finished');
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', early: null });
  });

  it('goes on if no step has finished', async () => {
    const { run } = await endEarly(LATEST, {}, ({ type }) => type === 'plan-started');
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', early: null });
  });

  it('ends a plan that is still being written', async () => {
    const plan = () => [started, known(0, step(0, 'Solve the task.')), wait(10_000)];
    const { run, conductor } = await endEarly(LATEST, { plan });
    expect(run).toMatchObject({
      status: 'finished',
      answer: 'Answer: 42',
      rounds: [{ plan: { status: 'cancelled' } }],
    });
    expect(conductor.aborted).toBe(true);
  });

  it('ends a later round, and its answer may be from an earlier round', async () => {
    const pool = [...POOL.slice(0, 2), conductorWorker(2)];
    const caps = { rounds: 3, calls: 20, tokens: null, usd: null };
    const { run } = await endEarly(
      LATEST,
      { plan: [step(0, 'Solve it.'), step(2, 'Go on.', [0])], start: { pool, caps, recursion: true } },
      (event) => event.type === 'round-started' && event.round === 1,
    );
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42', early: { during: 1 } });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['recursed', 'kept']);
  });

  it('does not wait for the approval of a plan', async () => {
    const caps = { rounds: 3, calls: 20, tokens: null, usd: null };
    const { run } = await endEarly(
      LATEST,
      {
        start: { pool: POOL, caps, approval: true, recursionMode: 'always' },
        decisions: [{ type: 'approve', round: 0 }],
        work: () => [delta('Answer: 42'), done()],
      },
      (event) => event.type === 'plan-held' && event.round === 1,
    );
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42' });
    expect(run.rounds[1]?.plan?.heldFor).toBeNull();
  });

  it('can still be stopped before, and then has no answer', async () => {
    const { promise, resolve } = request();
    const staged = stage({ plan: PLAN, work, start: { pool: POOL }, dependencies: { answerNow: promise } });
    const events: RunEvent[] = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type !== 'step-finished') continue;
      staged.controller.abort();
      resolve(LATEST);
    }
    expect(fold(events)).toMatchObject({ status: 'cancelled', answer: null, early: null });
  });
});

describe('a run that is ended with a combining call', () => {
  it('combines the finished steps in a round of its own', async () => {
    const { run, events, workers } = await endEarly(COMBINED);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', answerKey: { round: 1, step: 0 } });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(workers.calls).toHaveLength(3);
    expect(ofType(events, 'round-finished')).toHaveLength(2);
    const prompt = renderMessages(run, { round: 1, step: 0, attempt: 0 })?.[0]?.content ?? '';
    expect(prompt).toContain('Answer: 42');
    expect(prompt).not.toContain('Answer: 43');
    expect(prompt).toBe(workers.calls[2]?.messages[0]?.content);
  });

  it('needs no approval', async () => {
    const start = { pool: POOL, approval: true };
    const { run } = await endEarly(COMBINED, { start, decisions: [{ type: 'approve', round: 0 }] });
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', rounds: [{}, { plan: { approved: true } }] });
  });

  const refused = fault('bad-request', 'No.');
  it.each([
    ['fails', () => [fails(refused)], {}],
    ['is empty', () => [done()], {}],
    ['is refused by a cap', () => [], { caps: { rounds: 1, calls: 2, tokens: null, usd: null } }],
  ])('has the latest answer if the call %s', async (_how, reply, start) => {
    const scene = {
      start: { pool: POOL, ...start },
      work: (call: Call) => (call.options.worker.colour === 3 ? reply() : work(call)),
    };
    const { run } = await endEarly(COMBINED, scene);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42', answerKey: LATEST });
    expect(run.rounds[1]).toMatchObject({ outcome: 'failed', steps: [{ status: 'failed' }] });
  });

  it('can be stopped during the call', async () => {
    const { promise, resolve } = request();
    const staged = stage({ plan: PLAN, work, start: { pool: POOL }, dependencies: { answerNow: promise } });
    const events: RunEvent[] = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'step-finished') resolve(COMBINED);
      if (event.type === 'step-started' && event.round === 1) staged.controller.abort();
    }
    expect(fold(events)).toMatchObject({ status: 'cancelled', answer: null, early: COMBINED });
  });
});

/** Stores nothing, because a store would reject events that lack the run's beginning. */
const journal = { append: () => Promise.resolve() };

describe('an early end that was interrupted', () => {
  /** Plays a run until its page is closed before the event for which `before` holds, and resumes it. */
  async function resumeBefore(early: EarlyEnd, before: (event: RunEvent) => boolean) {
    const { events } = await endEarly(early);
    const kept = events.slice(0, events.findIndex(before));
    const last = kept.at(-1);
    if (!last) throw new Error('No event is left.');
    const interrupted: RunEvent = { ...last, type: 'run-interrupted', seq: last.seq + 1 };
    const prior = foldEvents([...kept, interrupted]);
    if (!prior) throw new Error('There is no run.');
    return play({ plan: PLAN, work, prior: { kind: 'resume', run: prior }, dependencies: { journal } });
  }

  it.each([
    ['its round', ({ type }: RunEvent) => type === 'round-finished'],
    ['the run', ({ type }: RunEvent) => type === 'run-finished'],
  ])('is completed without a call if %s has no end yet', async (_what, before) => {
    const { run, workers } = await resumeBefore(LATEST, before);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 42', early: LATEST });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['answered']);
    expect(workers.calls).toHaveLength(0);
  });

  it.each([
    ['has not begun', (event: RunEvent) => event.type === 'round-started' && event.round === 1, 1],
    ['has no plan', (event: RunEvent) => event.type === 'plan-finished' && event.round === 1, 1],
    ['is in progress', (event: RunEvent) => event.type === 'step-finished' && event.round === 1, 1],
    ['has finished', (event: RunEvent) => event.type === 'run-finished', 0],
  ])('is completed if the combining round %s', async (_what, before, calls) => {
    const { run, workers, conductor } = await resumeBefore(COMBINED, before);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', answerKey: { round: 1, step: 0 } });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(workers.calls).toHaveLength(calls);
    expect(conductor.requests).toHaveLength(0);
  });
});

describe('a fork of a run that was ended early', () => {
  const forkAt = async (round: number, early: EarlyEnd) => {
    const { run } = await endEarly(early);
    const quick = (call: Call) => work(call).filter((item) => !('wait' in item));
    const scene = { plan: PLAN, work: quick, start: { pool: POOL }, runId: 'fork' };
    return play({ ...scene, prior: { kind: 'fork', run, round, step: 0 } });
  };

  it('from the plan carries out the whole plan, and is not marked', async () => {
    const { run, workers } = await forkAt(0, COMBINED);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', early: null });
    expect(run.rounds).toHaveLength(1);
    expect(workers.calls).toHaveLength(3);
  });

  it('from the combining round is marked, and keeps the cancelled steps', async () => {
    const { run, workers } = await forkAt(1, COMBINED);
    expect(run).toMatchObject({ status: 'finished', answer: 'Answer: 44', early: { ...COMBINED, during: 0 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['reused', 'cancelled', 'cancelled']);
    expect(workers.calls).toHaveLength(1);
    expect(run.spent.unpriced).toBe(0);
  });
});
