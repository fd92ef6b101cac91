/** @file Checks the data of each plot on the Analyze page against a computation over plain objects. */
import { describe, expect, it } from 'vitest';
import { DOMAINS, ROLES, SHAPES, type IndexedRun } from '../../../../src/core/contract';
import { checkerRows } from '../../../../src/core/analysis/statistics/check-trust';
import { FIGURES, readFigure } from '../../../../src/core/analysis/figures';
import { conductorsFigure } from '../../../../src/core/analysis/figures/conductors';
import { costScoreFigure } from '../../../../src/core/analysis/figures/cost-score';
import { grammarFigure } from '../../../../src/core/analysis/figures/grammar';
import { latencyFigure } from '../../../../src/core/analysis/figures/latency';
import { recursionFigure } from '../../../../src/core/analysis/figures/recursion';
import { routingFigure } from '../../../../src/core/analysis/figures/routing';
import { shapesFigure } from '../../../../src/core/analysis/figures/shapes';
import {
  spendByDayFigure,
  spendByPurposeFigure,
  spendByWorkerFigure,
} from '../../../../src/core/analysis/figures/spend';
import { stepsFigure } from '../../../../src/core/analysis/figures/steps';
import { workerDomainFigure, workerRoleFigure } from '../../../../src/core/analysis/figures/workers';
import { columnsOf, dataOf, indexedRuns } from './indexed-runs';

const isMeant = ({ summary }: IndexedRun) => summary.startedAt % 5 !== 0 || summary.usd > 0.004;
const all = indexedRuns(900);
const runs = all.filter(isMeant);
const { columns, selection } = columnsOf(all, isMeant);
const graded = runs.filter(({ summary }) => summary.correct !== null);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shareRight = (of: readonly IndexedRun[]) => mean(of.map(({ summary }) => (summary.correct ? 1 : 0)));
const isDecided = ({ conductorKind, steps }: IndexedRun) =>
  conductorKind !== 'template' && conductorKind !== 'by-hand' && steps.length > 0;

describe('the plots of score and cost', () => {
  it('group graded runs by Conductor', () => {
    const { rows, unpriced } = dataOf(conductorsFigure(columns, selection));
    expect(rows.length).toBe(4);
    for (const { conductor, score, cost, group } of rows) {
      const own = graded.filter(({ summary }) => summary.conductor === conductor);
      const priced = own.filter(({ summary }) => summary.unpriced === 0).map(({ summary }) => summary.usd);
      expect(score.n).toBe(own.length);
      expect(score.mean).toBeCloseTo(shareRight(own), 12);
      expect(cost?.n).toBe(priced.length);
      expect(cost?.mean).toBeCloseTo(mean(priced), 12);
      expect(cost?.interval?.low).toBeLessThan(mean(priced));
      expect(group).toBe(conductor === 'Debate' || conductor === 'Alder alone' ? 'baseline' : 'conductor');
    }
    expect(unpriced).toBe(graded.filter(({ summary }) => summary.unpriced > 0).length);
  });

  it('label a baseline as a single worker if each of its plans has one step', () => {
    const single = all.map((run) =>
      run.summary.conductor === 'Alder alone' ? { ...run, steps: run.steps.slice(0, 1) } : run,
    );
    const kept = single.filter(({ summary, steps }) => summary.conductor !== 'Alder alone' || steps.length === 1);
    const found = columnsOf(kept);
    const { rows } = dataOf(conductorsFigure(found.columns, found.selection));
    expect(rows.find(({ conductor }) => conductor === 'Alder alone')?.group).toBe('single');
  });

  it('put a Conductor on the Pareto front unless another one dominates it in cost and score', () => {
    const { rows } = dataOf(costScoreFigure(columns, selection));
    for (const row of rows) {
      const isBeaten = rows.some(
        (other) =>
          other !== row &&
          other.cost.mean <= row.cost.mean &&
          other.score.mean >= row.score.mean &&
          (other.cost.mean < row.cost.mean || other.score.mean > row.score.mean),
      );
      expect(row.isOnFront).toBe(!isBeaten);
    }
    expect(rows.map(({ cost }) => cost.mean)).toEqual(rows.map(({ cost }) => cost.mean).toSorted((a, b) => a - b));
  });

  it('put no Conductor with fewer than 10 graded runs on the Pareto front', () => {
    const few = all.map((run, index): IndexedRun =>
      index < 9 ? { ...run, summary: { ...run.summary, conductor: 'Lucky', correct: true, usd: 0, unpriced: 0 } } : run,
    );
    const found = columnsOf(few);
    const { rows } = dataOf(costScoreFigure(found.columns, found.selection));
    expect(rows[0]).toMatchObject({ conductor: 'Lucky', isOnFront: false, score: { n: 9 } });
    expect(rows.some(({ isOnFront }) => isOnFront)).toBe(true);
  });
});

