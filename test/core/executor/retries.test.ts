/** @file Tests which failed calls to workers are retried, when, and which events the retries emit. */
import { describe, expect, it } from 'vitest';
import { abortError, fault, foldEvents, type RunEvent } from '../../../src/core/contract';
import { retryDelay } from '../../../src/core/contract/worker/retry';
import { step } from '../../fixtures/run-events';
import { done, fails, ofType, outline, paidWorker, play, delta, stage, type Call, type WorkerItem } from './scripted';

const busy = fault('overloaded', 'Busy.', { retryable: true });
const solve = (work: (call: Call) => readonly WorkerItem[]) => play({ plan: [step(0, 'Solve')], work });

describe('a call that fails before its first text', () => {
  it('is retried after a pause, with the next attempt number', async () => {
    const { events, run, workers } = await solve(({ options }) =>
      options.attempt < 2 ? [fails(busy)] : [delta('well'), done()],
    );
    expect(outline(events).filter((line) => line.startsWith('step-'))).toEqual([
      'step-queued 0.0.0',
      'step-started 0.0.0',
      'step-retried 0.0.0',
      'step-started 0.0.1',
      'step-retried 0.0.1',
      'step-started 0.0.2',
      'step-delta 0.0.2',
      'step-finished 0.0.2',
    ]);
    const [one, two] = ofType(events, 'step-retried');
    const starts = workers.calls.map(({ startedAt }) => startedAt);
    expect(starts).toEqual([0, one?.delay, (one?.delay ?? 0) + (two?.delay ?? 0)]);
    expect(new Set(workers.calls.map(({ options }) => options.seed)).size).toBe(1);
    expect(run.spent).toMatchObject({ calls: 3, unpriced: 0 });
  });

  it('is not retried after four attempts', async () => {
    const { run, workers } = await solve(() => [fails(busy)]);
    expect(workers.calls).toHaveLength(4);
    expect(run.fault).toMatchObject({ code: 'overloaded', message: 'Step 1 (Alder) failed. Busy.' });
  });

  it('fails at once if its fault is not retryable', async () => {
    const { workers } = await solve(() => [fails(fault('unauthorized', 'No.'))]);
    expect(workers.calls).toHaveLength(1);
  });

  it('is retried after the pause that the server requests', async () => {
    const { workers } = await solve(({ options }) =>
      options.attempt === 0 ? [fails({ ...busy, retryAfter: 45_000 })] : [delta('well'), done()],
    );
    expect(workers.calls[1]?.startedAt).toBe(45_000);
  });

  it('fails at once, and says when to try again, if the server requests a pause of over a minute', async () => {
    const { run, workers } = await solve(() => [fails({ ...busy, retryAfter: 170_000 })]);
    expect(workers.calls).toHaveLength(1);
    expect(run.fault?.message).toContain('Try again in 3 minutes.');
  });

  it('is retried if the connection closes before any text arrives', async () => {
    const { workers } = await solve(({ options }) => (options.attempt === 0 ? [] : [delta('well'), done()]));
    expect(workers.calls).toHaveLength(2);
  });
});

describe('a call that hits a rate limit', () => {
  const limited = fault('rate-limited', 'Too many calls.', { retryable: true });

  it('does not count as an attempt or towards the cap on calls', async () => {
    const { events, run, workers } = await play({
      plan: [step(0, 'Solve')],
      start: { caps: { rounds: 1, calls: 1, tokens: null, usd: null } },
      work: ({ options }) => (options.attempt < 9 ? [fails(limited)] : [delta('well'), done()]),
    });
    expect(workers.calls).toHaveLength(10);
    expect(ofType(events, 'step-retried')).toHaveLength(9);
    expect(run).toMatchObject({ status: 'finished', spent: { calls: 1, unpriced: 0 } });
  });

  it('still gets four attempts for other faults', async () => {
    const { workers } = await solve(({ options }) => [fails(options.attempt % 2 === 0 ? limited : busy)]);
    expect(workers.calls).toHaveLength(8);
  });

  it.each([
    ['is busy or loads the model', { ...busy, status: 503 }, true],
    ['had no room inside a stream that had begun', busy, false],
  ])('is alike if the server %s', async (_what, found, isAlike) => {
    const { run, workers } = await solve(() => [fails(found)]);
    expect(workers.calls).toHaveLength(isAlike ? 12 : 4);
    expect(run).toMatchObject({ fault: { code: 'overloaded' }, spent: { calls: isAlike ? 0 : 4 } });
  });

  it('is retried at most eleven times', async () => {
    const { run, workers } = await solve(() => [fails(limited)]);
    expect(workers.calls).toHaveLength(12);
    expect(run).toMatchObject({ fault: { code: 'rate-limited' }, spent: { calls: 0 } });
  });

  it('waits several minutes if the server requests it', async () => {
    const { workers } = await solve(({ options }) =>
      options.attempt === 0 ? [fails({ ...limited, retryAfter: 170_000 })] : [delta('well'), done()],
    );
    expect(workers.calls[1]?.startedAt).toBe(170_000);
  });

  it('is not retried if a quota is spent', async () => {
    const spent = fault('quota-spent', 'Back at noon.', { retryable: true, retryAfter: 1000 });
    const { run, workers } = await solve(() => [fails(spent)]);
    expect(workers.calls).toHaveLength(1);
    expect(run.fault).toMatchObject({ code: 'quota-spent', message: 'Step 1 (Alder) failed. Back at noon.' });
  });
});

