import { describe, expect, expectTypeOf, it } from 'vitest';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import {
  foldEvents,
  sameWorker,
  SCHEMA,
  SETTING_DEFAULTS,
  type EventBody,
  type EventStamp,
  type EventType,
  type PublishedRecord,
  type RunEvent,
} from '../../../../src/core/contract';
import { eventSchemas, parseRun, parseStoredEvent, upcast } from '../../../../src/core/contract/storage/schema';
import { parsePreferences, parseWorkerSetup } from '../../../../src/core/contract/storage/setup-schema';
import { finishedRunBodies, poolWorker, runStarted, stampEvents, step } from '../../../fixtures/run-events';

/** `T` without `readonly` and index signatures, at every depth. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T as string extends Key ? never : Key]: Plain<T[Key]> }
    : T;
type Parsed = { [Type in EventType]: Plain<z.output<(typeof eventSchemas)[Type]>> };
type Contract = { [Type in EventType]: Plain<Extract<RunEvent, { type: Type }>> };

const stamp: EventStamp = { runId: 'run-1', seq: 3, at: 1_760_000_000_000, segment: 0, elapsed: 12.5 };
const key = { round: 0, step: 1, attempt: 0 };
const usage = { input: 10, output: 5, reasoning: 2, estimated: true };
const bill = { usage, cost: 0.25 };
const fault = {
  code: 'rate-limited',
  message: 'Wait.',
  retryable: true,
  retryAfter: 100,
  status: 429,
  detail: '…',
} as const;
const problem = { code: 'cut-off', message: 'The plan is cut off.', at: 12 } as const;
const workflow = { steps: [{ ...step(0, 'Solve'), role: 'solve' as const }, step(1, 'Decide', [0])] };
const messages = [
  { role: 'system', parts: [{ kind: 'blob', hash: 'abc', text: 'Long.' }] },
  {
    role: 'user',
    images: ['abc'],
    parts: [
      { kind: 'literal', text: 'Q: ' },
      { kind: 'question' },
      { kind: 'subtask', round: 0, step: 1 },
      { kind: 'output', round: 0, step: 0 },
    ],
  },
] as const;

/** One event of each type, including optional fields. */
const BODIES: { [Type in EventType]: Extract<EventBody, { type: Type }> } = {
  'run-started': runStarted({
    question: {
      context: {
        runId: 'run-0',
        question: 'What is 6 × 7?',
        answer: 'It is 42.',
        earlier: [{ runId: 'run-z', question: 'What is 6?', answer: 'A number.' }],
        first: 'run-z',
        turn: 3,
      },
      text: 'What is this?',
      images: [{ hash: 'abc', type: 'image/png', width: 4, height: 3, size: 60 }],
    },
    approval: true,
    alone: { worker: 'a', share: 0.2 },
    pool: [
      poolWorker(0, {
        kind: 'endpoint',
        origin: 'https://a.example',
        price: null,
        description: 'Good.',
        contextWindow: 8192,
        canSee: true,
      }),
      poolWorker(1, { strengths: { solve: 0.5 } }),
    ],
    conductor: { id: 'endpoint:x', label: 'X', kind: 'endpoint', model: 'x', origin: null, canSee: true },
    sampling: { temperature: 0, maxTokens: 10, seed: 4 },
    access: 'binary',
    candidates: 3,
    parent: { runId: 'run-0', round: 0, step: 1 },
  }),
  'round-started': { type: 'round-started', round: 0 },
  'plan-started': {
    type: 'plan-started',
    round: 0,
    conductor: { id: 'heuristic', label: 'Built in', kind: 'heuristic' },
    messages,
    engine: 'webllm',
    revision: 'r1',
    sampling: { temperature: 0.2, maxTokens: 512 },
    grammar: { hash: 'def', text: 'root ::= "x"' },
    policy: { part: 'skeleton', revision: 'p1', logProbability: -2.5 },
  },
  'plan-waiting': { type: 'plan-waiting', round: 0, for: 'limit', delay: 900 },
  'plan-delta': { type: 'plan-delta', round: 0, channel: 'reasoning', text: '', length: 4 },
  'plan-step-known': { type: 'plan-step-known', round: 0, index: 0, step: step(0, 'Solve') },
  'plan-retried': {
    type: 'plan-retried',
    round: 0,
    problem,
    fault: null,
    text: '{',
    ...bill,
    next: 'stricter',
    correction: { shown: true, text: 'Again.' },
  },
  'plan-candidate': {
    type: 'plan-candidate',
    round: 0,
    candidate: 0,
    workflow,
    problem: null,
    text: '{}',
    ...bill,
    fault: { code: 'unreachable', message: 'Nobody answers.', retryable: true },
    score: { logProbability: null, choices: 0, reason: 'The last step gives no answer.' },
    choices: [
      { by: 'model', role: 'verify', basis: 'order', expected: 0.5, graded: 0, right: 0, inRole: false, runs: [] },
    ],
  },
  'plan-chosen': { type: 'plan-chosen', round: 0, candidate: 0, by: 'vote' },
  'plan-finished': {
    type: 'plan-finished',
    round: 0,
    workflow,
    thought: '',
    text: '{}',
    source: 'fallback',
    ...bill,
    finishReason: 'length',
    speed: { promptTokens: 900, decodeTokens: 120, prefill: 800, decode: 38.5, firstToken: 1100, grammar: null },
    choices: [
      {
        by: 'network',
        basis: 'history',
        expected: 0.75,
        graded: 4,
        right: 3,
        inRole: true,
        runs: [{ runId: 'run-0', startedAt: 1, right: true, weight: 0.5 }],
      },
    ],
  },
  'plan-failed': { type: 'plan-failed', round: 0, problem, fault, text: '', usage: null, cost: null },
  'plan-held': { type: 'plan-held', round: 0, heldFor: 'approval' },
  'plan-approved': { type: 'plan-approved', round: 0 },
  'plan-edited': { type: 'plan-edited', round: 0, workflow },
  'step-queued': { type: 'step-queued', ...key },
  'step-started': { type: 'step-started', ...key, workerId: 'w', messages, sha256: 'a' },
  'step-waiting': { type: 'step-waiting', round: 0, step: 0, attempt: 1, for: 'limit', delay: 20_000 },
  'step-delta': { type: 'step-delta', ...key, channel: 'content', text: 'Hi' },
  'step-retried': { type: 'step-retried', ...key, fault, ...bill, delay: 500 },
  'step-finished': {
    type: 'step-finished',
    ...key,
    output: 'Hi',
    reasoning: '',
    ...bill,
    finishReason: null,
    verdicts: [{ step: 0, verdict: 'right' }],
  },
  'step-failed': { type: 'step-failed', ...key, fault, output: '', reasoning: '', usage: null, cost: null },
  'step-skipped': { type: 'step-skipped', ...key, because: 0 },
  'step-settled': { type: 'step-settled', ...key, output: 'Hi', from: 0, evidence: [1] },
  'step-reused': { type: 'step-reused', ...key, output: 'Hi', reasoning: '' },
  'step-discarded': { type: 'step-discarded', ...key, ...bill },
  'step-cancelled': { type: 'step-cancelled', ...key, output: 'H', reasoning: '', ...bill },
  'round-finished': { type: 'round-finished', round: 0, outcome: 'kept' },
  'cap-reached': { type: 'cap-reached', cap: 'usd', limit: 1, wanted: 2 },
  'answer-requested': { type: 'answer-requested', round: 0, step: 1, combinedBy: 2 },
  'run-finished': { type: 'run-finished', round: 0, step: 1 },
  'run-failed': { type: 'run-failed', fault },
  'run-cancelled': { type: 'run-cancelled' },
  'run-interrupted': { type: 'run-interrupted' },
  'run-resumed': { type: 'run-resumed' },
  'run-graded': { type: 'run-graded', correct: null, by: 'person', detail: '' },
  'alone-answered': { type: 'alone-answered', ...bill, output: null, fault, pending: true },
  'pair-compared': { type: 'pair-compared', preferred: 'alone' },
  'answers-compared': {
    type: 'answers-compared',
    by: 'Ash',
    sha256: 'ab',
    usage: { input: 3, output: 4 },
    cost: 0.1,
    billed: true,
    analysis: {
      consensus: ['Both say so.'],
      contradictions: [],
      gaps: [],
      unique_insights: [],
      blind_spots: [],
      changes: ['Ash, after seeing Birch'],
    },
    pending: true,
  },
  'run-labelled': { type: 'run-labelled', label: 'good', on: true },
  'run-annotated': { type: 'run-annotated', title: 'Trains', note: 'Why so slow?', starred: true },
  'run-imported': { type: 'run-imported' },
};
const EVENTS: RunEvent[] = Object.values(BODIES).map((body) => ({ ...stamp, ...body }));

