/** @file Plots of plans: shapes, steps per run, how evenly workers get steps, and the effect of more rounds. */
import type { Shape } from '../../core/contract';
import type { FigureData } from '../../core/analysis/figures';
import { FEW } from '../../core/analysis/figures/figure';
import { MOST_ROUNDS } from '../../core/analysis/figures/recursion';
import { dateAndTime } from '../ui/dates';
import { count, finePercent, money, percent, plural } from '../ui/figures';
import type { BarRow, Glyph, SequenceMean, WhiskerRow } from '../ui/plots/plot';
import { roundTicks } from '../ui/plots/axis';
import { gradedBehind, runsBehind } from './links';
import { datesOf, shortDate } from './sequence-dates';
import type { PlotSpec } from './plot-spec';
import {
  costWords,
  countCell,
  estimateCells,
  estimateColumns,
  numberColumn,
  positiveWhiskerOf,
  SHAPE_NAMES,
  shareWords,
  textColumn,
  tickMoney,
  whiskerOf,
  type PlotContext,
} from './words';

/** Completes the title "Most plans …". */
const SHAPE_FINDINGS: Readonly<Record<Shape, string>> = {
  'one step': 'have one step',
  chain: 'are chains',
  'fan-in': 'are fan-ins',
  'plan-execute': 'plan first, then execute',
  'verify-refine': 'verify and refine',
  debate: 'are debates',
  tree: 'are trees',
  other: 'have an uncommon shape',
};

const GLYPHS: Readonly<Record<Shape, Glyph>> = {
  'one step': { dots: [[0, 0]], lines: [] },
  chain: { dots: [[0, 0], [1, 0], [2, 0]], lines: [[0, 1], [1, 2]] }, // prettier-ignore
  'fan-in': { dots: [[0, -1], [0, 1], [1, 0]], lines: [[0, 2], [1, 2]] }, // prettier-ignore
  'plan-execute': { dots: [[0, 0], [1, -1], [1, 1]], lines: [[0, 1], [0, 2]] }, // prettier-ignore
  'verify-refine': { dots: [[0, -1], [1, 0], [2, -1]], lines: [[0, 1], [1, 2], [0, 2]] }, // prettier-ignore
  debate: { dots: [[0, -1], [0, 1], [1, -1], [1, 1], [2, 0]], lines: [[0, 2], [0, 3], [1, 2], [1, 3], [2, 4], [3, 4]] }, // prettier-ignore
  tree: { dots: [[0, -1], [0, 1], [1, 0], [1, 1.6], [2, 0.6]], lines: [[0, 2], [1, 2], [2, 4], [3, 4]] }, // prettier-ignore
  other: { dots: [[0, -1], [1, -1], [1, 1]], lines: [[0, 1]] }, // prettier-ignore
};

export function shapesPlot({ rows, plans }: FigureData['shapes'], context: PlotContext): PlotSpec {
  const drawn = rows.map(({ shape, plans: own, share, right }): BarRow => ({
    key: shape,
    label: SHAPE_NAMES[shape],
    value: share.mean,
    interval: share.interval,
    words: percent(share.mean),
    note: right ? percent(right.mean) : '–',
    glyph: GLYPHS[shape],
    title: SHAPE_NAMES[shape],
    lines: [`${plural(own, 'plan')}, ${shareWords(share)}`, right ? `Right ${shareWords(right)}` : 'No graded runs'],
    href: runsBehind(context, { shapes: [shape] }),
  }));
  const [first] = rows;
  return {
    title:
      first?.share.interval && first.share.interval.low > 0.5
        ? `Most plans ${SHAPE_FINDINGS[first.shape]}`
        : 'Shapes of plans',
    caption: `Share of the first plans of ${plural(plans, 'run')}, with 95 % intervals. “Right”: share of the graded runs whose answer is right.`,
    drawing: { kind: 'bars', rows: drawn, headings: ['Shape', 'Share of plans', 'Right'] },
    table: {
      header: [
        textColumn('Shape'),
        numberColumn('Plans'),
        ...estimateColumns('Share of plans'),
        ...estimateColumns('Share of right runs'),
      ],
      rows: rows.map(({ shape, plans: own, share, right }) => [
        SHAPE_NAMES[shape],
        countCell(own),
        ...estimateCells(share, finePercent),
        ...estimateCells(right, finePercent),
      ]),
    },
  };
}

export function stepsPlot(data: FigureData['steps'], context: PlotContext): PlotSpec {
  const { runs, window, points, means, collapse } = data;
  const words = (value: number) => value.toFixed(2);
  const drawn = means.map(({ run, from, to, steps }): SequenceMean => ({
    run,
    value: steps.mean,
    low: steps.interval?.low ?? steps.mean,
    high: steps.interval?.high ?? steps.mean,
    title: `${words(steps.mean)} steps per run`,
    lines: [
      `95 % interval ${words(steps.interval?.low ?? steps.mean)} to ${words(steps.interval?.high ?? steps.mean)}`,
      `${plural(steps.n, 'run')} up to ${dateAndTime(to)}`,
    ],
    href: runsBehind(context, { decided: true, startedAt: { least: from, most: to } }),
  }));
  const [first, last] = [means[0]?.steps.interval, means.at(-1)?.steps.interval];
  const isApart = first && last && runs >= 2 * window;
  const most = Math.max(...points.map(({ steps }) => steps), ...drawn.map(({ high }) => high));
  return {
    title:
      isApart && last.high < first.low
        ? 'Plans grew shorter'
        : isApart && last.low > first.high
          ? 'Plans grew longer'
          : 'Steps per run',
    caption: `Mean of the last ${window} runs with its 95 % interval. Points are single runs. ${plural(runs, 'run')} with a plan that is neither a template nor written by hand, in order of time.`,
    ...(collapse
      ? {
          warning:
            `${count(collapse.one)} of the last ${count(collapse.of)} plans have one step.` +
            (collapse.before === null ? '' : ` Earlier, ${percent(collapse.before)} of plans had one step.`),
        }
      : {}),
    drawing: {
      kind: 'sequence',
      points: points.map(({ run, steps }) => ({ run, value: steps })),
      means: drawn,
      runs,
      ticks: roundTicks(most, 4).filter((tick) => Number.isInteger(tick)),
      words: String,
      name: `mean of ${window} runs`,
      dates: datesOf(means),
    },
    table: {
      header: [textColumn('First run'), textColumn('Last run'), ...estimateColumns('Steps per run')],
      rows: means.map(({ from, to, steps }) => [dateAndTime(from), dateAndTime(to), ...estimateCells(steps, words)]),
    },
  };
}

