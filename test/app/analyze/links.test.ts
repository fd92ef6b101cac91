/**
 * @file Tests the links of plots. A mark of a plot is, for example, a point or a bar. With any filter of the page, the link of a
 * mark must open exactly the runs that the mark counts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRunQuery } from '../../../src/app/state/run-query-text';
import { narrowable, runsBehind } from '../../../src/app/analyze/links';
import { plotOf, PLOT_NAMES } from '../../../src/app/analyze/plots';
import type { PlotSpec } from '../../../src/app/analyze/plot-spec';
import type { RunTable } from '../../../src/core/analysis/columns/run-table';
import { select } from '../../../src/core/analysis/columns/select';
import { FIGURES, type FigureData, type FigureName } from '../../../src/core/analysis/figures';
import type { Figure } from '../../../src/core/analysis/figures/figure';
import {
  ALL_RUNS,
  ANY_STEP,
  NEAREST_FIRST,
  questionHashOf,
  seededRandom,
  type IndexedRun,
  type IndexedStep,
  type RunFilter,
} from '../../../src/core/contract';
import { MOST_NEAR } from '../../../src/core/analysis/run-index/nearest';
import { QuestionVectors } from '../../../src/core/analysis/run-index/question-vectors';
import { RunSearch } from '../../../src/core/analysis/run-index/run-search';
import { MemoryVectors } from '../../fixtures/memory-vectors';
import { columnsOf, indexedRuns } from '../../core/analysis/figures/indexed-runs';

type Counts = (run: IndexedRun) => boolean;
/** The runs that each mark counts, in the order of the marks. `n` is their number, if the figure's data contains it. */
type Expected = readonly { readonly counts: Counts; readonly n?: number | undefined }[];

const isGraded: Counts = ({ summary }) => summary.correct !== null;
const isPriced: Counts = ({ summary, judgeUnpriced }) => summary.unpriced === 0 && judgeUnpriced === 0;
const isDecided: Counts = ({ conductorKind, steps }) =>
  conductorKind !== 'template' && conductorKind !== 'by-hand' && steps.length > 0;
const startedIn =
  ({ from, to }: { readonly from: number; readonly to: number }): Counts =>
  ({ summary }) =>
    summary.startedAt >= from && summary.startedAt <= to;
const hasStep =
  (matches: (step: IndexedStep) => boolean): Counts =>
  ({ steps }) =>
    steps.some(matches);
const all =
  (...conditions: readonly Counts[]): Counts =>
  (run) =>
    conditions.every((condition) => condition(run));
const by =
  (conductor: string | null): Counts =>
  ({ summary }) =>
    conductor === null || summary.conductor === conductor;

function spent({ summary, steps, planUsd, judgeUsd }: IndexedRun) {
  const forSteps = steps.reduce((sum, { usd }) => sum + usd, 0);
  const rest = summary.usd - planUsd - forSteps;
  return {
    steps: forSteps,
    plans: planUsd,
    judges: judgeUsd,
    later: 0,
    discarded: rest > summary.usd * 1e-9 ? rest : 0,
  };
}

/** The plots whose marks count runs. A check may have seen several answers, so the marks of the plot of checks have no links. */
type LinkedPlot = Exclude<FigureName, 'checkers'>;
const LINKED_PLOTS = PLOT_NAMES.filter((name) => name !== 'checkers');

