/** @file All plots of the Analyze page: the title and the required data of each, and the function that makes the plot. */
import type { FigureData, FigureName } from '../../core/analysis/figures';
import type { Figure } from '../../core/analysis/figures/figure';
import { conductorsPlot, costScorePlot, grammarPlot } from './conductor-plots';
import { recursionPlot, routingPlot, shapesPlot, stepsPlot } from './plan-plots';
import type { PlotSpec } from './plot-spec';
import { spendDayPlot, spendPurposePlot, spendWorkerPlot } from './spend-plots';
import { checkersPlot, NO_CHECKED_RUNS } from './checker-plots';
import { latencyPlot, workerDomainPlot, workerRolePlot } from './worker-plots';
import type { PlotContext } from './words';

interface PlotEntry<Name extends FigureName> {
  /** Title that is shown until the data is computed, or if there is not enough data. */
  readonly title: string;
  /** The noun for the data that the plot requires, such as "graded runs". */
  readonly needs: string;
  readonly plot: (data: FigureData[Name], context: PlotContext) => PlotSpec;
}

export const PLOTS: { readonly [Name in FigureName]: PlotEntry<Name> } = {
  'cost-score': { title: 'Score against cost', needs: 'graded runs with a known cost', plot: costScorePlot },
  conductors: { title: 'Score and cost by Conductor', needs: 'graded runs', plot: conductorsPlot },
  'worker-domain': {
    title: 'Share of right runs by worker and kind of question',
    needs: 'graded runs',
    plot: workerDomainPlot,
  },
  'worker-role': { title: 'Share of right runs by worker and role', needs: 'graded runs', plot: workerRolePlot },
  checkers: { title: 'How often checks are right', needs: 'checked answers of graded runs', plot: checkersPlot },
  shapes: { title: 'Shapes of plans', needs: 'runs with a plan', plot: shapesPlot },
  steps: {
    title: 'Steps per run',
    needs: 'runs with a plan that is neither a template nor written by hand',
    plot: stepsPlot,
  },
  routing: {
    title: 'How evenly work is spread',
    needs: 'runs with a plan that is neither a template nor written by hand',
    plot: routingPlot,
  },
  recursion: {
    title: 'Cost and share of right runs by number of rounds',
    needs: 'graded runs with a second round',
    plot: recursionPlot,
  },
  grammar: {
    title: 'Valid plans with and without a grammar',
    needs: 'plans that a model wrote',
    plot: grammarPlot,
  },
  latency: { title: 'Latency by worker and provider', needs: 'finished steps', plot: latencyPlot },
  'spend-day': { title: 'Spending by day', needs: 'runs with a known cost above $0', plot: spendDayPlot },
  'spend-worker': { title: 'Spending by worker', needs: 'runs with a known cost above $0', plot: spendWorkerPlot },
  'spend-purpose': { title: 'Spending by purpose', needs: 'runs with a known cost above $0', plot: spendPurposePlot },
};

/**
 * The data to plot: that of the runs if it is enough, or else what is known without runs. `null`: not enough.
 */
export function plottedData<Name extends FigureName>(
  name: Name,
  figure: Figure<FigureData[Name]> | null,
  { planted }: Pick<PlotContext, 'planted'>,
): FigureData[Name] | null {
  if (figure?.isEnough) return figure.data;
  const known: { readonly [Each in FigureName]?: FigureData[Each] } =
    planted.size > 0 ? { checkers: NO_CHECKED_RUNS } : {};
  return (figure && known[name]) ?? null;
}

/** Makes the plot from its data. */
export function plotOf<Name extends FigureName>(name: Name, data: FigureData[Name], context: PlotContext): PlotSpec {
  return PLOTS[name].plot(data, context);
}

/** The names of all plots, in the order of the page. */
export const PLOT_NAMES: readonly FigureName[] = [
  'cost-score',
  'conductors',
  'worker-domain',
  'worker-role',
  'checkers',
  'shapes',
  'steps',
  'routing',
  'recursion',
  'grammar',
  'latency',
  'spend-day',
  'spend-worker',
  'spend-purpose',
];
