import { describe, expect, it } from 'vitest';
import type { BatchPlan, GradingProfile, Outcome } from '../../../../src/core/contract';
import { SET_MAPS } from '../../../../src/core/evaluation/datasets/maps';
import { benchmarkOf, PUBLISHED_ROWS } from '../../../../src/core/evaluation/tables/published';
import { resultsTable } from '../../../../src/core/evaluation/tables/results-table';
import { batchMethod, batchPlan, outcome, storedBatch } from '../../../fixtures/evaluation/batches';

const dataset = (id: string, name: string, tasks: number) => ({
  id,
  name,
  revision: 'r',
  isConfidential: false,
  taskIds: Array.from({ length: tasks }, (_, index) => `t${index}`),
});
const plan = (more: Partial<BatchPlan> = {}) =>
  batchPlan({ datasets: [dataset('m', 'MATH-500', 4), dataset('own', 'My own', 2)], ...more });
const tableOf = (outcomes: readonly Outcome[], more: Partial<BatchPlan> = {}) =>
  resultsTable(storedBatch('batch', { plan: plan(more) }), outcomes, { profile: 'strict' });
const run = (on: number, method: number, ...correct: readonly (boolean | null)[]) =>
  correct.map((each, index) => outcome(each, { dataset: on, method, taskId: `t${index}` }));

describe('the table of results', () => {
  it('has a row for each method, a column for each dataset, and the unweighted mean over the datasets', () => {
    const table = tableOf([...run(0, 0, true, true, false, true), ...run(1, 0, true, false), ...run(0, 1, true)]);
    expect(table.columns).toEqual([
      { id: 'm', name: 'MATH-500', tasks: 4 },
      { id: 'own', name: 'My own', tasks: 2 },
    ]);
    const [one, two] = table.methods;
    expect(one?.cells.map(({ score }) => score?.mean)).toEqual([0.75, 0.5]);
    // The standard error of the first dataset is 0.25, and that of the second dataset is 0.5.
    expect(one?.mean).toEqual({ mean: 0.625, error: expect.closeTo(Math.sqrt(0.25 ** 2 + 0.5 ** 2) / 2, 12) });
    expect(two?.cells[0]).toMatchObject({ score: { mean: 1, error: null }, units: 4, missing: 3 });
    expect(two?.cells[1]).toMatchObject({ score: null, units: 2, missing: 2 });
    expect(two?.mean, 'one dataset has no score').toBeNull();
  });

  it('notes how many runs have no score, for each reason, and how many calls have unknown cost', () => {
    const [row] = tableOf([
      outcome(null),
      outcome(true, { taskId: 't1', status: 'waiting', verdicts: {} }),
      outcome(true, { taskId: 't2', status: 'not-gradable', verdicts: {} }),
      outcome(true, { taskId: 't3', verdicts: { 'paper-artefact': { correct: true, detail: '' } }, unpriced: 1 }),
    ]).methods;
    expect(row?.cells[0]).toMatchObject({
      score: null,
      units: 4,
      missing: 0,
      failed: 1,
      notGradable: 1,
      waiting: 1,
      otherProfile: 1,
    });
    expect(row?.usage).toMatchObject({ usd: 0.01, unpriced: 1 });
    expect(row?.notes).toEqual([
      '2 of 6 runs have no result yet.',
      '1 of 6 runs failed and are not counted as wrong.',
      '1 of 6 runs can’t be graded here.',
      '1 of 6 runs wait for your grade.',
      '1 of 6 runs have no verdict under this grading profile.',
      '1 call has an unknown cost, so the cost is a minimum.',
    ]);
  });

  it('has a note if answer tags were requested in the questions', () => {
    const notesOf = (more: Partial<BatchPlan>, profile: GradingProfile, hasTagTasks: boolean | null = true) =>
      resultsTable(storedBatch('batch', { plan: plan(more) }), [], { profile, hasTagTasks }).notes;
    expect(notesOf({}, 'strict')).toEqual([]);
    expect(notesOf({}, 'paper-artefact')).toMatchObject([expect.stringContaining('did not ask for <answer> tags')]);
    for (const profile of ['strict', 'paper-artefact'] as const) {
      expect(notesOf({ answerFormat: 'answer-tags' }, profile)).toEqual([
        'For the same tasks as in the paper’s code, the questions asked for answers in <answer> tags.',
      ]);
      for (const more of [{}, { answerFormat: 'answer-tags' as const }]) {
        expect(notesOf(more, profile, false), 'no task asks for tags').toEqual([]);
        expect(notesOf(more, profile, null), 'the tasks are unknown').toEqual(notesOf(more, profile));
      }
    }
  });

  it('notes the cost of the judge and the number of judge calls of unknown cost', () => {
    const judged = (usd: number, ...unpriced: readonly number[]) =>
      unpriced.map((calls, index) => outcome(true, { taskId: `t${index}`, judge: { usd, unpriced: calls } }));
    const notesOf = (outcomes: readonly Outcome[]) => tableOf(outcomes).notes;
    expect(notesOf([outcome(true)])).toEqual([]);
    expect(notesOf(judged(0.01, 0, 0))).toEqual(['The judge has cost $0.0200. The methods’ costs exclude the judge.']);
    expect(notesOf(judged(0.01, 0, 1))).toEqual([
      'The judge has cost at least $0.0200. 1 call to it has an unknown cost. The methods’ costs exclude the judge.',
    ]);
    expect(notesOf(judged(0, 1, 2))).toEqual([
      'The cost of the judge is unknown. 3 calls to it have an unknown cost. The methods’ costs exclude the judge.',
    ]);
    const [row] = tableOf(judged(0, 1, 2)).methods;
    expect(row, 'the methods’ own calls have a cost').toMatchObject({ cost: { unpriced: 0 }, usage: { unpriced: 0 } });
  });

  it('has rows for the best single worker and for the oracle, which is right if any worker is', () => {
    const methods = ['a', 'b'].map((id) => batchMethod(id, ['a', 'b'], `template:best-single@${id}`));
    const outcomes = [
      ...run(0, 0, true, false, false, true),
      ...run(0, 1, false, true, false, false),
      ...run(1, 0, true, false),
      ...run(1, 1, true, false),
    ];
    const [best, oracle] = tableOf(outcomes, { methods }).references;
    expect(best).toMatchObject({ kind: 'best-single', mean: { mean: 0.5 } });
    expect(best?.label).toBe('Best of the single workers: Method a');
    expect(oracle?.scores.map((score) => score?.mean)).toEqual([0.75, 0.5]);
    expect(tableOf(outcomes).references).toEqual([]);
  });

  it('adds the ids of methods to equal labels', () => {
    const methods = ['a', 'b'].map((id) => ({ ...batchMethod(id), label: 'Best single worker' }));
    expect(tableOf([], { methods }).methods.map(({ label }) => label)).toEqual([
      'Best single worker (a)',
      'Best single worker (b)',
    ]);
  });

  it('includes the paper’s rows with a score for at least one dataset of the batch', () => {
    const { published } = tableOf([]);
    const conductor = published.find(({ label, setting }) => label === 'Conductor' && setting === 'unconstrained');
    expect(conductor).toMatchObject({ scores: [expect.closeTo(0.994, 12), null], mean: null, tables: 'Table 1' });
    expect(conductor?.notes).toEqual(['Published, not measured here: Table 1, unconstrained.']);
    expect(
      published.some(({ tables }) => tables === 'Table 11'),
      'Table 11 has no MATH500',
    ).toBe(false);
    expect(tableOf([], { datasets: [dataset('own', 'My own', 1)] }).published).toEqual([]);
  });
});