/** The runs that the marks of each plot should count, computed independently of the index that the plots use. */
const EXPECTED: { readonly [Name in LinkedPlot]: (data: FigureData[Name]) => Expected } = {
  'cost-score': ({ rows }) =>
    rows.map(({ conductor, score }) => ({ counts: all(isGraded, by(conductor)), n: score.n })),
  conductors: ({ rows }) =>
    rows.flatMap(({ conductor, score, cost }) => [
      { counts: all(isGraded, by(conductor)), n: score.n },
      ...(cost ? [{ counts: all(isGraded, isPriced, by(conductor)), n: cost.n }] : []),
    ]),
  'worker-domain': ({ rows, columns }) =>
    rows.flatMap(({ worker, cells }) =>
      cells.flatMap((cell, index) => {
        const isOfKind: Counts = ({ domain }) => domain === columns[index];
        const counts = all(
          isGraded,
          isOfKind,
          hasStep((step) => step.worker === worker),
        );
        return cell ? [{ counts, n: cell.n }] : [];
      }),
    ),
  'worker-role': ({ rows, columns }) =>
    rows.flatMap(({ worker, cells }) =>
      cells.flatMap((cell, index) => {
        const counts = all(
          isGraded,
          hasStep((step) => step.worker === worker && step.role === columns[index]),
        );
        return cell ? [{ counts, n: cell.n }] : [];
      }),
    ),
  shapes: ({ rows }) => rows.map(({ shape, plans }) => ({ counts: (run) => run.shape === shape, n: plans })),
  steps: ({ means }) => means.map((mean) => ({ counts: all(isDecided, startedIn(mean)), n: mean.steps.n })),
  routing: ({ windows }) => windows.map((window) => ({ counts: all(isDecided, startedIn(window)), n: window.runs })),
  recursion: ({ rows }) =>
    rows.flatMap(({ rounds, right, cost }) => {
      const own: Counts = ({ summary }) => (rounds === 4 ? summary.rounds >= 4 : summary.rounds === rounds);
      return [
        { counts: all(isGraded, own), n: right.n },
        ...(cost ? [{ counts: all(isGraded, isPriced, own), n: cost.n }] : []),
      ];
    }),
  grammar: ({ rows }) =>
    rows.map(({ conductor, grammar, valid }) => {
      const isOfSort: Counts = (run) => run.grammar === grammar && run.summary.isValid !== undefined;
      return { counts: all(by(conductor), isOfSort), n: valid.n };
    }),
  latency: ({ rows }) =>
    rows.flatMap(({ worker, provider, first, whole }) => {
      const isCounted = (step: IndexedStep) =>
        step.worker === worker && step.provider === provider && step.outcome === 'finished';
      return [
        ...(first ? [{ counts: hasStep((step) => isCounted(step) && step.latency !== null) }] : []),
        ...(whole ? [{ counts: hasStep(isCounted) }] : []),
      ];
    }),
  'spend-day': ({ periods }) => periods.map((period) => ({ counts: startedIn(period), n: period.runs })),
  'spend-worker': ({ rows }) => {
    const named = rows.map(({ worker }) => worker);
    return rows.map(({ worker }) => ({
      counts: hasStep((step) => (worker === null ? !named.includes(step.worker) : step.worker === worker)),
    }));
  },
  'spend-purpose': ({ rows }) =>
    rows.map(({ purpose, runs }) => ({ counts: (run) => spent(run)[purpose] > 0, n: runs })),
};

function linksOf({ drawing }: PlotSpec): readonly (string | undefined)[] {
  switch (drawing.kind) {
    case 'points':
      return drawing.points.map(({ href }) => href);
    case 'rows':
    case 'heat':
      return drawing.rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell ? [cell.href] : [])));
    case 'bars':
      return drawing.rows.map(({ href }) => href);
    case 'sequence':
      return drawing.means.map(({ href }) => href);
    case 'columns':
      return drawing.columns.map(({ href }) => href);
    default:
      return drawing satisfies never;
  }
}

const HARD_NAMES = ['', 'Fir & Co. = 1', 'Gum, 50 %', ...Array.from({ length: 12 }, (_, index) => `Oak ${index}`)];

/** Makes runs with many workers. Some runs have judge costs, costs of discarded plans, unnamed workers, or equal start times. */
function richRuns(count: number, seed: number): IndexedRun[] {
  const random = seededRandom(seed);
  return indexedRuns(count, seed).map((run, index, runs) => {
    const twin = random() < 0.3 ? runs[Math.max(0, index - 1)] : undefined;
    return {
      ...run,
      summary: {
        ...run.summary,
        startedAt: (twin ?? run).summary.startedAt,
        usd: run.summary.usd + (random() < 0.2 ? random() / 100 : 0),
      },
      judgeUsd: random() < 0.2 ? random() / 1000 : 0,
      judgeUnpriced: random() < 0.1 ? 1 : 0,
      steps: run.steps.map((step) => {
        const worker = random() < 0.3 ? (HARD_NAMES[Math.floor(random() * HARD_NAMES.length)] ?? '') : step.worker;
        return { ...step, worker, provider: worker === '' ? '' : step.provider };
      }),
    };
  });
}

function rowsOf(table: RunTable, filter: RunFilter): Uint8Array {
  const selection = table.live();
  select(table, filter, selection);
  return selection;
}

function figureOf<Name extends FigureName>(name: Name, table: RunTable, filter: RunFilter): Figure<FigureData[Name]> {
  const compute: (...given: [RunTable, Uint8Array]) => unknown = FIGURES[name];
  return compute(table, rowsOf(table, filter)) as Figure<FigureData[Name]>;
}

/** Checks the link of every mark. @returns the number of marks, or 0 if the figure has too few runs */
function checkLinks<Name extends LinkedPlot>(name: Name, runs: readonly IndexedRun[], filter: RunFilter): number {
  const { columns } = columnsOf(runs);
  const figure = figureOf(name, columns, filter);
  if (!figure.isEnough) return 0;
  const links = linksOf(plotOf(name, figure.data, { filter, markOf: () => undefined, planted: new Map() }));
  const expected = EXPECTED[name](figure.data);
  expect(links.length).toBe(expected.length);
  const shown = rowsOf(columns, filter);
  const isShown: Counts = ({ summary }) => shown[columns.rowOf(summary.id) ?? -1] === 1;
  for (const [index, { counts, n }] of expected.entries()) {
    const [path, query = ''] = (links[index] ?? '').split('?');
    expect(path).toBe('#/runs');
    const opened = rowsOf(columns, readRunQuery(query).filter);
    const ids = columns.ids.filter((_, row) => opened[row] === 1);
    const wanted = runs.filter((run) => isShown(run) && counts(run)).map(({ summary }) => summary.id);
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    if (n !== undefined) expect(ids.length).toBe(n);
  }
  return links.length;
}

