import { expect, it } from 'vitest';
import { NO_CHECKS } from '../../../../src/core/analysis/statistics/check-trust';
import type { PoolWorker } from '../../../../src/core/contract';
import { checksOfPool } from '../../../../src/core/measurement/report/checks';
import { changesOf } from '../../../../src/core/measurement/report/stale';
import { reportOf } from '../../../../src/core/measurement/report/report';
import { toldOf } from '../../../../src/core/measurement/report/told';
import { planFor, storedPlan } from '../../../../src/core/measurement/session/plan';
import { measuredWorker, measuringBrowser, rightReply, TASKS, text } from '../session/measured';

const [ASH, BAY] = [measuredWorker('ash', { thinks: false }), measuredWorker('bay', { thinks: false })];

it('ranks a worker that is always right above one that never is, and tells Conductors so', async () => {
  const planned = planFor([{ worker: ASH }, { worker: BAY }], 5);
  const { measurer } = measuringBrowser(({ worker, prompt }) =>
    text(worker === 'bay' ? rightReply(prompt) : 'Answer: 0'),
  ).tab();
  const { state } = await (await measurer.start(storedPlan(planned, { seed: 1, usd: 5, revision: 1 }))).done;
  const { cards, rankings } = reportOf(state, TASKS.families);
  expect(cards.map(({ worker }) => worker.id)).toEqual(['bay', 'ash']);
  expect(rankings.map(({ scope, tied }) => [scope, tied.length])).toEqual([
    ['overall', 0],
    ['maths', 0],
    ['code', 0],
  ]);
  expect(rankings[0]?.places.map(({ near }) => near)).toEqual([1, 0]);
  expect(cards[0]?.tasks).toBe(planned.workers[1]?.tasks);
  expect(cards[0]?.checks.right).toMatchObject({ wrong: 0, unsure: 0 });
  expect(cards[0]?.checks.wrong.right).toBe(0);
  expect(cards[0]?.told.strengths?.verify).toBe(1);
  expect(cards[0]?.told.domains?.maths).toBeGreaterThan(cards[1]?.told.domains?.maths ?? 1);
  expect(cards[1]?.usdPerRight).toBeNull();

  const ofPool = (pool: readonly PoolWorker[]) => checksOfPool(state, TASKS.families, pool);
  const { right = NO_CHECKS.right, wrong = NO_CHECKS.wrong } = cards[0]?.checks ?? {};
  const observed = ofPool([ASH, BAY]).filter(({ checker }) => checker === 'bay');
  expect(observed.filter(({ isRight }) => isRight)).toHaveLength(right.right);
  expect(observed.filter(({ verdict, isRight }) => !isRight && verdict === 'wrong')).toHaveLength(wrong.wrong);
  expect(new Set(observed.map(({ domain }) => domain))).toEqual(new Set(['maths', 'code']));
  const changed = ofPool([ASH, { ...BAY, model: 'another' }]);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.every(({ checker }) => checker === 'ash')).toBe(true);
});

it('says nothing of a worker with too few tasks', () => {
  const few = { mean: 0.5, low: 0.2, high: 0.8, tasks: 9 };
  const told = toldOf({ worker: 'ash', overall: few, domains: {} }, NO_CHECKS);
  expect(told).toEqual({});
});

it('finds out what has changed since a measurement', () => {
  const measured = { worker: ASH, tasks: 5, checks: 1 };
  expect(changesOf(measured, { worker: { ...ASH, name: 'other' } }, true)).toEqual([]);
  expect(changesOf(measured, undefined, false)).toEqual(['tasks', 'gone']);
  const now = { worker: { ...ASH, model: 'ash-2', price: null }, reasoning: 'high' } as const;
  expect(changesOf(measured, now, true)).toEqual(['model', 'price', 'thinking']);
});