describe('a call that has to wait before it is sent', () => {
  const held: WorkerItem = { type: 'waiting', for: 'limit', delay: 20_000 };
  const leaves: WorkerItem = { type: 'waiting', for: null, delay: null };

  it('emits one event when the wait starts and one when the call is sent', async () => {
    const { events, run } = await solve(() => [held, { wait: 20_000 }, leaves, delta('well'), done()]);
    expect(outline(events).filter((line) => line.startsWith('step-'))).toEqual([
      'step-queued 0.0.0',
      'step-started 0.0.0',
      'step-waiting 0.0.0',
      'step-waiting 0.0.0',
      'step-delta 0.0.0',
      'step-finished 0.0.0',
    ]);
    const atHold = foldEvents(events.slice(0, events.findIndex(({ type }) => type === 'step-waiting') + 1));
    expect(atHold?.rounds[0]?.steps[0]?.attempts[0]?.wait).toEqual({ for: 'limit', since: 0, until: 20_000 });
    expect(run.rounds[0]?.steps[0]?.attempts[0]?.wait).toBeNull();
  });

  it('costs nothing if the page closes during the wait, and an unknown amount if it closes later', async () => {
    const { events } = await play({
      plan: [step(0, 'Solve')],
      start: { pool: [paidWorker(0)] },
      work: () => [held, { wait: 20_000 }, leaves, { wait: 5 }, delta('well'), done()],
    });
    const interruptedAfter = (index: number) => {
      const begun = events.slice(0, index + 1);
      const last = begun.at(-1);
      const end = last && { ...last, type: 'run-interrupted' as const, seq: last.seq + 1 };
      return foldEvents(end ? [...begun, end] : begun)?.spent.unpriced;
    };
    const first = events.findIndex(({ type }) => type === 'step-waiting');
    expect(interruptedAfter(first)).toBe(0);
    expect(interruptedAfter(first + 1)).toBe(1);
  });

  it('costs nothing if the run is stopped during the wait', async () => {
    const { events: stream, controller } = stage({
      plan: [step(0, 'Solve')],
      start: { pool: [paidWorker(0)] },
      work: () => [held, { wait: 20_000 }, leaves, delta('well'), done()],
    });
    const events: RunEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.type === 'step-waiting') controller.abort();
    }
    expect(ofType(events, 'step-cancelled')).toMatchObject([{ usage: null, cost: 0 }]);
  });
});

describe('a call that fails after its first text', () => {
  it('fails the step and keeps its partial output', async () => {
    const { events, workers } = await solve(() => [delta('so far'), fails(busy)]);
    expect(workers.calls).toHaveLength(1);
    expect(ofType(events, 'step-failed')).toMatchObject([{ output: 'so far', fault: { code: 'overloaded' } }]);
  });

  it('fails the step even if its only text is reasoning', async () => {
    const { events, workers } = await solve(() => [delta('hm', 'reasoning'), fails(busy)]);
    expect(workers.calls).toHaveLength(1);
    expect(ofType(events, 'step-failed')).toMatchObject([{ reasoning: 'hm' }]);
  });

  it('fails with `cut-off` if the stream ends without a final event', async () => {
    const { run } = await solve(() => [delta('so far')]);
    expect(run.fault).toMatchObject({ code: 'cut-off' });
  });

  it('records the usage that the server reported', async () => {
    const usage = { input: 5, output: 6 };
    const { events } = await solve(() => [delta('x'), { type: 'failed', fault: busy, usage, cost: 0.5 }]);
    expect(ofType(events, 'step-failed')).toMatchObject([{ usage, cost: 0.5 }]);
  });
});

describe('a worker whose call ends in an unusual way', () => {
  it('fails the step if it throws', async () => {
    const { run } = await solve(() => [{ throw: new TypeError('oops') }]);
    expect(run.fault).toMatchObject({ code: 'internal', detail: 'TypeError: oops' });
  });

  it('fails the step with `cut-off` if it throws an AbortError without an abort', async () => {
    const { run } = await solve(() => [delta('x'), { throw: abortError() }]);
    expect(run.fault).toMatchObject({ code: 'cut-off' });
  });

  it('fails the step with `empty-reply` if its text is only white space', async () => {
    const { events, workers } = await solve(() => [delta(' \n'), done()]);
    expect(workers.calls).toHaveLength(1);
    expect(ofType(events, 'step-failed')).toMatchObject([{ fault: { code: 'empty-reply' }, output: ' \n' }]);
  });

  it('fails the step and reports the token limit if it spent all tokens on reasoning', async () => {
    const end = { type: 'finished', usage: null, cost: null, finishReason: 'length' } as const;
    const { run } = await solve(() => [delta('hm', 'reasoning'), end]);
    expect(run.fault?.message).toContain('used up all its tokens');
  });

  it('finishes the step if it reaches the token limit within its answer', async () => {
    const end = { type: 'finished', usage: null, cost: null, finishReason: 'length' } as const;
    const { run } = await solve(() => [delta('half an ans'), end]);
    expect(run).toMatchObject({ status: 'finished', answer: 'half an ans' });
  });

  it('cannot add text to the step after its final event', async () => {
    const { run } = await solve(() => [delta('x'), done(), delta('y')]);
    expect(run.answer).toBe('x');
  });
});

describe('pauses between attempts', () => {
  it('depend on the seed, and last at most 0.5 s after one failure and 2 s after three', () => {
    const delays = [...Array(200).keys()].map((seed) => retryDelay(busy, 1, seed) ?? -1);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(500);
    expect(new Set(delays).size).toBeGreaterThan(100);
    expect(retryDelay(busy, 3, 7)).toBe(retryDelay(busy, 3, 7));
    expect(retryDelay(busy, 3, 7)).toBeLessThanOrEqual(2000);
  });
});
