/**
 * @file Tests runs with several rounds. If the last step of a workflow names the Conductor, the Conductor receives the results
 * of the workflow. Then the Conductor writes another workflow or keeps the answer.
 */
import { describe, expect, it } from 'vitest';
import { fault, type PlanRequest, type Step } from '../../../src/core/contract';
import { poolWorker, step } from '../../fixtures/run-events';
import {
  conductorWorker,
  done,
  fails,
  finished,
  fold,
  ofType,
  outline,
  play,
  delta,
  stage,
  started,
  subtaskOf,
} from './scripted';

const pool = [poolWorker(0), poolWorker(1), conductorWorker(2)];
const again = step(2, 'Look at it again', [0]);
const recursive = (rounds: number) => ({
  pool,
  recursion: true,
  caps: { rounds, calls: 20, tokens: null, usd: null },
});
const rounds = (...workflows: readonly (readonly Step[])[]) => {
  return ({ round }: PlanRequest) => [started, finished(workflows[round] ?? [])];
};

describe('recursion', () => {
  it('starts another round, instead of calling a worker, if the last step names the Conductor', async () => {
    const { events, run, workers, conductor } = await play({
      plan: rounds([step(0, 'draft'), again], [step(1, 'mend')]),
      start: recursive(3),
    });
    expect(workers.calls.map(subtaskOf)).toEqual(['draft', 'mend']);
    expect(ofType(events, 'round-finished').map(({ outcome }) => outcome)).toEqual(['recursed', 'answered']);
    expect(run).toMatchObject({ answer: 'mend done', answerKey: { round: 1, step: 0 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'recursed']);
    expect(conductor.requests[1]).toMatchObject({
      round: 1,
      recursion: true,
      earlier: [
        { workflow: { steps: [step(0, 'draft'), again] }, outputs: ['draft done', null], answer: 'draft done' },
      ],
    });
  });

  it('shows the Conductor every earlier round, including failed steps', async () => {
    const { conductor } = await play({
      plan: rounds([step(0, 'one'), step(1, 'bad'), again], [step(0, 'two'), again], [step(0, 'three')]),
      start: recursive(4),
      work: (call) =>
        subtaskOf(call) === 'bad' ? [fails(fault('forbidden', 'No.'))] : [delta(subtaskOf(call)), done()],
    });
    expect(conductor.requests[2]?.earlier.map(({ outputs, answer }) => ({ outputs, answer }))).toEqual([
      { outputs: ['one', null, null], answer: 'one' },
      { outputs: ['two', null], answer: 'two' },
    ]);
  });

  it('keeps the earlier answer if the second workflow is empty', async () => {
    const { events, run } = await play({ plan: rounds([step(0, 'draft'), again], []), start: recursive(3) });
    expect(outline(events).slice(-3)).toEqual(['plan-finished', 'round-finished', 'run-finished']);
    expect(run.rounds[1]?.outcome).toBe('kept');
    expect(run).toMatchObject({ answer: 'draft done', answerKey: { round: 0, step: 0 } });
  });

  it('rejects an empty workflow in the first round', async () => {
    const { run } = await play({ plan: rounds([]), start: recursive(3) });
    expect(run.fault?.code).toBe('plan-invalid');
  });

  it('rejects an empty workflow when no earlier round has an answer', async () => {
    const { run } = await play({
      plan: rounds([step(0, 'draft'), again], []),
      start: recursive(3),
      work: () => [fails(fault('forbidden', 'No.'))],
    });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['recursed', 'failed']);
    expect(run.fault?.code).toBe('plan-invalid');
  });

  it('removes the Conductor from the pool in the last permitted round', async () => {
    const { conductor } = await play({
      plan: rounds([step(0, 'draft'), again], [step(1, 'mend')]),
      start: recursive(2),
    });
    expect(conductor.requests.map(({ recursion, pool: offered }) => [recursion, offered.length])).toEqual([
      [true, 3],
      [false, 2],
    ]);
  });

  it('uses the last worker’s output if the Conductor requests more rounds than permitted', async () => {
    const { events, run } = await play({
      plan: rounds([step(0, 'draft'), again], [step(1, 'mend'), again]),
      start: recursive(2),
    });
    expect(ofType(events, 'cap-reached')).toMatchObject([{ cap: 'rounds', limit: 2, wanted: 3 }]);
    expect(outline(events).slice(-4)).toEqual(['cap-reached', 'step-skipped 1.1.0', 'round-finished', 'run-finished']);
    expect(run.rounds[1]?.steps.map(({ status, because }) => [status, because])).toEqual([
      ['finished', null],
      ['skipped', 1],
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'mend done', answerKey: { round: 1, step: 0 } });
  });

  it('fails if no further round is permitted and the last worker has no output', async () => {
    const { run } = await play({
      plan: rounds([step(0, 'draft'), again]),
      start: recursive(1),
      work: () => [fails(fault('forbidden', 'Not allowed.'))],
    });
    expect(run.fault?.message).toBe('Step 1 (Alder) failed. Not allowed.');
  });

  it('requests no further round after a cap refuses a call, and fails with `cap-reached`', async () => {
    const { conductor, run } = await play({
      plan: rounds([step(0, 'one'), step(1, 'two'), again]),
      start: { ...recursive(3), caps: { rounds: 3, calls: 1, tokens: null, usd: null } },
    });
    expect(conductor.requests).toHaveLength(1);
    expect(run.fault?.code).toBe('cap-reached');
    expect(run.rounds[0]?.steps.at(-1)).toMatchObject({ status: 'skipped', because: 2 });
  });

  it('also cancels the step that names the Conductor if the run is canceled before that step', async () => {
    const staged = stage({ plan: rounds([step(0, 'draft'), again]), start: recursive(3) });
    const events = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'step-started') staged.controller.abort();
    }
    expect(fold(events).rounds[0]?.steps.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('continues the last permitted round if that round failed and the run is resumed', async () => {
    const scene = { plan: rounds([step(0, 'draft'), again]), start: recursive(1) };
    const failed = await play({ ...scene, work: () => [fails(fault('forbidden', 'Not allowed.'))] });
    const { run } = await play({ ...scene, store: failed.store, prior: { kind: 'resume', run: failed.run } });
    expect(run).toMatchObject({ status: 'finished', answer: 'draft done' });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'skipped']);
  });

  it('rejects a workflow if a step before the last step names the Conductor', async () => {
    const { run } = await play({ plan: rounds([again, step(0, 'x')]), start: recursive(3) });
    expect(run.fault?.code).toBe('plan-invalid');
  });
});