describe('the plots of workers', () => {
  it('count the graded runs that a worker took part in, by kind of question', () => {
    const table = dataOf(workerDomainFigure(columns, selection));
    expect(table.columns).toEqual(DOMAINS);
    expect(table.rows.length).toBe(5);
    for (const { worker, cells } of table.rows) {
      for (const [index, cell] of cells.entries()) {
        const own = graded.filter(
          ({ domain, steps }) => domain === table.columns[index] && steps.some((step) => step.worker === worker),
        );
        expect(cell?.n ?? 0).toBe(own.length);
        if (cell) expect(cell.mean).toBeCloseTo(shareRight(own), 12);
      }
    }
  });

  it('count a run once for each role that a worker had in the run', () => {
    const table = dataOf(workerRoleFigure(columns, selection));
    expect(table.columns).toEqual(ROLES);
    for (const { worker, cells } of table.rows) {
      for (const [index, cell] of cells.entries()) {
        const own = graded.filter(({ steps }) =>
          steps.some((step) => step.worker === worker && step.role === table.columns[index]),
        );
        expect(cell?.n ?? 0).toBe(own.length);
        if (cell) expect(cell.mean).toBeCloseTo(shareRight(own), 12);
      }
    }
  });

  it('name the best worker only if its lead is statistically clear', () => {
    expect(dataOf(workerDomainFigure(columns, selection)).leaders).toEqual([]);
    const biased = all.map((run): IndexedRun =>
      run.domain === 'maths'
        ? { ...run, summary: { ...run.summary, correct: run.steps.some(({ worker }) => worker === 'Elm') } }
        : run,
    );
    const found = columnsOf(biased);
    expect(dataOf(workerDomainFigure(found.columns, found.selection)).leaders).toEqual([
      { column: 'maths', worker: 'Elm' },
    ]);
  });
});

