import { describe, expect, it } from 'vitest';
import { seededRandom, type BatchPlan, type Outcome } from '../../../../src/core/contract';
import { drawnSteps } from '../../../../src/core/conductor/equal-calls';
import { ControlBudgets, equalCostControl } from '../../../../src/core/evaluation/batches/equal-cost';
import { comparisonsOf } from '../../../../src/core/evaluation/statistics/comparisons';
import { comparisonSentences } from '../../../../src/core/evaluation/tables/comparison-words';
import { batchMethod, batchPlan, outcome } from '../../../fixtures/evaluation/batches';

const [SHORT, LONG, RULES, CONTROL, MATCHED] = [0, 1, 2, 3, 4];

/** A plan with the workers a and b alone, the method *Rules*, and its controls. */
function plan(tasks: number, controls: readonly boolean[] = [false, true]): BatchPlan {
  const rules = { ...batchMethod('rules'), label: 'Rules' };
  const singles = ['a', 'b'].map((id) => batchMethod(id, ['a', 'b'], `template:best-single@${id}`));
  const taskIds = Array.from({ length: tasks }, (_, index) => `t${index}`);
  return batchPlan({
    datasets: [{ id: 'sums', name: 'Sums', revision: 'r1', isConfidential: false, taskIds }],
    methods: [...singles, rules, ...controls.map((isMatched) => equalCostControl(rules, isMatched))],
  });
}

/** Outcomes of a method that solves the tasks for which `right` returns `true`. */
const results = (method: number, tasks: number, right: (task: number) => boolean, more: Partial<Outcome> = {}) =>
  Array.from({ length: tasks }, (_, task) => outcome(right(task), { method, taskId: `t${task}`, ...more }));

const said = (given: BatchPlan, outcomes: readonly Outcome[]) =>
  comparisonsOf(given, outcomes, 'strict').map((each) => comparisonSentences(each).join(' '));

describe('the sentence that states the result', () => {
  const alone = [
    ...results(SHORT, 120, (task) => task >= 60, { usd: 0.01, calls: 1 }),
    ...results(LONG, 120, (task) => task >= 100, { usd: 0.02, calls: 1 }),
  ];
  const rules = results(RULES, 120, (task) => task >= 40, { usd: 0.021, calls: 3 });

  it('compares with the best single worker, and at equal cost', () => {
    const control = results(CONTROL, 120, (task) => task >= 44 && task < 119, { usd: 0.02, calls: 2 });
    const matched = results(MATCHED, 120, (task) => task >= 42, { usd: 0.02, calls: 2 });
    // Rules wins 20 of 120 tasks and loses none, so ± is 1.96 · sqrt(21/122 − (20/122)²) / sqrt(122) · 122/120.
    // With the control, it wins five tasks, and too few tasks differ for a verdict.
    expect(said(plan(120), [...alone, ...rules, ...control, ...matched])).toEqual([
      'On these 120 tasks, Rules is 16.7 ± 6.9 points above Worker a alone, at 2.1 times its cost; at equal cost the difference is 4.2 ± 3.9. ' +
        'That is not enough for a verdict: it would take about 95 more such tasks. ' +
        'In all, Rules spent $2.52 ± $0, and its control $2.40 ± $0. ' +
        'With a control that is matched per task, the difference is 1.7 ± 2.8.',
    ]);
  });

  it('gives a verdict if the interval allows it', () => {
    const worse = results(CONTROL, 120, (task) => task >= 60, { usd: 0.021 });
    const better = results(CONTROL, 120, (task) => task >= 10, { usd: 0.021 });
    const [pays = ''] = said(plan(120, [false]), [...alone, ...rules, ...worse]);
    expect(pays).toContain('; at equal cost the difference is 16.7 ± 6.9. So conducting pays on such tasks. In all,');
    const [loses = ''] = said(plan(120, [false]), [...alone, ...rules, ...better]);
    expect(loses).toContain(
      '; at equal cost the difference is −25.0 ± 7.9. So one worker alone is better at the same cost. In all,',
    );
  });

  it('states that there is no control for a method that is cheaper than one call', () => {
    const refused = results(CONTROL, 120, () => true, { status: 'not-gradable', verdicts: {}, usd: 0 });
    const cheap = rules.map((each) => ({ ...each, usd: 0.004 }));
    expect(said(plan(120, [false]), [...alone, ...cheap, ...refused])).toEqual([
      'On these 120 tasks, Rules is 16.7 ± 6.9 points above Worker a alone, at 0.4 times its cost. ' +
        'One call to the best worker costs more than Rules, so there is no equal-cost control.',
    ]);
  });

  it('compares calls if a cost is unknown, and tells of tasks without a control', () => {
    const control = results(CONTROL, 100, (task) => task >= 40, { usd: 0, unpriced: 3, calls: 3 });
    const [sentence = ''] = said(plan(120, [false]), [...alone, ...rules, ...control]);
    expect(sentence).toContain('at 2.1 times its cost; at equal cost (100 tasks) the difference is 0.0 ± 2.0.');
    expect(sentence).toContain(
      'So far, there is no difference. In all, Rules made 300 ± 0 calls, and its control 300 ± 0.',
    );
  });

  it('is left out without a worker alone, or with fewer than two tasks', () => {
    const { methods, ...rest } = plan(120, []);
    const only = methods.slice(RULES);
    expect(
      said(
        { ...rest, methods: only },
        rules.map((each) => ({ ...each, method: 0 })),
      ),
    ).toEqual([]);
    expect(said(plan(1, []), [...alone.slice(0, 1), ...rules.slice(0, 1)])).toEqual([]);
  });

  it('takes the single worker of each task from other tasks, also if two are equally good', () => {
    // Each worker solves a half of the tasks. If only the task itself were left out, the wrong one would always be chosen.
    const outcomes = [
      ...results(SHORT, 100, (task) => task % 2 === 0),
      ...results(LONG, 100, (task) => task % 2 === 1),
      ...results(RULES, 100, () => true),
    ];
    const [found] = comparisonsOf(plan(100, []), outcomes, 'strict');
    expect(found?.workers.toSorted()).toEqual(['Worker a', 'Worker b']);
    expect(found?.alone.scores.value).toBeGreaterThan(0.4);
    expect(found?.alone.scores.value).toBeLessThan(0.65);
    expect(said(plan(100, []), outcomes)[0]).toMatch(
      /points above the best single worker \(mostly Worker [ab]\), at 1\.0 times its cost\./,
    );
  });

  it('compares with the mean of equally good workers, on average', () => {
    const random = seededRandom(4);
    const values = Array.from({ length: 60 }, (_, seed) => {
      const outcomes = [
        ...results(SHORT, 50, () => random() < 0.6),
        ...results(LONG, 50, () => random() < 0.6),
        ...results(RULES, 50, () => true),
      ];
      return comparisonsOf({ ...plan(50, []), seed }, outcomes, 'strict')[0]?.alone.scores.value ?? NaN;
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean - 0.4)).toBeLessThan(0.03);
  });
});