describe('the published rows', () => {
  it('match the titles of the paper’s datasets to a benchmark, but not those of other known datasets', () => {
    const paper = ['math-500', 'mmlu', 'gpqa-diamond', 'rlpr', 'livecodebench', 'bigcodebench'];
    const titles = Object.values(SET_MAPS).map(({ info }) => [info.set, benchmarkOf(info.title) !== null] as const);
    expect(titles.filter(([, isBenchmark]) => isBenchmark).map(([set]) => set)).toEqual(paper);
    expect(['AIME 2025', 'AIME 2024'].map((title) => benchmarkOf(title))).toEqual(['AIME25', null]);
  });

  it.each([
    ['Table 1', 'Conductor', 77.27],
    ['Table 1', 'GPT-5', 74.78],
    ['Table 1', 'Gemini 2.5 Pro', 70.97],
    ['Table 1', 'Claude Sonnet 4', 65.69],
    ['Tables 5 to 7', 'GPT-5, 5 rounds of self-reflection', 64.52],
    ['Tables 5 to 7', 'Mixture of Agents', 62.13],
    ['Tables 5 to 7', 'MasRouter', 56.89],
    ['Tables 5 to 7', 'RouterDC', 52.41],
    ['Tables 5 to 7', 'Smoothie', 56.48],
  ])('have the mean that %s of the paper states for %s', (tables, label, mean) => {
    const row = PUBLISHED_ROWS.find((each) => each.tables === tables && each.label === label);
    const scores = Object.values(row?.scores ?? {});
    const own = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    expect(Math.abs(own - mean)).toBeLessThan(0.02);
  });

  it.each([
    ['MATH-500', 'MATH500'],
    ['HuggingFaceH4/MATH-500', 'MATH500'],
    ['MMLU', 'MMLU'],
    ['MMLU-Pro', null],
    ['LiveCodeBench v6', 'LCB'],
    ['AIME 2025', 'AIME25'],
    ['AIME 2024', null],
    ['BigCodeBench', 'BCB'],
    ['BigCodeBench-Hard', null],
    ['GPQA-Diamond', 'GPQA-D'],
    ['RLPR-Train-Dataset', 'RLPR'],
    ['Practice puzzles', null],
  ])('match a dataset called “%s” to the benchmark %s (null: no match)', (name, benchmark) => {
    expect(benchmarkOf(name)).toBe(benchmark);
  });
});
