import { expect, test } from 'vitest';
import { isConductorFirst, isDrawn } from '../../../../src/core/runs/pairs/draw';

const SEEDS = Array.from({ length: 4000 }, (_, seed) => seed);
/** Four standard errors of a share among 4,000 draws. */
const TOLERANCE = 4 * Math.sqrt(0.25 / SEEDS.length);

test('draws the given share of questions, also if the user has fixed the seed', () => {
  for (const share of [0.1, 0.5, 0.9]) {
    const bySeed = SEEDS.filter((seed) => isDrawn(share, seed, 'Why?')).length / SEEDS.length;
    const byQuestion = SEEDS.filter((number) => isDrawn(share, 7, `Why ${number}?`)).length / SEEDS.length;
    expect(Math.abs(bySeed - share)).toBeLessThan(TOLERANCE);
    expect(Math.abs(byQuestion - share)).toBeLessThan(TOLERANCE);
  }
  expect(SEEDS.some((seed) => isDrawn(0, seed, 'Why?'))).toBe(false);
  expect(SEEDS.every((seed) => isDrawn(1, seed, 'Why?'))).toBe(true);
});

test('shows either answer first equally often, whether a question is rarely drawn or not', () => {
  const firstAmong = (seeds: readonly number[]) =>
    seeds.filter((seed) => isConductorFirst(seed, 'Why?')).length / seeds.length;
  expect(Math.abs(firstAmong(SEEDS) - 0.5)).toBeLessThan(TOLERANCE);
  const drawn = SEEDS.filter((seed) => isDrawn(0.2, seed, 'Why?'));
  expect(Math.abs(firstAmong(drawn) - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / drawn.length));
  expect(isConductorFirst(3, 'Why?')).toBe(isConductorFirst(3, 'Why?'));
});
