import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEvent,
  expandDeltas,
  fault,
  foldEvents,
  renderMessages,
  shrinkDeltas,
  summarize,
  type EventBody,
  type Price,
  type PromptMessage,
  type Run,
  type StoredEvent,
} from '../../../../src/core/contract';
import { endedRun } from '../../../fixtures/run-arbitrary';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

function fold(events: readonly StoredEvent[]): Run {
  const run = foldEvents(events);
  if (!run) throw new Error('the events contain no run-started');
  return run;
}
const finished = () => stampEvents(finishedRunBodies());
const key = (index: number, attempt = 0) => ({ round: 0, step: index, attempt });
const start = (index: number, attempt = 0): EventBody => ({
  type: 'step-started',
  ...key(index, attempt),
  workerId: poolWorker(index).id,
  messages: [],
  sha256: '',
});
const planned = (steps = [step(0, 'Solve it'), step(1, 'Decide', [0])]): EventBody[] => [
  runStarted(),
  { type: 'round-started', round: 0 },
  { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
  {
    type: 'plan-finished',
    round: 0,
    workflow: { steps },
    thought: '',
    text: '',
    source: 'conductor',
    usage: null,
    cost: null,
    finishReason: null,
  },
];

describe('applyEvent', () => {
  test('keeps the reasoning of a reused output', () => {
    const reused: EventBody = { type: 'step-reused', ...key(0), output: 'four', reasoning: 'two and two' };
    const run = fold(stampEvents([...planned(), reused]));
    expect(run.rounds[0]?.steps[0]).toMatchObject({ status: 'reused', output: 'four', reasoning: 'two and two' });
    expect(run.rounds[0]?.steps[1]?.reasoning).toBe('');
  });

  test('records that a run was imported, without counting the import as active time', () => {
    const before = fold(finished());
    expect([before.importedAt, summarize(before).imported]).toEqual([null, undefined]);
    const { runId, seq, segment } = finished().at(-1) ?? { runId: '', seq: 0, segment: 0 };
    const run = applyEvent(before, { type: 'run-imported', runId, seq: seq + 1, at: 5, segment, elapsed: 1e9 });
    expect(run).toEqual({ ...before, importedAt: 5, lastSeq: seq + 1 });
    expect(summarize(run).imported).toBe(true);
  });

  test('computes the answer, steps and cost of a finished run from its events', () => {
    const run = fold(finished());
    expect(run).toMatchObject({ status: 'finished', answer: 'the answer', answerKey: { round: 0, step: 2 } });
    expect(run.rounds[0]?.steps.map(({ status, output }) => [status, output])).toEqual([
      ['finished', 'one done'],
      ['finished', 'two'],
      ['finished', 'the answer'],
    ]);
    expect(run.spent).toEqual({
      calls: 3,
      input: 30,
      output: 15,
      usd: 0.003,
      billed: 0,
      unpriced: 0,
      estimated: false,
    });
    const attempt = run.rounds[0]?.steps[0]?.attempts[0];
    expect(attempt).toMatchObject({ status: 'finished', startedAt: 800, firstTokenAt: 1100, endedAt: 1400 });
  });

  test('does not mutate the given run, and shares its unchanged parts with the new run', () => {
    const events = finished();
    const before = fold(events.slice(0, 12));
    const frozen = structuredClone(before);
    const next = events[12];
    if (!next) throw new Error('too few events');
    const after = applyEvent(before, next);
    expect(before).toEqual(frozen);
    expect(after).not.toBe(before);
    expect(after.pool).toBe(before.pool);
    expect(after.rounds[0]?.plan).toBe(before.rounds[0]?.plan);
  });

  test('ignores events before the start, repeated events, and events of other runs or missing rounds', () => {
    const events = finished();
    const [, second] = events;
    if (!second) throw new Error('too few events');
    expect(applyEvent(null, second)).toBeNull();
    const run = fold(events);
    expect(applyEvent(run, { ...second, seq: 999, runId: 'other' })).toBe(run);
    expect(applyEvent(run, second)).toBe(run);
    const stray = stampEvents([
      runStarted(),
      start(3),
      { type: 'plan-delta', round: 4, channel: 'content', text: 'x' },
    ]);
    expect(fold(stray).rounds).toEqual([]);
  });

  test('counts an event of an unknown type, and otherwise ignores it', () => {
    const later: StoredEvent = {
      runId: 'run-1',
      seq: 24,
      at: 0,
      segment: 0,
      elapsed: 0,
      type: 'step-dreamt',
      of: 'sheep',
    };
    const run = fold([...finished(), later]);
    expect(run).toMatchObject({ unknownEvents: 1, status: 'finished', lastSeq: 24 });
  });

  test('counts a repeated event of an unknown type once, and does not count such events of another run', () => {
    const events = finished();
    const odd: StoredEvent = {
      runId: 'run-1',
      seq: events.length,
      at: 0,
      segment: 0,
      elapsed: 0,
      type: 'step-praised',
    };
    const run = fold([...events, odd, odd, { ...odd, seq: 3 }, { ...odd, runId: 'run-2', seq: odd.seq + 1 }]);
    expect(run).toEqual(fold([...events, odd]));
  });

  test('marks running steps as interrupted, and does not count the time until the run resumes', () => {
    const free = fold(stampEvents([...planned(), start(0), { type: 'run-interrupted' }]));
    expect(free.status).toBe('interrupted');
    expect(free.rounds[0]?.steps[0]).toMatchObject({ status: 'interrupted', attempts: [{ status: 'interrupted' }] });
    expect(free.spent.unpriced).toBe(0);
    const elsewhere = poolWorker(0, { kind: 'endpoint', origin: 'https://api.example.com', price: null });
    const paid = fold(
      stampEvents([
        ...planned().map((body) =>
          body.type === 'run-started' ? { ...body, pool: [elsewhere, poolWorker(1)] } : body,
        ),
        start(0),
        { type: 'run-interrupted' },
      ]),
    );
    expect(paid.spent.unpriced).toBe(1);

    const resumed = stampEvents([
      ...planned(),
      start(0),
      { type: 'run-interrupted' },
      { type: 'run-resumed', segment: 1, elapsed: 0 },
      { ...start(0, 1), segment: 1, elapsed: 50 },
    ]);
    const run = fold(resumed);
    expect(run).toMatchObject({ status: 'running', time: 550, segments: [{ offset: 0 }, { offset: 500 }] });
    expect(run.rounds[0]?.steps[0]?.attempts.map(({ status }) => status)).toEqual(['interrupted', 'running']);
  });

  test.each(['run-interrupted', 'run-cancelled'] as const)(
    'treats an unfinished plan’s cost as unknown after %s, except with a free Conductor or without a prompt',
    (type) => {
      const conductor = { id: 'endpoint:x', label: 'X', kind: 'endpoint', origin: 'https://x.example.com' } as const;
      const unpriced = (price: Price | null, messages: readonly PromptMessage[]) =>
        fold(
          stampEvents([
            runStarted(),
            { type: 'round-started', round: 0 },
            { type: 'plan-started', round: 0, conductor: { ...conductor, price }, messages },
            { type },
          ]),
        ).spent.unpriced;
      const requested: PromptMessage[] = [{ role: 'user', parts: [{ kind: 'question' }] }];
      expect(unpriced(null, requested)).toBe(1);
      expect(unpriced({ input: 1, output: 2 }, requested)).toBe(1);
      expect(unpriced({ input: 0, output: 0 }, requested)).toBe(0);
      expect(unpriced(null, [])).toBe(0);
    },
  );

  test('ends the wait for the daily budget when the plan is held for the user’s choice', () => {
    const { plan } =
      fold(
        stampEvents([
          runStarted(),
          { type: 'round-started', round: 0 },
          { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
          { type: 'plan-waiting', round: 0, for: 'money', delay: null },
          { type: 'plan-held', round: 0, heldFor: 'choice' },
        ]),
      ).rounds[0] ?? {};
    expect(plan).toMatchObject({ wait: null, isChoiceOpen: true });
  });

  test('discards steps started from an unfinished plan when the plan is retried, but counts their cost', () => {
    const early = step(0, 'Guess');
    const run = fold(
      stampEvents([
        runStarted(),
        { type: 'round-started', round: 0 },
        { type: 'plan-started', round: 0, conductor: runStarted().conductor, messages: [] },
        { type: 'plan-step-known', round: 0, index: 0, step: early },
        { type: 'plan-step-known', round: 0, index: 1, step: step(1, 'More') },
        start(0),
        {
          type: 'plan-retried',
          round: 0,
          problem: null,
          fault: null,
          text: 'lost',
          usage: { input: 7, output: 3 },
          cost: 0.5,
          next: 'stricter',
        },
        { type: 'step-discarded', ...key(0), usage: { input: 1, output: 1 }, cost: 0.25 },
        { type: 'plan-step-known', round: 0, index: 0, step: early },
        start(0, 1),
      ]),
    );
    expect(run.rounds[0]?.discarded).toMatchObject([
      { index: 0, status: 'discarded', attempts: [{ status: 'discarded', cost: 0.25 }] },
    ]);
    expect(run.rounds[0]?.steps).toMatchObject([{ status: 'running', attempts: [{ attempt: 1 }] }]);
    expect(run.spent).toMatchObject({ calls: 2, usd: 0.75, input: 8 });
  });

  test('counts a waiting call only after the call is sent', () => {
    const waits = (cause: 'limit' | 'money' | null): EventBody => ({
      type: 'step-waiting',
      ...key(0),
      for: cause,
      delay: null,
    });
    const delta: EventBody = { type: 'step-delta', ...key(0), channel: 'content', text: 'a' };
    const calls = (...bodies: readonly EventBody[]) =>
      fold(stampEvents([...planned(), start(0), ...bodies])).spent.calls;
    expect(calls()).toBe(1);
    expect(calls(waits('limit'))).toBe(0);
    expect(calls(waits('limit'), waits('money'))).toBe(0);
    expect(calls(waits('limit'), waits(null))).toBe(1);
    expect(calls(waits('limit'), waits(null), waits('money'))).toBe(0);
    expect(calls(waits('limit'), delta, delta)).toBe(1);
    expect(calls(waits('limit'), { type: 'run-interrupted' })).toBe(0);
    expect(calls({ type: 'run-interrupted' })).toBe(1);
  });

  test('counts exactly the calls that were sent, after each event of any run', () => {
    const attemptOf = ({ round, step: index, attempt }: { round: number; step: number; attempt: number }) =>
      `${round}/${index}/${attempt}`;
    fc.assert(
      fc.property(endedRun(), (events) => {
        const left = new Map<string, boolean>();
        let run: Run | null = null;
        for (const event of events) {
          run = applyEvent(run, event);
          if (event.type === 'step-started' || event.type === 'step-delta' || event.type === 'step-finished') {
            left.set(attemptOf(event), true);
          } else if (event.type === 'step-waiting') {
            left.set(attemptOf(event), event.for === null);
          } else if (
            (event.type === 'step-failed' || event.type === 'step-cancelled' || event.type === 'step-discarded') &&
            event.sent === false
          ) {
            left.set(attemptOf(event), false);
          }
          expect(run?.spent.calls).toBe([...left.values()].filter(Boolean).length);
        }
      }),
    );
  });

  test('keeps the partial text of a failed step, and marks the steps that depend on it as skipped', () => {
    const broken = fault('cut-off', 'It was cut off.');
    const run = fold(
      stampEvents([
        ...planned(),
        start(0),
        { type: 'step-failed', ...key(0), fault: broken, output: 'half', reasoning: '', usage: null, cost: null },
        { type: 'step-skipped', ...key(1), because: 0 },
        { type: 'round-finished', round: 0, outcome: 'failed' },
        { type: 'run-failed', fault: broken },
      ]),
    );
    expect(run).toMatchObject({ status: 'failed', fault: broken, answer: null });
    expect(run.rounds[0]?.steps[0]).toMatchObject({ status: 'failed', output: null, attempts: [{ output: 'half' }] });
    expect(run.rounds[0]?.steps[1]).toMatchObject({ status: 'skipped', because: 0 });
    expect(run.spent.unpriced).toBe(1);
  });

  test("prefers the user's grade to a grader's, and counts no active time for grading", () => {
    const graded = (by: 'person' | 'grader', correct: boolean | null): EventBody => ({
      type: 'run-graded',
      by,
      correct,
      detail: '',
    });
    const run = fold(stampEvents([...finishedRunBodies(), graded('person', true), graded('grader', false)]));
    expect(run.grade).toMatchObject({ correct: true, by: 'person' });
    expect(run.time).toBe(fold(finished()).time);
    const undone = fold(stampEvents([...finishedRunBodies(), graded('person', true), graded('person', null)]));
    expect(undone.grade?.correct).toBeNull();
  });
});

describe('deltas', () => {
  test('give the same run after `shrinkDeltas`, and are restored by `expandDeltas`', () => {
    const events = finished();
    const shrunk = shrinkDeltas(events);
    expect(JSON.stringify(shrunk)).not.toContain('"text":"one "');
    expect(fold(shrunk)).toEqual(fold(events));
    expect(expandDeltas(shrunk)).toEqual(events);
  });

  test('are restored as they arrived if content turned out to be reasoning', () => {
    const piece = (text: string, relabels?: true): EventBody => {
      return { type: 'step-delta', ...key(0), channel: 'content', text, ...(relabels ? { relabels } : {}) };
    };
    const before = finishedRunBodies().findIndex((body) => body.type === 'step-delta');
    const end = {
      type: 'step-finished',
      ...key(0),
      output: '42, yes',
      reasoning: 'Six times',
      finishReason: null,
    } as const;
    const bill = { usage: null, cost: null };
    const events = stampEvents([
      ...finishedRunBodies().slice(0, before),
      piece('Six '),
      piece('times'),
      piece('42', true),
      piece(', yes'),
      { ...end, ...bill },
    ]);
    const shown = events.map((_, at) => fold(events.slice(0, at + 1)).rounds[0]?.steps[0]?.attempts[0]);
    expect(shown.slice(-4).map((attempt) => [attempt?.reasoning, attempt?.output])).toEqual([
      ['', 'Six times'],
      ['Six times', '42'],
      ['Six times', '42, yes'],
      ['Six times', '42, yes'],
    ]);
    const shrunk = shrinkDeltas(events);
    expect(JSON.stringify(shrunk)).not.toContain('"text":"Six ');
    expect(expandDeltas(shrunk)).toEqual(events);
    expect(expandDeltas(shrinkDeltas(shrunk))).toEqual(events);
  });

  test('are not shrunk before their step has ended', () => {
    const events = finished().slice(0, 13);
    expect(shrinkDeltas(events)).toEqual(events);
  });
});

test('`renderMessages` restores the exact text of a prompt', () => {
  const run = fold(finished());
  expect(renderMessages(run, key(1))).toEqual([{ role: 'user', content: `${run.question.text}Solve it another way` }]);
  expect(renderMessages(run, key(1, 5))).toBeNull();
});

test('`summarize` returns the fields and the small chart that the list of runs shows', () => {
  const summary = summarize(fold(finished()));
  expect(summary).toMatchObject({
    workers: ['Alder', 'Birch', 'Cedar'],
    status: 'finished',
    steps: 3,
    tokens: 45,
    usd: 0.003,
    simulated: true,
    correct: null,
  });
  expect(summary.glyph.map(({ lane }) => lane)).toEqual([0, 1, 2, 3]);
  expect(summary.glyph.every(({ start, end }) => 0 <= start && start <= end && end <= 1)).toBe(true);
});
