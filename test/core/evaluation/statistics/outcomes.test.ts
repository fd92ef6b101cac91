import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestSingleWorker,
  isSingleWorker,
  oracleAnswers,
} from '../../../../src/core/evaluation/statistics/single-workers';
import { disagreement } from '../../../../src/core/evaluation/statistics/disagreement';
import { meanUsage, totalCost, totalJudgeCost, validPlans } from '../../../../src/core/evaluation/statistics/usage';
import { paretoFront } from '../../../../src/core/analysis/statistics/pareto';
import { rewardHistogram, stepCounts, workerShares } from '../../../../src/core/evaluation/statistics/workflows';
import { batchMethod, batchPlan, outcome } from '../../../fixtures/evaluation/batches';

describe('the Pareto front', () => {
  it('contains the points of known cost that no other point beats, cheapest first', () => {
    const points = [
      { id: 'dear', cost: 9, score: 0.8 },
      { id: 'best', cost: 5, score: 0.9 },
      { id: 'cheap', cost: 1, score: 0.4 },
      { id: 'worse', cost: 1, score: 0.3 },
      { id: 'twin', cost: 5, score: 0.9 },
      { id: 'unknown', cost: null, score: 1 },
    ];
    expect(paretoFront(points).map(({ id }) => id)).toEqual(['cheap', 'best', 'twin']);
  });

  it('matches its definition for random points', () => {
    const point = fc.record({ id: fc.string(), cost: fc.option(fc.nat(5)), score: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 12 }), (points) => {
        const isBeaten = (one: (typeof points)[number]) =>
          points.some(({ cost, score }) => {
            if (cost === null || one.cost === null) return false;
            return cost <= one.cost && score >= one.score && (cost < one.cost || score > one.score);
          });
        const expected = points.filter((each) => each.cost !== null && !isBeaten(each));
        const front = paretoFront(points);
        expect(new Set(front)).toEqual(new Set(expected));
        expect(front.map(({ cost }) => cost)).toEqual(front.map(({ cost }) => cost).toSorted());
      }),
    );
  });
});

describe('usage', () => {
  it('is the mean over the runs that did not fail', () => {
    const found = meanUsage([
      outcome(true, { steps: [], rounds: 1, calls: 1, inputTokens: 10, outputTokens: 2, usd: 0.1, elapsed: 100 }),
      outcome(false, { rounds: 2, calls: 4, inputTokens: 30, outputTokens: 4, usd: 0.3, elapsed: 300 }),
      outcome(null, { calls: 9, usd: 9 }),
    ]);
    expect(found).toEqual({
      runs: 2,
      steps: 1,
      rounds: 1.5,
      calls: 2.5,
      inputTokens: 20,
      outputTokens: 3,
      usd: expect.closeTo(0.2, 12),
      unpriced: 0,
      incomplete: 0,
      elapsed: 200,
    });
    expect(meanUsage([outcome(null)])).toBeNull();
  });

  it('sums the known costs, and counts the calls of unknown cost', () => {
    const runs = [outcome(true, { usd: 0.5 }), outcome(true, { usd: 0.1, unpriced: 2 }), outcome(null, { usd: 1 })];
    expect(meanUsage(runs)).toMatchObject({ usd: 0.3, unpriced: 2 });
    expect(totalCost(runs)).toEqual({ usd: 1.6, unpriced: 2 });
  });

  it('counts the judge’s cost once for a run that several methods share', () => {
    const judge = { usd: 0.2, unpriced: 0 };
    const runs = [outcome(true, { runId: 'a', judge }), outcome(true, { runId: 'a', judge, method: 1 })];
    expect(totalJudgeCost(runs)).toEqual(judge);
  });

  it('counts the judge’s calls of unknown cost separately from the methods’ calls', () => {
    const runs = ['a', 'b'].map((runId) => outcome(true, { runId, unpriced: 1, judge: { usd: 0.2, unpriced: 2 } }));
    expect(totalJudgeCost(runs)).toEqual({ usd: 0.4, unpriced: 4 });
    expect(totalCost(runs)).toEqual({ usd: 0.02, unpriced: 2 });
  });

  it('includes the share of valid plans among the plans that a model had to write', () => {
    const plans = [true, true, false, null].map((format) => outcome(true, { format }));
    expect(validPlans(plans)).toMatchObject({ mean: 2 / 3, plans: 3 });
    expect(validPlans([outcome(true, { format: null })])).toBeNull();
  });
});

