/** @file Tests runs that go on without failed attempts at a task, because no user can decide. */
import { describe, expect, it } from 'vitest';
import { fault, foldEvents, leftOutSteps, renderMessages, type Fault, type RunEvent } from '../../../src/core/contract';
import { step } from '../../fixtures/run-events';
import { delta, done, fails, ofType, outline, play, stage } from './scripted';

const BROKEN = fault('bad-request', 'No.');
const PLAN = [step(0, 'Solve the task.'), step(1, 'Solve the task.'), step(2, 'Combine.', [0, 1])];

/** Plays a plan in which the worker with the index `broken` always fails. */
const playWith = (broken: readonly number[], leaveOutFailed: boolean, plan = PLAN, found: Fault = BROKEN) =>
  play({
    plan,
    start: { leaveOutFailed },
    work: ({ options }) => (broken.includes(options.worker.colour - 1) ? [fails(found)] : [delta('well'), done()]),
  });

describe('a step that sees several attempts at the same task', () => {
  it('goes on without a failed attempt, does not show it, and names it', async () => {
    const { events, run } = await playWith([1], true);
    expect(run).toMatchObject({ status: 'finished', answer: 'well' });
    const [, , combine] = ofType(events, 'step-started');
    expect(combine).toMatchObject({ step: 2, without: [1] });
    const sent = renderMessages(run, { round: 0, step: 2, attempt: 0 })?.[0]?.content ?? '';
    expect(sent).toContain('<response number="1">');
    expect(sent).not.toContain('<response number="2">');
    expect(leftOutSteps(run)).toEqual([{ round: 0, step: 1 }]);
  });

  it('waits for the other attempts before it goes on', async () => {
    const { run } = await play({
      plan: PLAN,
      start: { leaveOutFailed: true },
      work: ({ options }) => (options.worker.colour === 1 ? [fails(BROKEN)] : [{ wait: 5000 }, delta('late'), done()]),
    });
    expect(run).toMatchObject({ status: 'finished', answer: 'late' });
  });

  it('is skipped if every attempt has failed', async () => {
    const { events, run } = await playWith([0, 1], true);
    expect(run.status).toBe('failed');
    expect(ofType(events, 'step-skipped')).toMatchObject([{ step: 2, because: 0 }]);
  });

  it('is skipped without the setting', async () => {
    expect((await playWith([1], false)).run.status).toBe('failed');
  });

  it('is skipped if a limit of the run prevented the attempt', async () => {
    expect((await playWith([1], true, PLAN, fault('cap-reached', 'Too much.'))).run.status).toBe('failed');
  });
});

it.each([
  ['a different part of the task', [step(0, 'Solve part A.'), step(1, 'Solve part B.'), step(2, 'Combine.', [0, 1])]],
  ['the only attempt', [step(0, 'Plan.'), step(1, 'Solve.', [0]), step(2, 'Check.', [0, 1])]],
  ['a step that sees the attempt', [step(0, 'Think.'), step(1, 'Think.', [0]), step(2, 'Combine.', [0, 1])]],
])('a step is skipped if the failed step was %s', async (_what, plan) => {
  expect((await playWith([1], true, plan)).run.status).toBe('failed');
});

it('a chain of steps can be left out as a whole', async () => {
  const plan = [
    step(0, 'Solve.'),
    step(1, 'Solve.'),
    step(0, 'Improve.', [0]),
    step(1, 'Improve.', [1]),
    step(2, 'Combine.', [2, 3]),
  ];
  const { events, run } = await playWith([1], true, plan);
  expect(run.status).toBe('finished');
  expect(ofType(events, 'step-started').at(-1)).toMatchObject({ step: 4, without: [3] });
});

it('a resumed run calls neither the left-out step nor the finished steps again', async () => {
  const plan = [...PLAN, step(0, 'Check.', [2])];
  const start = { leaveOutFailed: true };
  const first = stage({
    plan,
    start,
    work: ({ options }) => (options.worker.colour === 2 ? [fails(BROKEN)] : [delta('well'), done()]),
  });
  const events: RunEvent[] = [];
  for await (const event of first.events) {
    events.push(event);
    if (event.type === 'step-finished' && event.step === 2) break;
  }
  const last = events.at(-1);
  const run = foldEvents(last ? [...events, { ...last, type: 'run-interrupted', seq: last.seq + 1 }] : events);
  if (!run) throw new Error('There is no run.');
  const journal = { append: () => Promise.resolve() };
  const second = await play({
    plan,
    prior: { kind: 'resume', run },
    work: () => [delta('done'), done()],
    dependencies: { journal },
  });
  expect(outline(second.events).filter((line) => line.startsWith('step-started'))).toEqual(['step-started 0.3.0']);
  expect(second.run).toMatchObject({ status: 'finished', answer: 'done' });
});
