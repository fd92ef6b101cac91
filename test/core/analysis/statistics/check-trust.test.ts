import { describe, expect, it } from 'vitest';
import {
  checkerCounts,
  checkerFigures,
  checkerRates,
  checkerRows,
  isKnownChecker,
  precisionOf,
  SAYS_RIGHT_OF_RIGHT,
  SAYS_RIGHT_OF_WRONG,
  solverAbility,
} from '../../../../src/core/analysis/statistics/check-trust';
import { seededRandom, type CheckObservation, type CheckVerdict, type RightCount } from '../../../../src/core/contract';

function observed(
  count: number,
  verdict: CheckVerdict,
  isRight: boolean,
  more: Partial<CheckObservation> = {},
): CheckObservation[] {
  return Array.from({ length: count }, () => ({ checker: 'c', domain: 'maths', verdict, isRight, ...more }));
}

const GOOD = { ofRight: { right: 95, of: 100 }, ofWrong: { right: 5, of: 100 } };
const ABLE = { right: 70, of: 100 };

describe('the rates of a checker', () => {
  const observations = [
    ...observed(6, 'right', true),
    ...observed(2, 'unsure', true),
    ...observed(1, 'right', false),
    ...observed(3, 'wrong', false),
    ...observed(4, 'right', false, { domain: 'code' }),
    ...observed(9, 'right', false, { checker: 'other' }),
  ];

  it('count only its own verdicts, and those in other domains as a quarter', () => {
    expect(checkerRates(observations, 'c', 'maths')).toEqual({
      ofRight: { right: 6, of: 8 },
      ofWrong: { right: 2, of: 5 },
    });
    expect(checkerRates(observations, 'c', 'code').ofWrong).toEqual({ right: 4.25, of: 5 });
  });

  it('are known once ten verdicts on right answers and ten on wrong answers are known', () => {
    const rates = (right: number, wrong: number) =>
      checkerRates([...observed(right, 'right', true), ...observed(wrong, 'wrong', false)], 'c', 'maths');
    expect(isKnownChecker(rates(10, 10))).toBe(true);
    expect(isKnownChecker(rates(9, 100))).toBe(false);
    expect(isKnownChecker(rates(100, 9))).toBe(false);
  });

  it('are counted for a table by verdict and by truth', () => {
    expect(checkerCounts(observations)).toEqual([
      { checker: 'c', right: { right: 6, wrong: 0, unsure: 2 }, wrong: { right: 5, wrong: 3, unsure: 0 } },
      { checker: 'other', right: { right: 0, wrong: 0, unsure: 0 }, wrong: { right: 9, wrong: 0, unsure: 0 } },
    ]);
  });
});

describe('the rows of a table of checkers', () => {
  const seen = checkerCounts([...observed(8, 'right', true), ...observed(8, 'wrong', false)]);
  const [planted] = checkerCounts([
    ...observed(10, 'right', true),
    ...observed(5, 'wrong', false),
    ...observed(5, 'right', false),
  ]);
  if (!planted) throw new Error('There are no counts.');

  it('show checks in runs and planted answers apart, and the trust by both', () => {
    const [inRuns, measured, ...others] = checkerRows(seen, new Map([['c', planted]]));
    expect(others).toEqual([]);
    expect(inRuns).toMatchObject({ worker: 'c', isPlanted: false, answers: 16, fooled: { mean: 0, n: 8 } });
    expect(measured).toMatchObject({ worker: 'c', isPlanted: true, answers: 20, fooled: { mean: 0.5, n: 10 } });
    expect(measured?.rightWasRight).toMatchObject({ mean: 10 / 15, n: 15 });
    expect(checkerRows(seen, new Map())[0]?.precision).toBeNull();
    expect(inRuns?.precision?.low).toBeGreaterThan(0.5);
    expect(measured?.precision).toBeNull();
  });

  it('show the trust of a worker that has only planted answers, most answers first', () => {
    const rows = checkerRows(seen, new Map([['measured', planted]]));
    expect(rows.map(({ worker, isPlanted }) => [worker, isPlanted])).toEqual([
      ['measured', true],
      ['c', false],
    ]);
    expect(rows[0]?.precision?.mean).toBeGreaterThan(0.5);
    // The mix of planted answers says nothing of solvers, so an unknown solver is assumed.
    expect(rows[0]?.precision?.mean).toBeLessThan(checkerFigures(planted).precision?.high ?? 0);
  });
});