describe('the schema of events', () => {
  it('infers the same types as the contract', () => {
    expectTypeOf<Parsed>().toEqualTypeOf<Contract>();
  });

  it.each(EVENTS)('reads $type unchanged, also after conversion to JSON and back', (event) => {
    expect(parseStoredEvent(event)).toEqual({ ok: true, event });
    expect(parseStoredEvent(JSON.parse(JSON.stringify(event)))).toEqual({ ok: true, event });
  });

  it.each(EVENTS)('rejects $type if any required field is missing', (event) => {
    const optional = new Set([
      'length',
      'title',
      'note',
      'starred',
      'parent',
      'access',
      'engine',
      'revision',
      'sampling',
      'grammar',
      'policy',
      'score',
      'speed',
      'images',
      'correction',
      'choices',
      'verdicts',
      'combinedBy',
      'billed',
      'pending',
    ]);
    for (const field of Object.keys(event)) {
      if (event.type !== 'run-started' && optional.has(field)) continue;
      if (event.type === 'run-started' && ['parent', 'alone', ...Object.keys(SETTING_DEFAULTS)].includes(field))
        continue;
      if (field === 'fault' && (event.type === 'plan-candidate' || event.type === 'alone-answered')) continue;
      const { [field]: _left, ...rest } = { ...event } as Record<string, unknown>;
      expect(parseStoredEvent(rest).ok, field).toBe(false);
    }
  });

  it('names the invalid field in a sentence if an event cannot be read', () => {
    const event = { ...stamp, type: 'step-delta', ...key, channel: 'content', text: 5 };
    expect(parseStoredEvent(event)).toEqual({
      ok: false,
      message: 'The event “step-delta” cannot be read: its field “text” is missing or of the wrong kind.',
    });
    const nested = {
      ...stamp,
      ...BODIES['plan-edited'],
      workflow: { steps: [{ worker: 0, subtask: 's', access: ['0'] }] },
    };
    expect(parseStoredEvent(nested)).toMatchObject({ message: expect.stringContaining('“workflow.steps.0.access.0”') });
    for (const nothing of [null, 'event', 7, undefined, []]) {
      expect(parseStoredEvent(nothing)).toMatchObject({ ok: false, message: expect.stringContaining('not an event') });
    }
  });

  it('sorts an access list and removes duplicates', () => {
    const [first, second] = [2, 2].map((worker) => ({ worker, subtask: 'Solve it', access: [] as number[] }));
    const third = { worker: 1, subtask: 'Decide', access: [1, 0, 1] };
    const event = { ...stamp, type: 'plan-edited', round: 0, workflow: { steps: [first, second, third] } };
    const parsed = parseStoredEvent(event);
    expect(parsed.ok && parsed.event).toMatchObject({ workflow: { steps: [{}, {}, { access: [0, 1] }] } });
  });

  it('keeps unknown fields, at any depth', () => {
    const [start] = stampEvents([runStarted()]);
    const grown = {
      ...start,
      weather: 'fair',
      caps: { ...runStarted().caps, patience: 3 },
      pool: [{ ...poolWorker(0), languages: ['en'] }],
    };
    expect(parseStoredEvent(grown)).toEqual({ ok: true, event: grown });
  });

  it('uses defaults for settings that a `run-started` event of an older version lacks', () => {
    const [start] = stampEvents([runStarted({ access: 'binary', approval: true })]);
    const {
      access: _access,
      candidates: _candidates,
      choice: _choice,
      approval: _approval,
      ...older
    } = { ...start } as Record<string, unknown>;
    const parsed = parseRun([older]);
    expect(parsed).toEqual({ ok: true, events: [{ ...start, ...SETTING_DEFAULTS }], problems: [] });
    expect(parsed.ok && foldEvents(parsed.events)).toMatchObject(SETTING_DEFAULTS);
  });

  it('keeps an event of an unknown type if it has a valid run id and sequence number', () => {
    const event = { ...stamp, type: 'worker-praised', stars: 5 };
    expect(parseStoredEvent(event)).toEqual({ ok: true, event });
    expect(parseStoredEvent({ ...event, seq: '3' }).ok).toBe(false);
    expect(parseStoredEvent({ ...event, runId: '' }).ok).toBe(false);
  });

  it.each([
    ['a negative number', { seq: -1 }],
    ['a fraction', { seq: 0.5 }],
    ['a time that is not a number', { at: Number.NaN }],
    ['a segment number that is too large', { segment: 1e9 }],
  ])('rejects an event with %s in its stamp (the fields that all events share)', (_what, wrong) => {
    expect(parseStoredEvent({ ...stamp, type: 'run-cancelled', ...wrong }).ok).toBe(false);
  });
});

