/**
 * @file Tests the policy network that plans in the app: its plans are valid and do not depend on
 * the order of the pool.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, shuffled } from '../../../src/core/contract';
import { drawPlan, logProbabilityOf, planGreedily } from '../../../src/core/policy/network';
import { initialParameters } from '../../../src/core/policy/parameters';
import { isGrammatical, type Skeleton } from '../../../src/core/policy/moves';
import { policyInput } from '../../../src/core/policy/features';
import { drawInput, drawInputs, drawRequest } from './inputs';

const parameters = initialParameters({ width: 12 }, seededRandom(1));

describe('plans', () => {
  it('follow the grammar, both when planned greedily and when drawn at random', () => {
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

  it('have no more steps than the request allows', () => {
    for (let maxSteps = 1; maxSteps <= 5; maxSteps++) {
      const input = policyInput({ ...drawRequest(maxSteps), maxSteps });
      for (let draw = 0; draw < 20; draw++) {
        const { skeleton } = drawPlan(parameters, input, seededRandom(draw));
        expect(skeleton.length).toBeLessThanOrEqual(maxSteps);
        expect(isGrammatical(skeleton, input.limits)).toBe(true);
      }
    }
  });

  it('have the same log-probability from `drawPlan` and `logProbabilityOf`', () => {
    for (const input of drawInputs(12)) {
      const { skeleton, logProbability } = drawPlan(parameters, input, seededRandom(3));
      expect(logProbabilityOf(parameters, input, skeleton)).toBeCloseTo(logProbability, 10);
    }
  });

  it('are sampled in proportion to their probability', () => {
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

  it('choose the same workers if the order of the pool changes', () => {
    for (let seed = 0; seed < 30; seed++) {
      const request = drawRequest(seed);
      const order = shuffled([...request.pool.keys()], seededRandom(seed + 1));
      const pool = order.flatMap((index) => request.pool[index] ?? []);
      const plan = planGreedily(parameters, policyInput(request));
      const other = planGreedily(parameters, policyInput({ ...request, pool }));
      const back = (skeleton: Skeleton) => skeleton.map((step) => ({ ...step, row: order[step.row] ?? -1 }));
      expect(back(other.skeleton)).toEqual(plan.skeleton);
      expect(other.logProbability).toBeCloseTo(plan.logProbability, 4);
    }
  });
});

describe('the policy’s input', () => {
  it('contains only finite numbers for every request', () => {
    for (const { question, workers } of drawInputs(30)) {
      expect([...question, ...workers].every(Number.isFinite)).toBe(true);
    }
  });

  it('has no row for a Python worker, and none for the Conductor without recursion', () => {
    const { pool, ...request } = drawRequest(1, { recursion: true });
    const python = { ...pool[0], id: 'python', kind: 'python' } as (typeof pool)[number];
    const input = policyInput({ ...request, pool: [python, ...pool], recursion: false });
    expect(input.rows).toEqual(pool.slice(0, -1).map((_, index) => index + 1));
    expect(input.limits.conductor).toBe(-1);
  });

  it('depends on the graded runs in the history', () => {
    const request = drawRequest(8);
    const [first] = request.pool;
    const run = { runId: 'x', startedAt: 1, question: request.question, right: true };
    const history = [{ ...run, played: [{ workerId: first?.id ?? '', role: 'solve' as const }] }];
    const before = policyInput({ ...request, history: [] }).workers;
    expect(policyInput({ ...request, history }).workers).not.toEqual(before);
  });
});
