/**
 * @file Three plots by Conductor: score against cost in one diagram, score and cost as separate columns, and
 * valid plans with and without a grammar.
 */
import { FEW } from '../../core/analysis/figures/figure';
import type { FigureData } from '../../core/analysis/figures';
import type { ConductorGroup } from '../../core/analysis/figures/by-conductor';
import { count, finePercent, money, percent, plural } from '../ui/figures';
import type { ScorePoint, WhiskerRow } from '../ui/plots/plot';
import { gradedBehind, runsBehind } from './links';
import type { PlotSpec } from './plot-spec';
import {
  costWords,
  estimateCells,
  estimateColumns,
  numberWord,
  positiveWhiskerOf,
  shareWords,
  textColumn,
  tickMoney,
  whiskerOf,
  type PlotContext,
} from './words';

const GROUPS: Readonly<Record<ConductorGroup, string>> = {
  conductor: 'Conductor',
  baseline: 'Baseline',
  single: 'Single worker',
};

function leftOut(unpriced: number): string {
  return unpriced === 0 ? '' : ` ${plural(unpriced, 'run')} of unknown cost ${unpriced === 1 ? 'is' : 'are'} left out.`;
}

/**
 * The link of a point or bar. Damaged runs may lack their Conductor. Their point or bar gets no link, because no
 * filter selects these runs.
 */
function hrefOf(href: string, conductor: string | null): { readonly href?: string } {
  return conductor === '' ? {} : { href };
}

export function costScorePlot(data: FigureData['cost-score'], context: PlotContext): PlotSpec {
  const { rows, graded, unpriced, isProven } = data;
  const front = rows.filter(({ isOnFront }) => isOnFront).length;
  const points = rows.map(({ conductor, group, score, cost, isOnFront }): ScorePoint => ({
    id: conductor,
    label: conductor,
    title: conductor,
    lines: [GROUPS[group], `Right ${shareWords(score)}`, `Cost ${costWords(cost)}`],
    ...hrefOf(gradedBehind(context, { conductors: [conductor] }), conductor),
    x: positiveWhiskerOf(cost),
    y: whiskerOf(score),
    isOnFront,
    isFew: score.n < FEW,
  }));
  // The points of free runs lie on one vertical line. Bars are drawn instead if every run was free.
  const isFree = rows.every(({ cost }) => cost.mean === 0);
  const bars = rows.map(({ conductor, group, score }): WhiskerRow => {
    const href = hrefOf(gradedBehind(context, { conductors: [conductor] }), conductor);
    const lines = [GROUPS[group], `Right ${shareWords(score)}`];
    const cell = { ...whiskerOf(score), title: conductor, lines, isFew: score.n < FEW, ...href };
    return { key: conductor, label: conductor, cells: [cell] };
  });
  const explanation = isFree
    ? 'Share of right runs, with 95 % intervals. All runs were free, so their cost is not drawn.'
    : 'Share of right runs and mean cost per run, with 95 % intervals. The line is the Pareto front.';
  return {
    title: isProven && front > 1 ? `${numberWord(front)} Conductors are on the Pareto front` : 'Score against cost',
    caption: `${explanation} ${plural(graded, 'graded run')}.` + leftOut(unpriced),
    drawing: isFree
      ? { kind: 'rows', rows: bars, panels: [{ title: 'Share of right runs', words: percent, domain: [0, 1] }] }
      : { kind: 'points', points, axis: 'cost per run', words: tickMoney },
    table: {
      header: [
        textColumn('Conductor'),
        textColumn('Kind'),
        ...estimateColumns('Share of right runs'),
        ...estimateColumns('Cost per run (USD)'),
        textColumn('Pareto front'),
      ],
      rows: rows.map(({ conductor, group, score, cost, isOnFront }) => [
        conductor,
        GROUPS[group],
        ...estimateCells(score, finePercent),
        ...estimateCells(cost, money),
        isOnFront ? 'Yes' : 'No',
      ]),
    },
  };
}

export function conductorsPlot(data: FigureData['conductors'], context: PlotContext): PlotSpec {
  const { rows, graded, unpriced, best } = data;
  const drawn = rows.map(({ conductor, group, score, cost }): WhiskerRow => {
    const about = { title: conductor, isFew: score.n < FEW };
    const conditions = { conductors: [conductor] };
    const scored = hrefOf(gradedBehind(context, conditions), conductor);
    const priced = hrefOf(gradedBehind(context, { ...conditions, priced: true }), conductor);
    return {
      key: conductor,
      label: conductor,
      cells: [
        { ...whiskerOf(score), ...about, ...scored, lines: [GROUPS[group], `Right ${shareWords(score)}`] },
        cost && { ...positiveWhiskerOf(cost), ...about, ...priced, lines: [GROUPS[group], `Cost ${costWords(cost)}`] },
      ],
    };
  });
  return {
    title: best === null ? 'Score and cost by Conductor' : `${best} is right most often`,
    caption:
      `Share of right runs and mean cost per run, with 95 % intervals. ${plural(graded, 'graded run')}.` +
      leftOut(unpriced),
    drawing: {
      kind: 'rows',
      rows: drawn,
      panels: [
        { title: 'Share of right runs', words: percent, domain: [0, 1] },
        { title: 'Cost per run', words: tickMoney },
      ],
    },
    table: {
      header: [
        textColumn('Conductor'),
        textColumn('Kind'),
        ...estimateColumns('Share of right runs'),
        ...estimateColumns('Cost per run (USD)'),
      ],
      rows: rows.map(({ conductor, group, score, cost }) => [
        conductor,
        GROUPS[group],
        ...estimateCells(score, finePercent),
        ...estimateCells(cost, money),
      ]),
    },
  };
}

export function grammarPlot({ rows, gain, plans }: FigureData['grammar'], context: PlotContext): PlotSpec {
  const nameOf = (conductor: string | null, grammar: boolean) =>
    `${conductor ?? 'All'}, ${grammar ? 'with' : 'without'} a grammar`;
  const drawn = rows.map(({ conductor, grammar, valid }): WhiskerRow => {
    const title = nameOf(conductor, grammar);
    const conditions = { ...(conductor === null ? {} : { conductors: [conductor] }), grammar };
    const about = {
      title,
      ...hrefOf(runsBehind(context, { ...conditions, validities: ['valid', 'invalid'] }), conductor),
      isFew: valid.n < FEW,
    };
    return {
      key: title,
      label: title,
      cells: [{ ...whiskerOf(valid), ...about, lines: [`Valid ${shareWords(valid)}`] }],
    };
  });
  return {
    title: gain && gain.low > 0 ? 'More plans are valid with a grammar' : 'Valid plans with and without a grammar',
    caption: `Share of first answers that were valid workflows, with 95 % intervals. ${count(plans)} plans written by models.`,
    drawing: { kind: 'rows', rows: drawn, panels: [{ title: 'Valid plans', words: percent, domain: [0, 1] }] },
    table: {
      header: [textColumn('Conductor'), textColumn('Grammar'), ...estimateColumns('Valid plans')],
      rows: rows.map(({ conductor, grammar, valid }) => [
        conductor ?? 'All',
        grammar ? 'Yes' : 'No',
        ...estimateCells(valid, finePercent),
      ]),
    },
  };
}