it('counts the answers of a solver with its prior', () => {
  const own = [...observed(3, 'right', true, { solver: 's' }), ...observed(1, 'right', false, { solver: 's' })];
  expect(solverAbility([...own, ...observed(5, 'right', true)], 's', 'maths', 0.75)).toEqual({ right: 6, of: 8 });
  expect(solverAbility(own, 's', 'code')).toEqual({ right: 2.75, of: 5 });
});

describe('the probability that an answer is right if a check says so', () => {
  it('is the same as by drawing from the distributions', () => {
    const random = seededRandom(7);
    // A Gamma variable with a whole shape is a sum of exponential variables.
    const gamma = (shape: number) =>
      Array.from({ length: shape }, () => -Math.log(1 - random())).reduce((sum, each) => sum + each, 0);
    const beta = ({ right, of }: RightCount, prior: RightCount) => {
      const [one, other] = [gamma(right + prior.right), gamma(of - right + prior.of - prior.right)];
      return one / (one + other);
    };
    const rates = { ofRight: { right: 14, of: 16 }, ofWrong: { right: 2, of: 12 } };
    const ability = { right: 9, of: 14 };
    const drawn = Array.from({ length: 40_000 }, () => {
      const a = beta(ability, { right: 0, of: 0 });
      const both = a * beta(rates.ofRight, SAYS_RIGHT_OF_RIGHT);
      return both / (both + (1 - a) * beta(rates.ofWrong, SAYS_RIGHT_OF_WRONG));
    });
    drawn.sort((one, other) => one - other);
    const { low, high, mean } = precisionOf(rates, ability);
    expect(low).toBeCloseTo(drawn[2000] ?? NaN, 2);
    expect(high).toBeCloseTo(drawn[38_000] ?? NaN, 2);
    expect(mean).toBeCloseTo(drawn.reduce((sum, each) => sum + each, 0) / drawn.length, 2);
  });

  it('is the ability of the solver if the checker always says “right”', () => {
    const yes = { ofRight: { right: 5000, of: 5000 }, ofWrong: { right: 5000, of: 5000 } };
    expect(precisionOf(yes, { right: 6000, of: 10_000 }).mean).toBeCloseTo(0.6, 2);
  });

  it('is lower for a weaker solver, a more lenient checker, and with less evidence', () => {
    const { low } = precisionOf(GOOD, ABLE);
    expect(low).toBeGreaterThan(0.9);
    expect(precisionOf(GOOD, { right: 20, of: 100 }).low).toBeLessThan(low);
    expect(precisionOf({ ...GOOD, ofWrong: { right: 40, of: 100 } }, ABLE).low).toBeLessThan(low);
    const few = { ofRight: { right: 9.5, of: 10 }, ofWrong: { right: 0.5, of: 10 } };
    expect(precisionOf(few, ABLE).low).toBeLessThan(low);
  });

  it('stays within 0 and 1 without observations, and with very many', () => {
    const none = { ofRight: { right: 0, of: 0 }, ofWrong: { right: 0, of: 0 } };
    const all = { ofRight: { right: 1e6, of: 1e6 }, ofWrong: { right: 0, of: 1e6 } };
    for (const { low, mean, high } of [precisionOf(none), precisionOf(all, { right: 1e6, of: 1e6 + 4 })]) {
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(mean);
      expect(mean).toBeLessThanOrEqual(high);
      expect(high).toBeLessThanOrEqual(1);
    }
  });
});