describe('workflows', () => {
  it('are counted by number of steps, and runs without a plan are ignored', () => {
    const solve = { workerId: 'a', role: 'solve' } as const;
    const runs = [1, 3, 3, 0].map((length) => outcome(true, { steps: Array.from({ length }, () => solve) }));
    expect(stepCounts(runs)).toEqual({ mean: 7 / 3, counts: [0, 1, 0, 2], runs: 3 });
    expect(stepCounts([])).toBeNull();
  });

  it('give each worker’s share of the steps', () => {
    const steps = ['b', 'a', 'b', 'b'].map((workerId) => ({ workerId, role: 'solve' as const }));
    expect(workerShares([outcome(true, { steps })])).toEqual([
      { workerId: 'b', steps: 3, share: 0.75 },
      { workerId: 'a', steps: 1, share: 0.25 },
    ]);
  });

  it('are counted by the reward that the paper defines', () => {
    const runs = [
      outcome(true),
      outcome(false),
      outcome(false, { format: false }),
      outcome(true, { format: null }),
      outcome(null),
    ];
    expect(rewardHistogram(runs, 'strict')).toEqual({ invalid: 1, wrong: 1, correct: 2, none: 1 });
  });
});

describe('disagreement', () => {
  it('counts tasks by how many methods solve them, and ignores tasks that lack a verdict', () => {
    const by = (taskId: string, ...correct: readonly (boolean | null)[]) =>
      correct.map((each, method) => outcome(each, { taskId, method }));
    const found = disagreement(
      [...by('all', true, true, true), ...by('one', true, false, false), ...by('part', true, null, true)],
      3,
      'strict',
    );
    expect(found.counts).toEqual([0, 1, 0, 1]);
    expect(found.tasks[0]).toEqual({ dataset: 0, taskId: 'one', right: [0], wrong: [1, 2] });
    expect(found.tasks).toHaveLength(3);
  });

  it('counts a task as solved if more than half of its repeats are correct', () => {
    const repeats = [true, false, true, false].map((correct, index) => outcome(correct, { repeat: index }));
    expect(disagreement(repeats, 1, 'strict').counts).toEqual([1, 0]);
    expect(disagreement(repeats.slice(0, 3), 1, 'strict').counts).toEqual([0, 1]);
  });
});

describe('single workers', () => {
  const plan = batchPlan({
    methods: [
      batchMethod('conductor'),
      batchMethod('a', ['a', 'b'], 'template:best-single@a'),
      batchMethod('b', ['a', 'b'], 'template:best-single@b'),
    ],
  });
  const runs = (method: number, ...correct: readonly (boolean | null)[]) =>
    correct.map((each, index) => outcome(each, { method, taskId: `t${index}` }));
  const outcomes = [
    runs(0, true, true, true, true),
    runs(1, true, true, false, false),
    runs(2, false, false, true, null),
  ];

  it('are the methods that make a single call, to a fixed worker', () => {
    expect(plan.methods.map(isSingleWorker)).toEqual([false, true, true]);
    expect(
      isSingleWorker(batchMethod('x', ['a', 'b'], 'template:best-single')),
      'the template chooses the worker',
    ).toBe(false);
    expect(isSingleWorker(batchMethod('x', ['a'], 'template:best-single'))).toBe(true);
    expect(isSingleWorker(batchMethod('x', ['a'], 'template:consensus@a'))).toBe(false);
  });

  it('have a best worker: the one with the highest mean score', () => {
    expect(bestSingleWorker(plan, outcomes, 'strict')).toBe(1);
    expect(bestSingleWorker(plan, [[], [], runs(2, true)], 'strict')).toBe(2);
    expect(bestSingleWorker(plan, [runs(0, true), [], []], 'strict')).toBeNull();
  });

  it('have an oracle that solves a task if any worker does, and skips tasks that lack a verdict', () => {
    const answers = oracleAnswers(plan, outcomes, 'strict');
    expect(new Map(answers.map(({ taskId, correct }) => [taskId, correct]))).toEqual(
      new Map([
        ['t0', true],
        ['t1', true],
        ['t2', true],
      ]),
    );
    // Task `t1` is left out, although one worker solves it, because the other worker has no verdict. If such tasks
    // counted when solved and were left out when not solved, the score would be too high.
    const partly = [[], runs(1, false, true), runs(2, false, null)];
    expect(oracleAnswers(plan, partly, 'strict')).toMatchObject([{ taskId: 't0', correct: false }]);
    expect(oracleAnswers(plan, [[], runs(1, true), runs(2, null)], 'strict')).toHaveLength(1);
  });
});