describe('the plots of plans', () => {
  it('show the share of each plan shape, and how often its plans lead to a right answer', () => {
    const { rows, plans } = dataOf(shapesFigure(columns, selection));
    const planned = runs.filter(({ shape }) => shape !== null);
    expect(plans).toBe(planned.length);
    expect(rows.map(({ shape }) => shape).toSorted()).toEqual(SHAPES.toSorted());
    for (const { shape, share, right } of rows) {
      const own = planned.filter((run) => run.shape === shape);
      const judged = own.filter(({ summary }) => summary.correct !== null);
      expect(share.mean).toBeCloseTo(own.length / planned.length, 12);
      expect(right?.n).toBe(judged.length);
      expect(right?.mean).toBeCloseTo(shareRight(judged), 12);
    }
  });

  it('show the rolling mean of steps per plan in order of time, even if newer runs were added first', () => {
    const backwards = columnsOf(all.toReversed(), isMeant);
    const decided = runs.filter(isDecided);
    for (const each of [columnsOf(all, isMeant), backwards]) {
      const { means, points, window, runs: count } = dataOf(stepsFigure(each.columns, each.selection));
      expect(count).toBe(decided.length);
      for (const { to, from, steps } of means) {
        const last = decided.findIndex(({ summary }) => summary.startedAt === to);
        const own = decided.slice(last + 1 - window, last + 1).map((run) => run.steps.length);
        expect(from).toBe(decided[last + 1 - window]?.summary.startedAt);
        expect(steps.mean).toBeCloseTo(mean(own), 9);
        const variance = own.reduce((sum, value) => sum + (value - mean(own)) ** 2, 0) / (window - 1);
        const half = (steps.interval?.high ?? 0) - steps.mean;
        expect(half / Math.sqrt(variance / window)).toBeGreaterThan(1.96);
      }
      for (const { at, steps } of points) {
        expect(decided.find(({ summary }) => summary.startedAt === at)?.steps.length).toBe(steps);
      }
    }
  });

  it('warn when all of the latest plans have one step', () => {
    expect(dataOf(stepsFigure(columns, selection)).collapse).toBeNull();
    const collapsed = all.map((run, index) => (index < 600 ? run : { ...run, steps: run.steps.slice(0, 1) }));
    const found = columnsOf(collapsed);
    const { collapse, window } = dataOf(stepsFigure(found.columns, found.selection));
    expect(collapse?.of).toBe(window);
    expect(collapse?.one).toBe(window);
    expect(collapse?.before).toBeLessThan(0.8);
  });

  it('leave templates and plans by hand out of the entropy of worker choice in each window', () => {
    const { windows, workers, runs: count } = dataOf(routingFigure(columns, selection));
    const decided = runs.filter(isDecided);
    expect(workers).toBe(5);
    expect(count).toBe(decided.length);
    expect(windows.reduce((sum, window) => sum + window.runs, 0)).toBe(decided.length);
    for (const { from, to, entropy, low, high, steps, first, share } of windows) {
      const chosen = decided
        .filter(({ summary }) => summary.startedAt >= from && summary.startedAt <= to)
        .flatMap((run) => run.steps.map(({ worker }) => worker));
      const shares = [...new Set(chosen)].map((name) => chosen.filter((each) => each === name).length / chosen.length);
      const expected = -shares.reduce((sum, p) => sum + p * Math.log2(p), 0) / Math.log2(5);
      expect(steps).toBe(chosen.length);
      expect(entropy).toBeCloseTo(expected, 9);
      expect(low).toBeLessThanOrEqual(entropy);
      expect(high).toBeGreaterThanOrEqual(entropy);
      expect(share).toBe(Math.max(...shares));
      expect(chosen.filter((name) => name === first).length / chosen.length).toBe(share);
    }
  });

  it('compare runs of several rounds with runs of one round', () => {
    const { rows } = dataOf(recursionFigure(columns, selection));
    const byRounds = (rounds: number) => graded.filter(({ summary }) => Math.min(4, summary.rounds) === rounds);
    expect(rows.map(({ rounds }) => rounds)).toEqual([1, 2, 3, 4]);
    for (const { rounds, right, gain, cost } of rows) {
      const own = byRounds(rounds);
      expect(right.n).toBe(own.length);
      expect(right.mean).toBeCloseTo(shareRight(own), 12);
      if (rounds === 1) expect(gain).toBeNull();
      else expect(gain?.mean).toBeCloseTo(shareRight(own) - shareRight(byRounds(1)), 12);
      const priced = own.filter(({ summary }) => summary.unpriced === 0);
      expect(cost?.mean).toBeCloseTo(mean(priced.map(({ summary }) => summary.usd)), 12);
    }
  });

  it('show the share of valid plans with and without a grammar', () => {
    const { rows, plans } = dataOf(grammarFigure(columns, selection));
    const written = runs.filter(({ grammar, summary }) => grammar !== null && summary.isValid !== undefined);
    expect(plans).toBe(written.length);
    expect(rows.slice(0, 2).map(({ conductor, grammar }) => [conductor, grammar])).toEqual([
      [null, true],
      [null, false],
    ]);
    for (const { conductor, grammar, valid } of rows) {
      const own = written.filter(
        (run) => run.grammar === grammar && (conductor === null || run.summary.conductor === conductor),
      );
      expect(valid.n).toBe(own.length);
      expect(valid.mean).toBeCloseTo(mean(own.map(({ summary }) => (summary.isValid ? 1 : 0))), 12);
    }
  });
});