describe('the fast check of deltas (events with a piece of text)', () => {
  const value = fc.constantFrom<unknown>(
    0,
    7,
    -1,
    0.5,
    1e9,
    2 ** 53,
    NaN,
    Infinity,
    '',
    'x',
    'content',
    null,
    undefined,
    [],
    true,
  );
  const fields = ['runId', 'seq', 'at', 'segment', 'elapsed', 'round', 'step', 'attempt', 'channel', 'text', 'length'];

  it('accepts exactly what the schema accepts', () => {
    const change = fc.tuple(fc.constantFrom(...fields), value);
    fc.assert(
      fc.property(fc.constantFrom('step-delta', 'plan-delta'), fc.array(change, { maxLength: 2 }), (type, changes) => {
        const event = { ...stamp, ...BODIES[type], ...Object.fromEntries(changes) };
        expect(parseStoredEvent(event).ok).toBe(z.safeParse(eventSchemas[type], event).success);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('reading stored money and token counts', () => {
  const wrong = [-1, -1e6, 1e300, Infinity, -Infinity, NaN];

  it.each(wrong)('treats a cost of %s as unknown', (cost) => {
    const event = { ...stamp, ...BODIES['step-finished'], cost };
    expect(parseStoredEvent(event)).toEqual({ ok: true, event: { ...event, cost: null } });
  });

  it.each(wrong)('treats a price that contains %s as unknown', (amount) => {
    const price = { input: 1, output: 2, cachedInput: amount };
    const event = { ...stamp, ...runStarted({ pool: [poolWorker(0, { price })] }) };
    expect(parseStoredEvent(event)).toMatchObject({ ok: true, event: { pool: [{ price: null }] } });
    expect(parseWorkerSetup({ id: 'a', baseUrl: 'https://a.example', model: 'm', price })).toMatchObject({
      price: null,
    });
  });

  it.each(wrong)('replaces a cost cap or daily budget of %s by 0', (usd) => {
    const caps = { ...runStarted().caps, usd };
    expect(parseStoredEvent({ ...stamp, ...runStarted({ caps }) })).toMatchObject({
      ok: true,
      event: { caps: { usd: 0 } },
    });
    expect(parsePreferences({ caps, dayUsd: usd })).toMatchObject({ caps: { usd: 0 }, dayUsd: 0 });
  });

  it.each([-1, 1e300])('treats usage of %s tokens as unknown', (input) => {
    const event = { ...stamp, ...BODIES['step-finished'], usage: { input, output: 1 } };
    expect(parseStoredEvent(event)).toMatchObject({ ok: true, event: { usage: null } });
  });

  it('sets no cost cap and no daily budget if none is stored', () => {
    expect(parsePreferences({})).toMatchObject({ caps: { usd: null }, dayUsd: null });
    expect(parsePreferences({ caps: { usd: null }, dayUsd: null })).toMatchObject({
      caps: { usd: null },
      dayUsd: null,
    });
  });
});

describe('parseRun', () => {
  it('leaves out unreadable events and reports them', () => {
    const events = stampEvents(finishedRunBodies());
    const damaged: unknown[] = events.with(2, { ...stamp, type: 'plan-started', seq: 2 } as never);
    const parsed = parseRun(damaged);
    expect(parsed).toMatchObject({ ok: true, events: events.toSpliced(2, 1) });
    expect(parsed.ok && parsed.problems.map(({ index }) => index)).toEqual([2]);
  });

  it('reads a run of the current schema unchanged, and rejects a run of a newer schema', () => {
    const events = stampEvents(finishedRunBodies());
    expect(upcast(events)).toEqual({ ok: true, values: events });
    const newer = stampEvents([runStarted({ schema: SCHEMA + 1 })]);
    expect(parseRun(newer)).toEqual({ ok: false, message: expect.stringContaining('newer version of Podium') });
  });
});

describe('the workers in a stored run', () => {
  const published: PublishedRecord = {
    family: 'gpt-5',
    label: 'GPT-5',
    setting: 'constrained',
    tables: 'Tables 7 and 8',
    source: 'https://arxiv.org/abs/2512.04388v5',
    date: '2026-11-22',
    domains: { maths: { score: 60.56, ability: 0.633 } },
  };
  const read = (worker: unknown) => parseStoredEvent({ ...stamp, ...runStarted(), pool: [worker] });

  it('keep published benchmark results and declared strengths', () => {
    const worker = poolWorker(0, { published, domains: { code: 0.4 } });
    expect(read(worker)).toMatchObject({ ok: true, event: { pool: [worker] } });
  });

  it.each<[string, unknown]>([
    ['a declared strength above 1', { domains: { code: 40 } }],
    ['a score above 100 %', { published: { ...published, domains: { maths: { score: 101, ability: 1 } } } }],
    ['an unknown setting', { published: { ...published, setting: 'best' } }],
    ['a source that is too long', { published: { ...published, source: 'x'.repeat(5000) } }],
  ])('are rejected if they have %s', (_, more) => {
    expect(read({ ...poolWorker(0), ...(more as object) }).ok).toBe(false);
  });

  it('differ if their published benchmark results or declared strengths differ', () => {
    const worker = poolWorker(0, { published, domains: { code: 0.4 } });
    expect(sameWorker(worker, { ...worker, published: { ...published } })).toBe(true);
    const better = { ...published, domains: { maths: { score: 60.56, ability: 0.7 } } };
    for (const other of [{ published: better }, { published: { ...published, family: 'x' } }, { domains: {} }]) {
      expect(sameWorker(worker, { ...worker, ...other })).toBe(false);
    }
    expect(sameWorker(worker, poolWorker(0, { domains: { code: 0.4 } }))).toBe(false);
  });
});
