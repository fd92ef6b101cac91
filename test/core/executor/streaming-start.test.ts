/**
 * @file Tests that steps can start before the plan is finished, that a retried or failed plan discards these steps, and
 * how plans fail.
 */
import { describe, expect, it } from 'vitest';
import { fault, type PlanEvent } from '../../../src/core/contract';
import { step } from '../../fixtures/run-events';
import {
  done,
  finished,
  known,
  NOTHING,
  ofType,
  outline,
  play,
  retried,
  delta,
  started,
  subtaskOf,
  wait,
} from './scripted';

const first = step(0, 'first');
const second = step(1, 'second', [0]);

describe('a step that is known before the plan is finished', () => {
  it('starts as soon as the steps that it sees have finished, without waiting for the plan', async () => {
    const { events, run, workers } = await play({
      plan: () => [started, known(0, first), wait(50), known(1, second), wait(50), finished([first, second])],
      work: () => [wait(20), delta('x'), done()],
    });
    expect(workers.calls.map(({ startedAt }) => startedAt)).toEqual([0, 50]);
    const order = outline(events);
    expect(order.indexOf('step-finished 0.1.0')).toBeLessThan(order.indexOf('plan-finished'));
    expect(run).toMatchObject({ status: 'finished', answer: 'x' });
  });

  it('is discarded and started again as a new attempt if the plan is retried', async () => {
    const { events, run, workers } = await play({
      plan: () => [started, known(0, first), wait(10), retried, wait(5), known(0, first), wait(100), finished([first])],
      work: (call) => [delta(`try ${call.options.attempt}`), wait(30), done()],
    });
    expect(outline(events).filter((line) => line.startsWith('step-'))).toEqual([
      'step-queued 0.0.0',
      'step-started 0.0.0',
      'step-delta 0.0.0',
      'step-discarded 0.0.0',
      'step-queued 0.0.1',
      'step-started 0.0.1',
      'step-delta 0.0.1',
      'step-finished 0.0.1',
    ]);
    expect(workers.calls.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(run.answer).toBe('try 1');
    expect(run.spent.calls).toBe(2);
  });

  it('is discarded and called again if the plan is retried, and the discarded usage is recorded', async () => {
    const { events } = await play({
      plan: () => [started, known(0, first), wait(50), retried, finished([first])],
      work: () => [delta('x'), done({ input: 3, output: 4 })],
    });
    expect(ofType(events, 'step-discarded')).toMatchObject([{ usage: { input: 3, output: 4 }, attempt: 0 }]);
    expect(ofType(events, 'step-finished').map(({ attempt }) => attempt)).toEqual([0, 1]);
  });

  it('is discarded if the plan fails, and the run fails with the plan’s fault', async () => {
    const planFailed: PlanEvent = {
      type: 'plan-failed',
      problem: null,
      fault: fault('plan-failed', 'No plan.'),
      text: '',
      ...NOTHING,
    };
    const { events, run, workers } = await play({
      plan: () => [started, known(0, first), known(1, second), wait(10), planFailed],
      work: () => [wait(1000), delta('x'), done()],
    });
    expect(outline(events).slice(-5)).toEqual([
      'plan-failed',
      'step-discarded 0.0.0',
      'step-discarded 0.1.0',
      'round-finished',
      'run-failed',
    ]);
    expect(workers.calls[0]?.aborted).toBe(true);
    expect(run.fault).toMatchObject({ code: 'plan-failed', message: 'No plan.' });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['discarded', 'discarded']);
  });

  it('is called again, with its dependent steps, if the finished plan changes it', async () => {
    const changed = step(2, 'first, otherwise');
    const { run, workers } = await play({
      plan: () => [started, known(0, first), known(1, second), wait(50), finished([changed, second])],
      work: (call) => [delta(`${subtaskOf(call)} seen`), wait(5), done()],
    });
    expect(workers.calls.map(subtaskOf)).toEqual(['first', 'second', 'first, otherwise', 'second']);
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['finished', 'finished']);
    expect(workers.calls[3]?.messages[0]?.content).toContain('first, otherwise seen');
    expect(workers.calls[3]?.options.attempt).toBe(1);
  });

  it('is never called if its worker is not in the pool', async () => {
    const { run, workers } = await play({
      plan: () => [started, known(0, step(9, 'nobody')), wait(50), finished([step(9, 'nobody')])],
    });
    expect(workers.calls).toHaveLength(0);
    expect(run.fault).toMatchObject({ code: 'plan-invalid' });
  });

  it('waits for the finished plan if several plans are requested, and a resumed run requests as many', async () => {
    const plan = () => [started, known(0, first), wait(50), finished([first])];
    const { conductor, workers, run } = await play({ plan, start: { candidates: 3 } });
    expect(conductor.requests[0]?.candidates).toBe(3);
    expect(workers.calls.map(({ startedAt }) => startedAt)).toEqual([50]);
    expect(run.candidates).toBe(3);
    const resumed = await play({ plan, prior: { kind: 'resume', run: { ...run, status: 'interrupted', rounds: [] } } });
    expect(resumed.conductor.requests[0]?.candidates).toBe(3);
  });

  it('waits for the finished plan if the Conductor has reported a candidate plan', async () => {
    const candidate: PlanEvent = {
      type: 'plan-candidate',
      candidate: 0,
      workflow: { steps: [first] },
      problem: null,
      text: '',
      ...NOTHING,
    };
    const { workers } = await play({
      plan: () => [started, candidate, known(0, first), wait(50), finished([first])],
    });
    expect(workers.calls.map(({ startedAt }) => startedAt)).toEqual([50]);
  });
});