describe('the plots of time and money', () => {
  it('show the median time to the first text and the 90 % quantile of the total time of finished calls', () => {
    const { rows, calls } = dataOf(latencyFigure(columns, selection));
    const finished = runs.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === 'finished'));
    expect(calls).toBe(finished.length);
    const quantile = (values: number[], share: number) => {
      const sorted = values.toSorted((one, other) => one - other);
      const at = share * (sorted.length - 1);
      const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
      return low + (high - low) * (at % 1);
    };
    for (const row of rows) {
      const own = finished.filter(({ worker, provider }) => worker === row.worker && provider === row.provider);
      const firsts = own.flatMap(({ latency }) => latency ?? []);
      expect(row.calls).toBe(own.length);
      expect(row.first?.n ?? 0).toBe(firsts.length < 10 ? 0 : firsts.length);
      if (row.first) expect(row.first.median).toBeCloseTo(quantile(firsts, 0.5), 9);
      if (row.whole) expect(row.whole.slow).toBeCloseTo(quantile(own.map(({ time }) => time), 0.9), 9); // prettier-ignore
    }
  });

  it('sum costs by day in the user’s time zone, and leave no day out', () => {
    const { periods, unit, total } = dataOf(spendByDayFigure(columns, selection));
    expect(unit).toBe('day');
    expect(periods.reduce((sum, { runs: own }) => sum + own, 0)).toBe(runs.length);
    expect(total.usd).toBeCloseTo(runs.reduce((sum, { summary }) => sum + summary.usd, 0), 9); // prettier-ignore
    for (const [index, { from, to, usd }] of periods.entries()) {
      expect(new Date(from).getHours()).toBe(0);
      expect(periods[index + 1]?.from ?? to + 1).toBe(to + 1);
      const own = runs.filter(
        ({ summary }) => new Date(summary.startedAt).toDateString() === new Date(from).toDateString(),
      );
      expect(usd).toBeCloseTo(own.reduce((sum, { summary }) => sum + summary.usd, 0), 9); // prettier-ignore
    }
  });

  it.each([[all.length], [1]])(
    'show no costs by day if no run has both a cost and a start time (%i runs without a start time)',
    (count) => {
      const undated = all.map((run, index) => {
        const isUndated = index < count;
        const { summary } = run;
        return {
          ...run,
          summary: { ...summary, startedAt: isUndated ? NaN : summary.startedAt, usd: isUndated ? 0.5 : 0 },
        };
      });
      const found = columnsOf(undated);
      expect(spendByDayFigure(found.columns, found.selection)).toEqual({ isEnough: false, have: 0, needed: 1 });
    },
  );

  it.each([
    [100, 'week'],
    [700, 'month'],
    [4000, 'year'],
  ])('sum the costs of %i days by %s', (days, unit) => {
    const spaced = all.map((run, index) => ({
      ...run,
      summary: { ...run.summary, startedAt: Date.UTC(2026, 0, 1) - (index * days * 86_400_000) / all.length },
    }));
    const found = columnsOf(spaced);
    const data = dataOf(spendByDayFigure(found.columns, found.selection));
    expect(data.unit).toBe(unit);
    expect(data.periods.reduce((sum, { runs: own }) => sum + own, 0)).toBe(all.length);
    expect(data.periods.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(data.total.usd, 9);
  });

  it('sum costs by worker and by purpose', () => {
    const { rows } = dataOf(spendByWorkerFigure(columns, selection));
    const steps = runs.flatMap((run) => run.steps);
    for (const { worker, usd, calls } of rows) {
      const own = steps.filter((step) => step.worker === worker);
      expect(calls).toBe(own.length);
      expect(usd).toBeCloseTo(own.reduce((sum, step) => sum + step.usd, 0), 9); // prettier-ignore
    }
    expect(rows.map(({ usd }) => usd)).toEqual(rows.map(({ usd }) => usd).toSorted((one, other) => other - one));
    const purposes = dataOf(spendByPurposeFigure(columns, selection)).rows;
    expect(purposes.map(({ purpose }) => purpose)).toEqual(['steps', 'plans']);
    expect(purposes[1]?.usd).toBeCloseTo(runs.reduce((sum, { planUsd }) => sum + planUsd, 0), 9); // prettier-ignore
  });

  it('list the costs of judges and discarded steps, and count judges in daily costs and in unpriced calls', () => {
    const judged = all.map((run) => ({
      ...run,
      judgeUsd: 0.002,
      judgeUnpriced: 2,
      summary: { ...run.summary, usd: run.summary.usd + 0.001 },
    }));
    const found = columnsOf(judged);
    const { rows, total } = dataOf(spendByPurposeFigure(found.columns, found.selection));
    expect(rows.map(({ purpose }) => purpose)).toEqual(['steps', 'plans', 'judges', 'discarded']);
    expect(rows[2]?.usd).toBeCloseTo(1.8, 9);
    expect(rows[3]?.usd).toBeCloseTo(0.9, 9);
    expect(total.unpriced).toBe(judged.reduce((sum, { summary }) => sum + summary.unpriced + 2, 0));
    const { periods } = dataOf(spendByDayFigure(found.columns, found.selection));
    expect(periods.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(total.usd, 9);
    expect(total.usd).toBeCloseTo(judged.reduce((sum, { summary }) => sum + summary.usd, 1.8), 9); // prettier-ignore
  });

  it('combine the costs of all workers after the twelfth in one row', () => {
    const many = all.map((run, index) => ({
      ...run,
      steps: run.steps.map((step) => ({ ...step, worker: `Worker ${index % 20}` })),
    }));
    const found = columnsOf(many);
    const { rows } = dataOf(spendByWorkerFigure(found.columns, found.selection));
    expect(rows.length).toBe(13);
    expect(rows[12]?.worker).toBeNull();
    const sum = rows.reduce((total, { usd }) => total + usd, 0);
    expect(sum).toBeCloseTo(all.flatMap(({ steps }) => steps).reduce((total, { usd }) => total + usd, 0), 9); // prettier-ignore
  });
});

