import { describe, expect, it } from 'vitest';
import { boundsProblem, isMoment, isReservedWorkerId, isWebAddress } from '../../../../src/core/contract';
import { parseRun, parseStoredEvent } from '../../../../src/core/contract/storage/schema';
import { parseWorkerSetup } from '../../../../src/core/contract/storage/setup-schema';
import { finishedRunBodies, stampEvents } from '../../../fixtures/run-events';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const [start, round] = stampEvents(finishedRunBodies());

describe('boundsProblem', () => {
  it.each([
    ['nesting that is too deep', nested(65), 'nested'],
    ['nesting that would overflow the stack', nested(100_000), 'nested'],
    ['a list that is too long', { pool: Array(5001).fill(0) }, '5000 entries'],
    ['too many values in short lists', Array(5000).fill(Array(5).fill(0)), '20000 values'],
    ['a field named __proto__', { a: Object.fromEntries([['__proto__', {}]]) }, '__proto__'],
  ])('reports %s', (_what, value, why) => {
    expect(boundsProblem(value)).toContain(why);
  });

  it.each([
    ['null', null],
    ['a text', 'text'],
    ['an object that contains lists nested 63 levels deep', { deep: nested(63) }],
    ['a list of 5000 numbers', Array(5000).fill(1)],
  ])('accepts %s', (_what, value) => {
    expect(boundsProblem(value)).toBeNull();
  });
});

describe('an event', () => {
  it.each([
    ['an impossible date', { at: 8.64e15 + 1 }],
    ['an impossible negative date', { at: -1e300 }],
    ['an active time of 1e300', { elapsed: 1e300 }],
    ['the highest possible sequence number', { seq: 2 ** 53 - 1 }],
    ['a round that no run can reach', { round: 64 }],
    ['an id that is too long', { runId: 'x'.repeat(100_000) }],
    ['an unknown field that is nested too deeply', { later: nested(70) }],
  ])('is rejected with %s', (_what, change) => {
    expect(parseStoredEvent({ ...round, ...change })).toMatchObject({ ok: false });
    const delta = { type: 'plan-delta', channel: 'content', text: 'x', ...round, round: 0 };
    expect(parseStoredEvent({ ...delta, ...change, type: 'plan-delta' }), 'as a delta').toMatchObject({ ok: false });
  });

  it('is rejected if it adds a 65th step to a plan, but not a 64th', () => {
    const step = { worker: 0, subtask: 'Solve it', access: [] };
    const known = { ...round, type: 'plan-step-known', round: 0, index: 64, step };
    expect(parseStoredEvent(known)).toMatchObject({ ok: false });
    expect(parseStoredEvent({ ...known, index: 63 })).toMatchObject({ ok: true });
  });

  it('is not reported as invalid if `parseRun` has already reported the maximum number of problems', () => {
    const parsed = parseRun([start, {}, {}, {}], 1);
    expect(parsed).toMatchObject({ ok: true, problems: [{ index: 1 }] });
  });
});

describe('the setup of a worker', () => {
  it('drops the source of its price if the source has an invalid date', () => {
    const setup = { id: 'worker:a', baseUrl: 'http://localhost/v1', model: 'm' };
    expect(parseWorkerSetup({ ...setup, priced: { by: 'person', date: 'x' } })?.priced).toBeUndefined();
    expect(parseWorkerSetup({ ...setup, priced: { by: 'person', date: '2026-11-21' } })?.priced).toBeDefined();
  });

  it.each(['python', 'sim:alder', 'local:x', 'provider:openai', 'conductor:policy', 'policy', 'policy+endpoint:x'])(
    'may not have the id %s',
    (id) => expect(isReservedWorkerId(id)).toBe(true),
  );

  it.each(['worker:1', 'desk', 'pythonic', 'simple'])('may have the id %s', (id) => {
    expect(isReservedWorkerId(id)).toBe(false);
  });
});

it.each(['https://example.org/a', 'http://localhost:1234'])('%s is a web address', (address) => {
  expect(isWebAddress(address)).toBe(true);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://good.example@evil.example/',
  '//example.org',
  'x',
  '',
  `https://example.org/${'x'.repeat(3000)}`,
])('“%s” is not a web address', (address) => {
  expect(isWebAddress(address)).toBe(false);
});

it.each([
  [0, true],
  [8.64e15, true],
  [8.64e15 + 1, false],
  [Number.NaN, false],
  [Infinity, false],
])('whether %s ms since 1970 is a valid time: %s', (at, is) => {
  expect(isMoment(at)).toBe(is);
});