describe('simulated batches whose true difference is known', () => {
  /** The probability that most of five answers are right, if each is right with this probability. */
  const voteOfFive = (right: number) =>
    [3, 4, 5].reduce(
      (sum, count) => sum + ([10, 5, 1][count - 3] ?? 0) * right ** count * (1 - right) ** (5 - count),
      0,
    );

  it('have it in about 95 % of the intervals at equal cost', () => {
    const given = plan(80, [false]);
    const random = seededRandom(21);
    const truth = 0.85 - voteOfFive(0.7);
    const draws = new Set<string>();
    let covered = 0;
    for (let batch = 0; batch < 150; batch++) {
      const outcomes = [
        ...results(SHORT, 80, () => random() < 0.7, { usd: 0.01, calls: 1 }),
        ...results(LONG, 80, () => random() < 0.05, { usd: 0.03, calls: 1 }),
        ...results(RULES, 80, () => random() < 0.85, { usd: 0.05, calls: 3 }),
      ];
      const budgets = new ControlBudgets(given, outcomes);
      const control = results(CONTROL, 80, (task) => {
        const budget = budgets.of({ dataset: 0, taskId: `t${task}`, method: CONTROL, repeat: 0 });
        const answers = (drawnSteps(budget?.calls ?? 0, random) ?? 0) - 1;
        draws.add(`${answers} by ${budget?.worker}`);
        const right = Array.from({ length: answers }, () => random() < 0.7).filter(Boolean).length;
        return right > answers / 2;
      });
      const [found] = comparisonsOf(given, [...outcomes, ...control], 'strict');
      const { value, plusMinus } = found?.equalCost?.scores ?? { value: NaN, plusMinus: NaN };
      if (Math.abs(value - truth) <= plusMinus) covered += 1;
    }
    expect([...draws]).toEqual(['5 by a']);
    expect(covered / 150).toBeGreaterThan(0.91);
    expect(covered / 150).toBeLessThan(0.995);
  });
});
