/** @file Tests the events of a run, the calls to its workers, and what happens when a step fails. */
import { describe, expect, it } from 'vitest';
import { digestText, fault, mixSeed, renderMessages, SCHEMA } from '../../../src/core/contract';
import { sha256Hex } from '../../../src/core/contract/digest';
import { poolWorker, step } from '../../fixtures/run-events';
import { collect, done, ofType, outline, play, delta, stage, subtaskOf, wait } from './scripted';

describe('a successful run', () => {
  it('emits all events in order and ends with the last step’s output', async () => {
    const { events, run, store } = await play({ plan: [step(0, 'Solve'), step(1, 'Check', [0])] });
    expect(outline(events)).toEqual([
      'run-started',
      'round-started',
      'plan-started',
      'plan-finished',
      'step-queued 0.0.0',
      'step-queued 0.1.0',
      'step-started 0.0.0',
      'step-delta 0.0.0',
      'step-finished 0.0.0',
      'step-started 0.1.0',
      'step-delta 0.1.0',
      'step-finished 0.1.0',
      'round-finished',
      'run-finished',
    ]);
    expect(run).toMatchObject({ status: 'finished', answer: 'Check done', answerKey: { round: 0, step: 1 } });
    expect(await store.read('run-1')).toHaveLength(events.length);
  });

  it('numbers the events without gaps, and stamps each with run, segment and time', async () => {
    const { events } = await play({ plan: [step(0, 'Solve')] });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(new Set(events.map(({ runId, segment }) => `${runId} ${segment}`))).toEqual(new Set(['run-1 0']));
    expect(events[0]).toMatchObject({ schema: SCHEMA, elapsed: 0 });
    expect(events.at(-1)).toMatchObject({ elapsed: 10 });
  });

  it('starts each step as soon as the steps that it sees have finished', async () => {
    const durations: Record<string, number> = { slow: 100, quick: 10, 'after quick': 10, last: 5 };
    const { workers } = await play({
      plan: [step(0, 'slow'), step(1, 'quick'), step(1, 'after quick', [1]), step(2, 'last', [0, 2])],
      work: (call) => [wait(durations[subtaskOf(call)] ?? 0), delta('x'), done()],
    });
    const starts = Object.fromEntries(workers.calls.map((call) => [subtaskOf(call), call.startedAt]));
    expect(starts).toEqual({ slow: 0, quick: 0, 'after quick': 10, last: 100 });
  });

  it('sends the recorded prompt with the run’s sampling and a seed for the step', async () => {
    const { run, workers, events } = await play({
      plan: [step(0, 'Solve'), step(1, 'Check', [0])],
      start: { seed: 7, sampling: { temperature: 0.2, maxTokens: 99 } },
      dependencies: { digest: sha256Hex },
    });
    const call = workers.calls[1];
    expect(call?.messages[0]?.content).toContain('Solve done');
    expect(renderMessages(run, { round: 0, step: 1, attempt: 0 })).toEqual(call?.messages);
    expect(ofType(events, 'step-started')[1]?.sha256).toBe(sha256Hex(digestText(call?.messages ?? [])));
    expect(call?.options).toMatchObject({ temperature: 0.2, maxTokens: 99, attempt: 0, seed: mixSeed(7, 0, 1) });
  });

  it('sends a worker’s system prompt before its step, and changes nothing for the other workers', async () => {
    const system = 'You are terse.';
    const plan = [step(0, 'Solve'), step(1, 'Check', [0])];
    const bare = await play({ plan, start: { pool: [paid, poolWorker(1)] } });
    const { run, workers, events } = await play({
      plan,
      start: { pool: [{ ...paid, system }, poolWorker(1)] },
      dependencies: { digest: sha256Hex },
    });
    const [first, second] = workers.calls;
    expect(first?.messages).toEqual([{ role: 'system', content: system }, ...(bare.workers.calls[0]?.messages ?? [])]);
    expect(JSON.stringify(second?.messages)).toBe(JSON.stringify(bare.workers.calls[1]?.messages));
    expect(renderMessages(run, { round: 0, step: 0, attempt: 0 })).toEqual(first?.messages);
    // Storage keeps the text of a blob once.
    const part = { kind: 'blob', hash: sha256Hex(system), text: system };
    expect(ofType(events, 'step-started')[0]?.messages[0]).toEqual({ role: 'system', parts: [part] });
  });

  it('prefers a worker’s own sampling to the run’s for calls, reservations and records', async () => {
    const own = { maxTokens: 500, temperature: 0.9, topP: 0.8, topK: 20, presencePenalty: 1 };
    const { events, run, workers } = await play({
      plan: [step(0, 'Solve'), step(1, 'Check', [0])],
      start: {
        pool: [{ ...paid, sampling: own }, poolWorker(1)],
        sampling: { temperature: 0.2, maxTokens: 99 },
        caps: { rounds: 1, calls: 9, tokens: 550, usd: null },
      },
    });
    expect(run.pool[0]?.sampling).toEqual(own);
    // The prompt and the worker's 500 tokens exceed the cap. The prompt and the run's 99 tokens would not.
    expect(workers.calls).toHaveLength(0);
    expect(ofType(events, 'cap-reached')).toMatchObject([{ cap: 'tokens' }]);
    const free = await play({
      plan: [step(0, 'Solve'), step(1, 'Check', [0])],
      start: { pool: [{ ...paid, sampling: own }, poolWorker(1)], sampling: { temperature: 0.2, maxTokens: 99 } },
    });
    expect(free.workers.calls[0]?.options).toMatchObject(own);
    expect(free.workers.calls[1]?.options).toMatchObject({ temperature: 0.2, maxTokens: 99 });
    expect(free.workers.calls[1]?.options).not.toHaveProperty('topP');
  });

  it('computes a call’s cost from its usage and the worker’s price', async () => {
    const { events } = await play({
      plan: [step(0, 'Solve')],
      start: { pool: [{ ...paid, price: { input: 10, output: 20 } }] },
    });
    expect(ofType(events, 'step-finished')[0]).toMatchObject({ usage: { input: 100, output: 50 }, cost: 0.002 });
  });

  it('passes on only the answer if content turns out to be reasoning', async () => {
    const { events, workers } = await play({
      plan: [step(0, 'Solve'), step(1, 'Check', [0])],
      work: (call) =>
        subtaskOf(call) === 'Solve'
          ? [
              delta('Six times'),
              wait(60),
              delta(' seven'),
              { type: 'delta', channel: 'content', text: '42', relabels: true },
              done(),
            ]
          : [delta('Yes'), done()],
    });
    expect(ofType(events, 'step-finished')[0]).toMatchObject({ output: '42', reasoning: 'Six times seven' });
    expect(ofType(events, 'step-delta').map(({ text, relabels = false }) => [text, relabels])).toEqual([
      ['Six times', false],
      [' seven', false],
      ['42', true],
      ['Yes', false],
    ]);
    const prompt = JSON.stringify(workers.calls[1]?.messages);
    expect(prompt).toContain('42');
    expect(prompt).not.toContain('Six times');
  });

  it('marks usage as estimated if the worker reports none', async () => {
    const { events, run } = await play({ plan: [step(0, 'Solve')], work: () => [delta('four'), done(null)] });
    expect(ofType(events, 'step-finished')[0]?.usage).toMatchObject({ output: 1, estimated: true });
    expect(run.spent.estimated).toBe(true);
  });
});

