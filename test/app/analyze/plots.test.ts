/** @file Tests the titles, tables and links of the plots on *Analyze*. */
import { describe, expect, it } from 'vitest';
import { plotOf, PLOT_NAMES, PLOTS, plottedData } from '../../../src/app/analyze/plots';
import type { PlotContext } from '../../../src/app/analyze/words';
import { FIGURES, type FigureData, type FigureName } from '../../../src/core/analysis/figures';
import { ALL_RUNS, type IndexedRun, type RunFilter } from '../../../src/core/contract';
import { columnsOf, dataOf, indexedRuns } from '../../core/analysis/figures/indexed-runs';

const context: PlotContext = {
  filter: ALL_RUNS,
  markOf: (name) => (name === 'Alder' ? { mark: 'Al', colour: 1 } : undefined),
  planted: new Map(),
};
const runs = indexedRuns(900);

function plot<Name extends FigureName>(name: Name, of: readonly IndexedRun[] = runs, about = context) {
  const { columns, selection } = columnsOf(of);
  const compute: (...given: [typeof columns, typeof selection]) => unknown = FIGURES[name];
  return plotOf(name, dataOf(compute(columns, selection) as { isEnough: true; data: FigureData[Name] }), about);
}

describe('every plot', () => {
  it('is on the page once', () => {
    expect(PLOT_NAMES.toSorted()).toEqual(Object.keys(PLOTS).toSorted());
  });

  it.each(Object.keys(PLOTS) as FigureName[])(
    'has a title, a caption, and as many cells in each row as in the header (%s)',
    (name) => {
      const { title, caption, table } = plot(name);
      expect(title).toMatch(/^[A-Z$].*[^.]$/);
      expect(caption).toMatch(/\.$/);
      expect(table.rows.length).toBeGreaterThan(0);
      for (const row of table.rows) expect(row.length).toBe(table.header.length);
      expect(new Set(table.header.map((column) => column.name)).size).toBe(table.header.length);
    },
  );
});

describe('the plot of checks', () => {
  const verdicts = { right: 12, wrong: 8, unsure: 0 };
  const counts = { right: verdicts, wrong: verdicts };

  it('shows planted answers beside those in runs, and counts them in the caption', () => {
    const [of = ''] = plot('checkers').table.rows.map(([worker]) => String(worker));
    const about = { ...context, planted: new Map([[of, counts]]) };
    const { caption, table, drawing } = plot('checkers', runs, about);
    expect(table.rows.map(([worker]) => worker)).toContain(`${of}, planted answers`);
    expect(table.rows).toHaveLength(plot('checkers').table.rows.length + 1);
    expect(caption).toMatch(/, and 40 planted answers of measurements, of which half are right\.$/);
    expect(drawing.kind === 'rows' && drawing.rows.length).toBe(table.rows.length);
  });

  it('needs no runs if a worker was measured', () => {
    const few = { isEnough: false, have: 0, needed: 10 } as const;
    expect(plottedData('checkers', few, context)).toBeNull();
    const about = { ...context, planted: new Map([['Alder', counts]]) };
    expect(plottedData('conductors', few, about)).toBeNull();
    const data = plottedData('checkers', few, about);
    if (!data) throw new Error('There is no plot.');
    const { table } = plotOf('checkers', data, about);
    expect(table.rows.map(([worker]) => worker)).toEqual(['Alder, planted answers']);
    expect(plottedData('checkers', null, about)).toBeNull();
  });
});

describe('the plots', () => {
  it('name only the plotted quantities in their titles if the data shows no clear result', () => {
    const tied = runs.map((run, index) => ({ ...run, summary: { ...run.summary, correct: index % 2 === 0 } }));
    expect(plot('conductors', tied).title).toBe('Score and cost by Conductor');
    expect(plot('worker-domain', tied).title).toBe('Share of right runs by worker and kind of question');
    expect(plot('steps', tied).title).toBe('Steps per run');
    expect(plot('steps', tied).warning).toBeUndefined();
  });

  it('state a result in their titles if the data shows it clearly', () => {
    const biased = runs.map((run) => ({
      ...run,
      summary: { ...run.summary, correct: run.summary.conductor === 'Debate' },
    }));
    expect(plot('conductors', biased).title).toBe('Debate is right most often');
  });

  it('leave out the cost, and say so in the caption, if all runs were free', () => {
    const free = runs.map((run) => ({ ...run, summary: { ...run.summary, usd: 0, unpriced: 0 } }));
    const { drawing, caption } = plot('cost-score', free);
    expect(caption).toContain('All runs were free');
    expect(drawing.kind === 'rows' ? drawing.panels.map(({ title }) => title) : drawing.kind).toEqual([
      'Share of right runs',
    ]);
    expect(plot('cost-score').drawing.kind).toBe('points');
  });

  it('warn when plans collapse to one step', () => {
    const collapsed = runs.map((run, index) => (index < 600 ? run : { ...run, steps: run.steps.slice(0, 1) }));
    const { title, warning } = plot('steps', collapsed);
    expect(title).toBe('Plans grew shorter');
    expect(warning).toMatch(/^(\d+) of the last \1 plans have one step\. Earlier, \d+ % of plans had one step\.$/);
  });
});

/**
 * The names of the filter conditions in the link of a cell. A cell of this plot is for one worker and one
 * kind of question.
 */
function fieldsOf(filter: RunFilter): readonly string[] {
  const { drawing } = plot('worker-domain', runs, { ...context, filter });
  const cell = drawing.kind === 'heat' ? drawing.rows[0]?.cells[0] : null;
  return [...new URLSearchParams(cell?.href?.split('?')[1])].map(([name]) => name);
}

describe('the links of plots', () => {
  it('lead from a cell to graded runs with the cell’s worker and kind of question', () => {
    expect(fieldsOf(ALL_RUNS)).toEqual(['worker', 'kind', 'grade', 'grade']);
  });

  it('use a step condition for the worker of a cell if the page already filters by provider', () => {
    expect(fieldsOf({ ...ALL_RUNS, providers: ['api.example.com'] })).toEqual([
      'provider',
      'step',
      'kind',
      'grade',
      'grade',
    ]);
  });

  it('keep the page’s filter by grade', () => {
    const filtered = { ...context, filter: { ...ALL_RUNS, grades: ['wrong' as const] } };
    const { drawing } = plot('cost-score', runs, filtered);
    const href = drawing.kind === 'points' ? (drawing.points[0]?.href ?? '') : '';
    expect(new URLSearchParams(href.split('?')[1]).getAll('grade')).toEqual(['wrong']);
  });

  it('lead from a column to the runs of the column’s period', () => {
    const { drawing } = plot('spend-day');
    const href = drawing.kind === 'columns' ? (drawing.columns[1]?.href ?? '') : '';
    const query = new URLSearchParams(href.split('?')[1]);
    expect(query.get('from')).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(query.get('to')).toBe(query.get('from'));
  });
});