const DAY = 86_400_000;
const start = Date.UTC(2026, 10, 1);
const some = <const Value>(...values: Value[]): fc.Arbitrary<readonly Value[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(values));
const flag = fc.constantFrom(null, null, null, true, false);

/** Filters that leave enough runs for most figures. */
const pageFilters: fc.Arbitrary<RunFilter> = fc
  .record({
    workers: some('Alder', 'Birch', 'Oak 3'),
    providers: some('simulated', 'api.example.com'),
    roles: some('solve', 'plan', 'verify'),
    steps: fc.constantFrom([], [], [{ ...ANY_STEP, worker: 'Cedar' }]),
    conductors: some('Learned policy', 'Qwen2.5 7B', 'Debate'),
    grades: some('right', 'wrong', 'none'),
    validities: some('valid', 'invalid', 'unknown'),
    spentOn: some('plans', 'judges'),
    decided: flag,
    priced: flag,
    grammar: flag,
    rounds: fc.constantFrom(ALL_RUNS.rounds, { least: 2, most: null }, { least: null, most: 4 }),
    startedAt: fc.constantFrom(ALL_RUNS.startedAt, { least: start + 2.4 * DAY, most: start + 9.7 * DAY }),
  })
  .map((conditions) => ({ ...ALL_RUNS, ...conditions }));

describe('the link of every mark', () => {
  it.each(LINKED_PLOTS)('in the plot %s opens the runs that the mark counts', (name) => {
    expect(checkLinks(name, richRuns(900, 3), ALL_RUNS)).toBeGreaterThan(1);
  });

  it.each(LINKED_PLOTS)('in the plot %s opens only runs that also match the page’s filter', (name) => {
    let marks = 0;
    fc.assert(
      fc.property(fc.nat(), pageFilters, (seed, filter) => {
        marks += checkLinks(name, richRuns(400, seed), filter);
      }),
      // Random filters may leave too few runs for a figure, in particular for latency, which needs two workers.
      { numRuns: 8, examples: [[3, { ...ALL_RUNS, grades: ['right', 'wrong'] }]] },
    );
    expect(marks).toBeGreaterThan(0);
  });

  it('opens the runs that the mark counts, even if all runs started at the same moment', () => {
    const runs = richRuns(200, 5).map((run) => ({ ...run, summary: { ...run.summary, startedAt: start } }));
    expect(checkLinks('steps', runs, ALL_RUNS)).toBeGreaterThan(0);
    expect(checkLinks('routing', runs, ALL_RUNS)).toBe(1);
  });
});

describe('the link of a mark during a search by meaning', () => {
  it('opens no runs that are less similar than the runs on the page', async () => {
    const { signal } = new AbortController();
    const records = new MemoryVectors();
    const vectors = new QuestionVectors(records);
    const search = new RunSearch(vectors);
    const runs = richRuns(2 * MOST_NEAR, 7);
    // Each question belongs to three runs.
    const questionOf = (place: number) => `question ${Math.floor(place / 3)}`;
    for (const [place, run] of runs.entries()) {
      const turn = Math.floor(place / 3) / 200;
      records.add('a', questionOf(place), [Math.cos(turn) * 127, Math.sin(turn) * 127].map(Math.round));
      search.runs.put({ run, text: '', questionHash: questionHashOf(questionOf(place)) });
    }
    await vectors.sync('a', 2);
    const near = { model: 'a', by: 'A model', vector: [1, 0], least: 0.1 };
    const idsOf = async (filter: RunFilter) =>
      (await search.places({ filter: { ...filter, near }, sort: NEAREST_FIRST }, signal)).map(({ id }) => id);
    const page: RunFilter = { ...ALL_RUNS, words: 'anything', byMeaning: true };
    const nearness = await search.nearness({ ...page, near }, signal);
    expect(nearness?.beyond).toBeGreaterThan(100);
    const shown = await idsOf(page);
    const context = { filter: narrowable(page, nearness) };
    const linked = runsBehind(context, { grades: ['right'] }).split('?')[1] ?? '';
    const right = runs.filter(({ summary }) => summary.correct === true).map(({ summary }) => summary.id);
    const opened = await idsOf(readRunQuery(linked).filter);
    expect(opened.toSorted()).toEqual(shown.filter((id) => right.includes(id)).toSorted());
    expect(opened.length).toBeGreaterThan(0);
    expect((await idsOf({ ...page, grades: ['right'] })).length).toBeGreaterThan(opened.length);
  });

  it('has no minimum similarity if the page shows all similar runs', () => {
    const nearness = { by: 'A model', similarities: { one: 0.8 }, beyond: 0, missing: 0 };
    expect(narrowable(ALL_RUNS, nearness)).toBe(ALL_RUNS);
    expect(narrowable(ALL_RUNS, null)).toBe(ALL_RUNS);
  });
});
