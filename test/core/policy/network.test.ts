/** @file The policy in plain arrays: whatever it says may run, and the order of the pool decides nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, shuffled } from '../../../src/core/contract';
import {
  drawPlan,
  initialParameters,
  isGrammatical,
  logProbabilityOf,
  planGreedily,
  policyInput,
  type Skeleton,
} from '../../../src/core/policy';
import { drawInput, drawInputs, drawRequest } from './inputs';

const parameters = initialParameters({ width: 12 }, seededRandom(1));

describe('plans', () => {
  it('keep to the grammar, likely or not', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.boolean(), (seed, recursion, later) => {
        const input = drawInput(seed, { recursion, later });
        expect(isGrammatical(planGreedily(parameters, input).skeleton, input.limits)).toBe(true);
        for (let draw = 0; draw < 5; draw++) {
          const { skeleton } = drawPlan(parameters, input, seededRandom(draw));
          expect(isGrammatical(skeleton, input.limits), JSON.stringify(skeleton)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keep to fewer steps where fewer are allowed', () => {
    for (let maxSteps = 1; maxSteps <= 5; maxSteps++) {
      const input = policyInput({ ...drawRequest(maxSteps), maxSteps });
      for (let draw = 0; draw < 20; draw++) {
        const { skeleton } = drawPlan(parameters, input, seededRandom(draw));
        expect(skeleton.length).toBeLessThanOrEqual(maxSteps);
        expect(isGrammatical(skeleton, input.limits)).toBe(true);
      }
    }
  });

  it('are as likely as they are said to be', () => {
    for (const input of drawInputs(12)) {
      const { skeleton, logProbability } = drawPlan(parameters, input, seededRandom(3));
      expect(logProbabilityOf(parameters, input, skeleton)).toBeCloseTo(logProbability, 10);
    }
  });

  it('are drawn as often as they are likely', () => {
    const input = drawInput(5);
    const counts = new Map<string, { count: number; expected: number }>();
    const draws = 4_000;
    const random = seededRandom(9);
    for (let draw = 0; draw < draws; draw++) {
      const { skeleton, logProbability } = drawPlan(parameters, input, random);
      const key = JSON.stringify(skeleton);
      const known = counts.get(key) ?? { count: 0, expected: draws * Math.exp(logProbability) };
      counts.set(key, { ...known, count: known.count + 1 });
    }
    const frequent = [...counts.values()].filter(({ expected }) => expected > 20);
    expect(frequent.length).toBeGreaterThan(0);
    for (const { count, expected } of frequent)
      expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });

  it('follow the workers when the pool is put in another order', () => {
    for (let seed = 0; seed < 30; seed++) {
      const asked = drawRequest(seed);
      const order = shuffled([...asked.pool.keys()], seededRandom(seed + 1));
      const pool = order.flatMap((index) => asked.pool[index] ?? []);
      const plan = planGreedily(parameters, policyInput(asked));
      const other = planGreedily(parameters, policyInput({ ...asked, pool }));
      const back = (skeleton: Skeleton) => skeleton.map((step) => ({ ...step, row: order[step.row] ?? -1 }));
      expect(back(other.skeleton)).toEqual(plan.skeleton);
      expect(other.logProbability).toBeCloseTo(plan.logProbability, 4);
    }
  });
});

describe('what it sees', () => {
  it('is finite, whatever the request', () => {
    for (const { question, workers } of drawInputs(30)) {
      expect([...question, ...workers].every(Number.isFinite)).toBe(true);
    }
  });

  it('has no row for Python, nor for a Conductor that may not go on', () => {
    const { pool, ...asked } = drawRequest(1, { recursion: true });
    const python = { ...pool[0], id: 'python', kind: 'python' } as (typeof pool)[number];
    const input = policyInput({ ...asked, pool: [python, ...pool], recursion: false });
    expect(input.rows).toEqual(pool.slice(0, -1).map((_, index) => index + 1));
    expect(input.limits.conductor).toBe(-1);
  });

  it('changes with graded runs', () => {
    const asked = drawRequest(8);
    const [first] = asked.pool;
    const run = { runId: 'x', startedAt: 1, question: asked.question, right: true };
    const history = [{ ...run, played: [{ workerId: first?.id ?? '', role: 'solve' as const }] }];
    const before = policyInput({ ...asked, history: [] }).workers;
    expect(policyInput({ ...asked, history }).workers).not.toEqual(before);
  });
});