export function routingPlot(data: FigureData['routing'], context: PlotContext): PlotSpec {
  const { runs, workers, windows } = data;
  const words = (value: number) => value.toFixed(2);
  const drawn = windows.map(({ run, from, to, runs: own, steps, entropy, low, high, first, share }): SequenceMean => ({
    run,
    value: entropy,
    low,
    high,
    title: `Entropy ${words(entropy)}`,
    lines: [
      `95 % interval ${words(low)} to ${words(high)}`,
      `${first} gets ${percent(share)} of ${plural(steps, 'step')}`,
      `${plural(own, 'run')}, ${shortDate(from)} to ${shortDate(to)}`,
    ],
    href: runsBehind(context, { decided: true, startedAt: { least: from, most: to } }),
  }));
  const [first, last] = [windows[0], windows.at(-1)];
  const change =
    first && last && first !== last ? (last.high < first.low ? 'less' : last.low > first.high ? 'more' : null) : null;
  return {
    title: change === null ? 'How evenly work is spread' : `Work is spread ${change} evenly than before`,
    caption: `Entropy of worker choice with its 95 % interval. 1: all ${count(workers)} workers get the same number of steps. 0: one worker gets all steps. ${plural(runs, 'run')} with a plan that is neither a template nor written by hand, in order of time.`,
    drawing: {
      kind: 'sequence',
      points: [],
      means: drawn,
      runs,
      ticks: [0, 0.25, 0.5, 0.75, 1],
      words: (value) => String(value),
      name: `windows of about ${Math.round(runs / windows.length)} runs`,
      dates: datesOf(windows),
    },
    table: {
      header: [
        ...['First run', 'Last run'].map(textColumn),
        ...['Runs', 'Steps', 'Entropy', 'Entropy, low', 'Entropy, high'].map(numberColumn),
        textColumn('Most frequent worker'),
        numberColumn('Its share of steps'),
      ],
      rows: windows.map(({ from, to, runs: own, steps, entropy, low, high, first: worker, share }) => [
        dateAndTime(from),
        dateAndTime(to),
        countCell(own),
        countCell(steps),
        ...[entropy, low, high].map((value) => ({ value, text: words(value) })),
        worker,
        { value: share, text: percent(share) },
      ]),
    },
  };
}

export function recursionPlot({ rows, graded }: FigureData['recursion'], context: PlotContext): PlotSpec {
  const nameOf = (rounds: number) =>
    rounds === MOST_ROUNDS ? `${MOST_ROUNDS} rounds or more` : plural(rounds, 'round');
  const points = (value: number) => `${value > 0 ? '+' : ''}${(100 * value).toFixed(0)}`;
  const drawn = rows.map(({ rounds, right, gain, cost }): WhiskerRow => {
    const title = nameOf(rounds);
    const conditions = { rounds: { least: rounds, most: rounds === MOST_ROUNDS ? null : rounds } };
    const about = { title, isFew: right.n < FEW };
    const gained = gain
      ? [`${points(gain.mean)} points (${points(gain.low)} to ${points(gain.high)}) against one round`]
      : [];
    return {
      key: title,
      label: title,
      cells: [
        {
          ...whiskerOf(right),
          ...about,
          lines: [`Right ${shareWords(right)}`, ...gained],
          href: gradedBehind(context, conditions),
        },
        cost && {
          ...positiveWhiskerOf(cost),
          ...about,
          lines: [`Cost ${costWords(cost)}`],
          href: gradedBehind(context, { ...conditions, priced: true }),
        },
      ],
    };
  });
  const second = rows.find(({ rounds, right }) => rounds === 2 && right.n >= FEW)?.gain;
  return {
    title:
      second && second.low > 0
        ? 'Runs with two rounds are right more often'
        : second && second.high < 0
          ? 'Runs with two rounds are right less often'
          : 'Cost and share of right runs by number of rounds',
    caption: `Share of right runs and mean cost per run, with 95 % intervals. Harder questions may get more rounds. ${plural(graded, 'graded run')}.`,
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
        textColumn('Rounds'),
        ...estimateColumns('Share of right runs'),
        ...['Gain', 'Gain, low', 'Gain, high'].map(numberColumn),
        ...estimateColumns('Cost per run (USD)'),
      ],
      rows: rows.map(({ rounds, right, gain, cost }) => [
        nameOf(rounds),
        ...estimateCells(right, finePercent),
        ...(gain
          ? [gain.mean, gain.low, gain.high].map((value) => ({ value, text: finePercent(value) }))
          : [null, null, null]),
        ...estimateCells(cost, money),
      ]),
    },
  };
}