describe('a run whose step fails', () => {
  it('skips dependent steps, keeps the other outputs, and names the failed step and its worker', async () => {
    const { events, run } = await play({
      plan: [step(0, 'bad'), step(1, 'good'), step(1, 'after bad', [0]), step(2, 'last', [1, 2])],
      work: (call) =>
        subtaskOf(call) === 'bad'
          ? [{ type: 'failed', fault: fault('unauthorized', 'The key was refused.'), usage: null, cost: null }]
          : [delta('fine'), done()],
    });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'finished', 'skipped', 'skipped']);
    expect(ofType(events, 'step-skipped').map(({ step, because }) => [step, because])).toEqual([
      [2, 0],
      [3, 2],
    ]);
    expect(ofType(events, 'round-finished')[0]?.outcome).toBe('failed');
    expect(run.fault).toMatchObject({ code: 'unauthorized' });
    expect(run.fault?.message).toBe(
      'Step 1 (Alder) failed, and step 4, which gives the answer, depends on it. The key was refused.',
    );
  });

  it('still has an answer if the last step does not depend on the failed step', async () => {
    const { run } = await play({
      plan: [step(0, 'bad'), step(1, 'last')],
      work: (call) => (subtaskOf(call) === 'bad' ? [delta(' '), done()] : [delta('fine'), done()]),
    });
    expect(run).toMatchObject({ status: 'finished', answer: 'fine' });
  });

  it('calls the workers of other steps even if the worker of one step is unknown', async () => {
    const { run } = await play({
      plan: [step(0, 'gone'), step(1, 'last')],
      dependencies: {
        workers: (worker) => {
          if (worker.name === 'Alder') throw new Error('unknown');
          return {
            run: async function* () {
              yield* [delta('fine'), done()];
            },
          };
        },
      },
    });
    expect(run.rounds[0]?.steps.map(({ status }) => status)).toEqual(['failed', 'finished']);
    expect(run.answer).toBe('fine');
  });
});

describe('a run and the reader of its events', () => {
  it('start together: nothing happens before the first event is read', async () => {
    const { conductor, events } = stage({ plan: [step(0, 'Solve')] });
    expect(conductor.requests).toHaveLength(0);
    await collect(events);
    expect(conductor.requests).toHaveLength(1);
  });

  it('are independent afterwards: the run continues even if the reader stops reading', async () => {
    const { events, workers, clock } = stage({ plan: [step(0, 'Solve'), step(1, 'Check', [0])] });
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    await clock.advance(100);
    expect(workers.calls).toHaveLength(2);
    expect(await collect({ [Symbol.asyncIterator]: () => iterator })).toHaveLength(13);
  });
});

const paid = {
  id: 'paid',
  name: 'Paid',
  mark: 'Pa',
  colour: 1,
  kind: 'endpoint',
  model: 'm',
  origin: 'https://api.example.com',
  price: null,
} as const;