it('counts the verdicts of each checker by whether they were true', () => {
  const { checkers, answers } = dataOf(FIGURES.checkers(columns, selection));
  const checks = runs.flatMap(({ steps }) => steps.filter((step) => step.checks));
  expect(answers).toBe(6 * checks.length);
  expect(checkers.length).toBeGreaterThan(1);
  for (const { worker, rightWasRight, wrongWasWrong, fooled, unsure, precision } of checkerRows(checkers, new Map())) {
    const own = checks.filter((step) => step.worker === worker).length;
    expect(rightWasRight).toMatchObject({ n: 3 * own, mean: 2 / 3 });
    expect(wrongWasWrong).toMatchObject({ n: 2 * own, mean: 1 });
    expect(fooled).toMatchObject({ n: 3 * own, mean: 1 / 3 });
    expect(unsure).toBe(own);
    expect(precision === null).toBe(3 * own < 10);
  }
});

describe('all plots', () => {
  it('report how many runs they need if there are none, and have data that a Web Worker can send to the page', () => {
    const empty = columnsOf([]);
    for (const figure of Object.values(FIGURES)) {
      const few = figure(empty.columns, empty.selection);
      expect(few).toEqual({ isEnough: false, have: 0, needed: expect.any(Number) });
      const found = figure(columns, selection);
      expect(structuredClone(found)).toEqual(found);
    }
    expect(readFigure('shapes', shapesFigure(columns, selection))).toEqual(shapesFigure(columns, selection));
    expect(() => readFigure('shapes', { have: 3 })).toThrow();
  });

  it('do not depend on runs outside the selection', () => {
    const alone = columnsOf(runs);
    for (const figure of Object.values(FIGURES)) {
      expect(figure(columns, selection)).toEqual(figure(alone.columns, alone.selection));
    }
  });
});

it('runs that the user ended early count only for costs and latencies', () => {
  const some = all.slice(0, 300);
  const ended = some.map((run, index) =>
    index % 3 > 0 ? run : { ...run, summary: { ...run.summary, early: true as const } },
  );
  const [marked, kept, whole] = [ended, some.filter((_, index) => index % 3 > 0), some].map((each) =>
    columnsOf(each, () => true),
  );
  if (!marked || !kept || !whole) throw new Error('There are no runs.');
  const costs: readonly string[] = ['grammar', 'latency', 'spend-day', 'spend-worker', 'spend-purpose'];
  for (const [name, figure] of Object.entries(FIGURES)) {
    const expected = costs.includes(name) ? whole : kept;
    expect(figure(marked.columns, marked.selection), name).toEqual(figure(expected.columns, expected.selection));
  }
});
