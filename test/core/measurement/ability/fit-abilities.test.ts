import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/contract';
import { chanceBest, chanceBetter, toldApart } from '../../../../src/core/measurement/ability/compare-workers';
import { fitAbilities } from '../../../../src/core/measurement/ability/fit-abilities';
import type { FamilyFacts, Observation } from '../../../../src/core/measurement/ability/observation';
import { simulatedPool, simulateMeasurement } from '../../../fixtures/measurement/simulated-abilities';

const FAMILIES: readonly FamilyFacts[] = [
  { id: 'sums', domain: 'maths', levels: 6 },
  { id: 'loops', domain: 'code', levels: 6 },
];

/** Answers of a worker that solves all tasks up to a level. */
function answers(worker: string, highest: number, tasks: number, families = FAMILIES): Observation[] {
  return families.flatMap(({ id, domain, levels }) =>
    Array.from({ length: tasks }, (_, index) => {
      const level = index % levels;
      return { worker, family: id, domain, level, right: level <= highest };
    }),
  );
}

describe('fitAbilities', () => {
  it('orders workers by their share of right answers on all levels', () => {
    const fitted = fitAbilities([...answers('weak', 1, 30), ...answers('strong', 3, 30)], FAMILIES);
    const [weak, strong] = fitted.abilities;
    expect([weak?.worker, strong?.worker]).toEqual(['weak', 'strong']);
    expect(weak?.overall.mean).toBeCloseTo(2 / 6, 1);
    expect(strong?.overall.mean).toBeCloseTo(4 / 6, 1);
    expect(weak?.overall.tasks).toBe(60);
    expect(toldApart(fitted, 'weak', 'strong', 'overall')).toBe(true);
    expect(chanceBetter(fitted, 'strong', 'weak', 'maths')).toBeGreaterThan(0.95);
    expect([...chanceBest(fitted, 'code').keys()]).toEqual(['strong', 'weak']);
  });

  it('does not count easy tasks as ability', () => {
    const easy = answers('easy', 5, 60).filter(({ level }) => level <= 1);
    const hard = answers('hard', 3, 60).filter(({ level }) => level >= 2);
    const [one, other] = fitAbilities([...easy, ...hard], FAMILIES).abilities;
    // All of its answers are right, but nothing is known about higher levels.
    const width = (ability = one?.overall) => (ability ? ability.high - ability.low : NaN);
    expect(width()).toBeGreaterThan(width(other?.overall));
    expect(one?.overall.mean).toBeLessThan(0.95);
  });

  it('makes no statement about a domain with fewer than 10 tasks', () => {
    const few = answers('few', 3, 9);
    const fitted = fitAbilities([...few, ...answers('many', 3, 10)], FAMILIES);
    expect(fitted.abilities.map(({ domains }) => Object.keys(domains))).toEqual([[], ['maths', 'code']]);
    expect([...chanceBest(fitted, 'maths').keys()]).toEqual(['many']);
    expect(toldApart(fitted, 'few', 'many', 'maths')).toBe(false);
    expect([...chanceBest(fitted, 'overall').keys()].toSorted()).toEqual(['few', 'many']);
  });

  it('cannot tell apart workers with the same answers', () => {
    const fitted = fitAbilities([...answers('one', 2, 30), ...answers('other', 2, 30)], FAMILIES);
    expect(toldApart(fitted, 'one', 'other', 'overall')).toBe(false);
    expect(chanceBetter(fitted, 'one', 'other', 'overall')).toBeCloseTo(0.5, 1);
  });

  it('gives the same result for the same observations, and none without observations', () => {
    const pool = simulatedPool(3, 3);
    const observations = simulateMeasurement(pool, 4, 'uniform', seededRandom(5));
    expect(fitAbilities(observations, pool.families)).toEqual(fitAbilities(observations, pool.families));
    expect(fitAbilities([], pool.families).abilities).toEqual([]);
    expect(chanceBest(fitAbilities([], pool.families), 'overall').size).toBe(0);
  });

  it('stays finite if all answers are right or all are wrong, also for one worker', () => {
    for (const highest of [-1, 5]) {
      const [ability] = fitAbilities(answers('only', highest, 75), FAMILIES).abilities;
      const { mean = NaN, low = NaN, high = NaN } = ability?.overall ?? {};
      expect(low).toBeLessThanOrEqual(mean);
      expect(mean).toBeLessThanOrEqual(high);
      expect(Math.abs(mean - (highest < 0 ? 0 : 1))).toBeLessThan(0.12);
    }
  });
});