describe('a plan', () => {
  it('is not executed if it is invalid, and the run fails with the plan’s problem', async () => {
    const { events, run, workers } = await play({ plan: [step(0, 'a'), step(0, 'b', [1])] });
    expect(workers.calls).toHaveLength(0);
    expect(run.fault).toMatchObject({ code: 'plan-invalid', message: 'Step 2 asks to see itself.' });
    expect(outline(events).slice(-3)).toEqual(['plan-finished', 'round-finished', 'run-failed']);
  });

  it('fails if the Conductor’s events end before the plan is finished', async () => {
    const { events, run } = await play({ plan: () => [started, known(0, first), wait(100)] });
    expect(ofType(events, 'plan-failed')).toHaveLength(1);
    expect(run.fault).toMatchObject({ code: 'plan-failed' });
  });

  it('fails if the Conductor throws', async () => {
    const { run } = await play({
      plan: () => {
        throw new TypeError('broken');
      },
    });
    expect(run.fault).toMatchObject({ code: 'internal', detail: 'TypeError: broken' });
  });

  it('is requested with the run’s temperature for plans, also after a resume', async () => {
    const { conductor, run } = await play({ plan: [first], start: { planTemperature: 0.6 } });
    expect(conductor.requests[0]?.planTemperature).toBe(0.6);
    const cut = { ...run, status: 'interrupted' as const, rounds: [] };
    const resumed = await play({ plan: [first], prior: { kind: 'resume', run: cut } });
    expect(resumed.conductor.requests[0]?.planTemperature).toBe(0.6);
  });

  it('is streamed in merged deltas, and buffered text is emitted before any other event', async () => {
    const delta = (text: string): PlanEvent => ({ type: 'plan-delta', channel: 'content', text });
    const { events, run } = await play({
      plan: () => [started, delta('a'), delta('b'), delta('c'), known(0, first), delta('d'), finished([first])],
    });
    expect(ofType(events, 'plan-delta').map(({ text }) => text)).toEqual(['a', 'bc', 'd']);
    expect(run.rounds[0]?.plan?.firstTokenAt).not.toBeNull();
    const order = outline(events);
    expect(order.indexOf('plan-step-known')).toBe(order.lastIndexOf('plan-delta') - 3);
  });
});
