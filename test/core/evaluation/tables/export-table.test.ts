import { describe, expect, it } from 'vitest';
import { resultsTable } from '../../../../src/core/evaluation/tables/results-table';
import { tableAsCsv, tableAsLatex, tableAsMarkdown } from '../../../../src/core/evaluation/tables/export-table';
import { batchMethod, batchPlan, outcome, storedBatch } from '../../../fixtures/evaluation/batches';

const labelled = (label: string) => {
  const plan = batchPlan({ methods: [{ ...batchMethod('m'), label }] });
  const outcomes = [outcome(true), outcome(false, { taskId: 't1' })];
  return resultsTable(storedBatch('batch', { plan }), outcomes, { profile: 'strict' });
};
const firstCells = (csv: string) => csv.split('\r\n').slice(1, -1);

describe('CSV', () => {
  it('has the results of a method in named columns', () => {
    const [header = '', line = ''] = tableAsCsv(labelled('Mine')).split('\r\n');
    const record = Object.fromEntries(header.split(',').map((name, index) => [name, line.split(',')[index]]));
    expect(line.split(',')).toHaveLength(header.split(',').length);
    expect(record).toMatchObject({
      row: 'Mine',
      kind: 'method',
      dataset: 'Sums',
      score: '0.5',
      standard_error: '0.5',
      error_over: 'tasks',
      graded: '2',
      units: '4',
      missing: '2',
      usd: '0.01',
      usd_per_right_answer: '0.02',
      source: '',
    });
  });

  it('has one line for each dataset, with the usage on that dataset', () => {
    const [first] = batchPlan().datasets;
    if (!first) throw new Error('The plan has no dataset.');
    const plan = batchPlan({
      methods: [batchMethod('m')],
      datasets: [first, { ...first, id: 'other', name: 'Other' }],
    });
    const outcomes = [outcome(true, { usd: 1, calls: 1 }), outcome(true, { dataset: 1, usd: 9, calls: 4 })];
    const [header = '', ...lines] = tableAsCsv(
      resultsTable(storedBatch('b', { plan }), outcomes, { profile: 'strict' }),
    )
      .split('\r\n')
      .map((line) => line.split(','));
    const valuesOf = (name: string) => lines.slice(0, 2).map((line) => line[header.indexOf(name)]);
    expect([valuesOf('dataset'), valuesOf('usd'), valuesOf('calls')]).toEqual([
      ['Sums', 'Other'],
      ['1', '9'],
      ['1', '4'],
    ]);
  });

  it('has an empty cost if it is unknown, never 0, and the part of it that is known', () => {
    const cost = (usd: number, unpriced: number) => {
      const table = resultsTable(storedBatch('b'), [outcome(true, { usd, unpriced })], { profile: 'strict' });
      const [header = [], line = []] = tableAsCsv(table)
        .split('\r\n')
        .map((each) => each.split(','));
      const [row] = tableAsMarkdown(table)
        .split('\n')
        .filter((each) => each.startsWith('| Method one'));
      const shown = row?.split('|').at(-2)?.trim();
      expect(line[header.indexOf('usd_per_right_answer')]).toBe(line[header.indexOf('usd')]);
      return [line[header.indexOf('usd')], line[header.indexOf('usd_known')], shown];
    };
    expect(cost(0, 2)).toEqual(['', '', '–']);
    expect(cost(0.5, 2)).toEqual(['', '0.5', '≥ 0.50']);
    expect(cost(0.000_001_2, 0)).toEqual(['0.0000012', '0.0000012', '1.2e-6']);
    expect(cost(0, 0)).toEqual(['0', '0', '0.00000']);
  });

  it('has the same number of cells in every line', () => {
    const methods = ['a', 'b'].map((id) => batchMethod(id, ['a', 'b'], `template:best-single@${id}`));
    const [first] = batchPlan().datasets;
    const plan = batchPlan({ methods, datasets: first ? [{ ...first, name: 'MMLU' }] : [] });
    const outcomes = [outcome(true), outcome(false, { method: 1 })];
    // Some labels of the paper contain commas and are quoted. The test replaces them, because it splits at commas.
    const lines = tableAsCsv(resultsTable(storedBatch('b', { plan }), outcomes, { profile: 'strict' }))
      .replaceAll(/"[^"]*"/g, 'quoted')
      .split('\r\n')
      .slice(0, -1);
    expect(lines.length).toBeGreaterThan(15);
    expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1'])(
    'prevents spreadsheets from evaluating %j as a formula',
    (label) => {
      expect(firstCells(tableAsCsv(labelled(label)))[0]?.startsWith(`'${label},`)).toBe(true);
    },
  );

  it('quotes a label that contains commas, quotation marks and line breaks', () => {
    expect(tableAsCsv(labelled('a,"b"\nc'))).toContain('"a,""b""\nc",m,method,Sums,sums');
  });
});

describe('Markdown', () => {
  it('shows percentages with their standard errors, and a note with the number of tasks', () => {
    const text = tableAsMarkdown(labelled('Mine'));
    expect(text).toMatch(/^\| Method \| Sums \| Mean \|/);
    expect(text).toContain('| Mine | 50.0 ± 50.0 | 50.0 ± 50.0 | 100.0 | 2.0 | 2.0 | 150 | 0.01000 |');
    expect(text).toContain('Percent correct ± standard error over tasks. Tasks: Sums 4. Repeats: 1.');
  });

  it('escapes Markdown syntax in a label', () => {
    const text = tableAsMarkdown(labelled('a|b\n<img src=x> *c*'));
    expect(text).toContain('| a\\|b \\<img src=x\\> \\*c\\* |');
  });
});

describe('LaTeX', () => {
  it('escapes every special character', () => {
    const text = tableAsLatex(labelled('50% & $1_000 #{x} ~^\\input'));
    expect(text).toContain(
      '50\\% \\& \\$1\\_000 \\#\\{x\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{}input & 50.0 $\\pm$ 50.0',
    );
    expect(text).toContain('\\begin{tabular}{lrrrrrrrr}');
  });
});
