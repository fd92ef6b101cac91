import { expect, test } from 'vitest';
import type { RunTotals } from '../../../src/core/contract';
import { checkedWords, totalsWords } from '../../../src/app/runs/run-list-words';

const NOTHING: RunTotals = {
  runs: 0,
  right: 0,
  wrong: 0,
  ungraded: 0,
  valid: 0,
  invalid: 0,
  rewarded: 0,
  rewards: 0,
  usd: 0,
  madeUpUsd: 0,
  judgeUsd: 0,
  unpriced: 0,
  tokens: 0,
  time: 0,
  simulated: 0,
  unsearched: 0,
};

test('totals count grades, valid plans and rewards separately', () => {
  // The run with the right answer has an invalid plan, so its reward is 0. The run still counts as right.
  const totals = { ...NOTHING, runs: 266, right: 1, wrong: 2, ungraded: 263, valid: 40, invalid: 5 };
  expect(totalsWords({ ...totals, rewarded: 8, rewards: 1, usd: 0.0123, unpriced: 2, time: 62_000 })).toEqual([
    '266 runs',
    '1 right, 2 wrong, 263 not graded',
    'plans: 40 valid, 5 invalid',
    'mean reward 0.13 (n = 8)',
    '$0.0123 and 2 calls of unknown cost',
    '1 min 02 s',
  ]);
});

test('totals of an unfinished search say how many runs are not searched yet', () => {
  expect(totalsWords({ ...NOTHING, unsearched: 4096 })).toEqual(['still searching 4,096 runs']);
  expect(totalsWords({ ...NOTHING, runs: 1, unsearched: 1 }).at(-1)).toBe('still searching 1 run');
});

test('totals leave out figures that no run has', () => {
  expect(totalsWords(NOTHING)).toEqual([]);
  const words = totalsWords({ ...NOTHING, runs: 1, ungraded: 1, usd: 0.5, time: 1000 });
  expect(words[1]).toBe('none graded');
  expect(words.join()).not.toMatch(/reward|plans|unknown/);
});

test('totals show only the calls of unknown cost if all known costs are 0', () => {
  expect(totalsWords({ ...NOTHING, runs: 2, ungraded: 2, unpriced: 2, time: 1000 })[2]).toBe('2 calls of unknown cost');
});

test('totals include the cost of judge models, and also state this cost separately', () => {
  const words = totalsWords({ ...NOTHING, runs: 2, ungraded: 2, usd: 0.5, judgeUsd: 0.25, time: 1000 });
  expect(words[2]).toBe('$0.75, of which judges $0.25');
  const unpriced = totalsWords({ ...NOTHING, runs: 2, ungraded: 2, usd: 0, judgeUsd: 0.25, unpriced: 1, time: 1000 });
  expect(unpriced[2]).toBe('$0.25, of which judges $0.25, and 1 call of unknown cost');
});

test('totals state how much of the cost is at made-up prices of sample runs', () => {
  const totals = { ...NOTHING, runs: 2, ungraded: 2, usd: 0.5, madeUpUsd: 0.28, time: 1000 };
  expect(totalsWords(totals)[2]).toBe('$0.50, of which $0.28 at made-up prices of sample runs');
  expect(totalsWords({ ...totals, judgeUsd: 0.25 })[2]).toBe(
    '$0.75, of which judges $0.25 and $0.28 at made-up prices of sample runs',
  );
  expect(totalsWords({ ...totals, usd: 0.28 })[2]).toBe('$0.28 at made-up prices of sample runs');
});

test('the message after a check counts right, wrong, unchecked and user-graded answers', () => {
  expect(checkedWords({ right: 12, wrong: 3, unchecked: 5, own: 0 })).toBe(
    'Checked: 12 right, 3 wrong and 5 can’t be checked.',
  );
  expect(checkedWords({ right: 1, wrong: 0, unchecked: 0, own: 1 })).toBe(
    'Checked: 1 right, 0 wrong and 1 run keeps your own grade.',
  );
});