describe('the second round in recursion mode “always”', () => {
  const workers = pool.slice(0, 2);
  const always = (limit: number) => ({
    pool: workers,
    recursionMode: 'always' as const,
    caps: { rounds: limit, calls: 20, tokens: null, usd: null },
  });
  const repair = { ...step(1, 'mend'), seesEarlier: true };
  const twice = rounds([step(0, 'draft'), step(1, 'check', [0])], [repair], [step(0, 'never')]);

  it('starts after the first round, and no third round follows', async () => {
    const { events, run, conductor } = await play({ plan: twice, start: always(5) });
    expect(ofType(events, 'round-finished').map(({ outcome }) => outcome)).toEqual(['recursed', 'answered']);
    expect(run).toMatchObject({ recursionMode: 'always', answer: 'mend done', answerKey: { round: 1, step: 0 } });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'finished']);
    expect(
      conductor.requests.map(({ pool: offered, recursion, showsEarlier }) => [offered.length, recursion, showsEarlier]),
    ).toEqual([
      [2, false, undefined],
      [2, false, true],
    ]);
  });

  it('includes the first round’s responses only in prompts of steps with `seesEarlier`', async () => {
    const { workers: called } = await play({
      plan: rounds([step(0, 'draft')], [repair, step(0, 'decide', [0])]),
      start: always(2),
    });
    const textOf = (place: number) => called.calls[place]?.messages[0]?.content ?? '';
    expect(textOf(1)).toContain('What was done in round 1:');
    expect(textOf(1)).toContain('<response round="1" number="1">\ndraft done\n</response>');
    expect(textOf(2)).not.toContain('round="1"');
    expect(textOf(2)).toContain('<response number="1">\nmend done\n</response>');
  });

  it('is skipped if the cap allows only one round', async () => {
    const { run, conductor } = await play({ plan: twice, start: always(1) });
    expect(conductor.requests).toHaveLength(1);
    expect(run).toMatchObject({ answer: 'check done', rounds: [{ outcome: 'answered' }] });
  });

  it('keeps the answer of the first round if the second workflow is empty', async () => {
    const { run } = await play({ plan: rounds([step(0, 'draft')], []), start: always(2) });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['recursed', 'kept']);
    expect(run).toMatchObject({ answer: 'draft done', answerKey: { round: 0, step: 0 } });
  });

  it('starts when a run that was canceled after the first round is resumed', async () => {
    const scene = { plan: twice, start: always(2) };
    const staged = stage(scene);
    const events = [];
    for await (const event of staged.events) {
      events.push(event);
      if (event.type === 'round-finished') staged.controller.abort();
    }
    const prior = { kind: 'resume' as const, run: fold(events) };
    const { run, workers: called } = await play({ ...scene, store: staged.store, prior });
    expect(run.rounds.map(({ outcome }) => outcome)).toEqual(['recursed', 'answered']);
    expect(called.calls.map(subtaskOf)).toEqual(['mend']);
    expect(called.calls[0]?.messages[0]?.content).toContain('draft done');
  });
});
