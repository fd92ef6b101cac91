/**
 * @file The model card of a checkpoint, in Markdown, and its curve as a small drawing: what it was trained on, how long, and
 * how it stands beside the others, whether that is flattering or not.
 */
import { CONTENDER_WORDS, CONTENDERS, type Contender } from './contenders';
import { STEP_COST } from './environment';
import { TRIAL_WORDS, TRIALS, type Comparison, type Estimate, type Trial } from './evaluation';
import type { CourseOptions } from './trainer';

/** A point of the training's curve. */
export interface CurvePoint {
  readonly update: number;
  /** Share of right answers on validation items, and calls a question. */
  readonly right: number;
  readonly calls: number;
  /** The same while training, noise and all, over the updates since the point before. */
  readonly training: number;
}

/** Everything the card tells. */
export interface CardFacts {
  readonly revision: string;
  readonly command: string;
  readonly course: CourseOptions;
  readonly workers: number;
  readonly pastRuns: number;
  readonly parameters: number;
  /** s of wall time, and s that the processor worked. */
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Updates that were made, and the one whose weights were kept. */
  readonly updates: number;
  readonly kept: number;
  readonly curve: readonly CurvePoint[];
  readonly heuristicOnValidation: number;
  /** For each trial, all items of all evaluation seeds together, and each seed by itself. */
  readonly trials: Readonly<Record<Trial, { readonly all: Comparison; readonly seeds: readonly Comparison[] }>>;
  /** Without any graded runs, and with many, on unseen workers. */
  readonly byDepth: readonly { readonly depth: number; readonly comparison: Comparison }[];
}

/** Whether the policy's lead over another is certain enough: the lower end of its 95 % interval is above `least`. */
export function leads({ all }: CardFacts['trials'][Trial], other: Contender, least = 0): boolean {
  return all.standings[other].policyLeads.low > least;
}

/** The gate: a policy stands in for the heuristic only where its lead is certain on workers that it never met. */
export function mayReplaceHeuristic(trials: CardFacts['trials']): boolean {
  return leads(trials['unseen workers'], 'heuristic');
}

/** The whole card. */
export function modelCard(facts: CardFacts): string {
  const { course, trials } = facts;
  const unseen = trials['unseen workers'].all.standings;
  const ten = unseen['best single'].policyLeads;
  const over = unseen.heuristic.policyLeads;
  return `# The coordination policy

A small network (${facts.parameters.toLocaleString('en')} parameters, kept in half precision) that reads a question and a pool and writes the skeleton of a
workflow: who does what, in at most five steps, and who sees what. Fixed wordings make subtasks of it. It runs in the page without a download
of a model. Revision \`${facts.revision}\`.

## What it was trained on

Simulated workers only: ${facts.workers} of them, with strengths, descriptions, prices and ${facts.pastRuns.toLocaleString('en')} graded past runs drawn at random, in pools
of two to seven. They really search and check puzzles of five families (number games, sums, orders, truth-tellers, change). It has never met a language model;
how it does with real ones is not known, and it learns nothing of your own workers but through their descriptions, declared strengths and your graded runs.

The reward is 0.5 for any valid workflow and 1 for a right answer, less ${STEP_COST} for each call. Training is GRPO (\`${course.loss}\` loss settings: see
\`src/core/training/grpo.ts\`), ${course.requests} questions × ${course.group} rollouts an update, after ${course.warmUp} supervised updates on usual shapes.

| | |
|---|---|
| command | \`${facts.command}\` |
| seed | ${course.seed} |
| updates made | ${facts.updates} of ${course.updates} planned; the weights after update ${facts.kept} did best on validation items and were kept |
| time | ${minutes(facts.seconds)} by the clock, ${minutes(facts.processorSeconds)} of processor time |

![Right answers over the updates](curve.svg)

## How it stands

Share of right answers on items that were not trained on, with 95 % intervals, and how much more often the policy is right on the same items (in percentage
points, paired). No second rounds. Three evaluation seeds. The intervals are over items: they say nothing of how much another training seed, or another
population of workers, would change.

${TRIALS.map((trial) => section(trial, facts)).join('\n\n')}

${CONTENDERS.map((contender) => `- **${contender}**: ${CONTENDER_WORDS[contender]}`).join('\n')}

On unseen workers, by how many graded runs of each worker are known:

| graded runs a worker | policy | heuristic | policy leads by |
|---|---|---|---|
${facts.byDepth
  .map(({ depth, comparison: { standings } }) => {
    return `| ${depth} | ${percent(standings.policy.right)} | ${percent(standings.heuristic.right)} | ${points(standings.heuristic.policyLeads)} |`;
  })
  .join('\n')}

## Goals

- Ten points over the best single worker on unseen workers: ${ten.low > 0.1 ? 'met, and certain at 95 %' : ten.mean > 0.1 ? 'met in the mean, not certain at 95 %' : 'not met'} (${points(ten)}).
- Certainly better than the heuristic on unseen workers: ${over.low > 0 ? 'met' : 'not met'} (${points(over)}). ${
    over.low > 0
      ? 'Podium opens with the heuristic all the same, so that the first visit stays light: the weights come when the policy is chosen.'
      : 'So the heuristic stays the default Conductor, and the policy is one more choice.'
  }
`.replace(/ \n/g, '\n');
}

function section(trial: Trial, { trials }: CardFacts): string {
  const { all, seeds } = trials[trial];
  const rows = CONTENDERS.map((contender) => {
    const { right, calls, policyLeads } = all.standings[contender];
    const lead = contender === 'policy' ? '' : points(policyLeads);
    const each = seeds.map(({ standings }) => (100 * standings[contender].right.mean).toFixed(1)).join(' / ');
    return `| ${contender} | ${percent(right)} | ${each} | ${calls.toFixed(1)} | ${lead} |`;
  });
  return `### ${trial.charAt(0).toUpperCase()}${trial.slice(1)}: ${TRIAL_WORDS[trial]} (${all.items.toLocaleString('en')} items)

| | right | each seed | calls | policy leads by |
|---|---|---|---|---|
${rows.join('\n')}`;
}

function percent({ mean, low, high }: Estimate): string {
  return `${(100 * mean).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

function points({ mean, low, high }: Estimate): string {
  const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)}`;
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function minutes(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`;
}

const CHART = { width: 640, height: 280, left: 48, right: 16, top: 24, bottom: 36 } as const;

/** The curve as SVG: right answers on validation items and while training, and where the heuristic stands. */
export function curveDrawing({
  curve,
  heuristicOnValidation,
}: Pick<CardFacts, 'curve' | 'heuristicOnValidation'>): string {
  const { width, height, left, right, top, bottom } = CHART;
  const values = [heuristicOnValidation, ...curve.flatMap((point) => [point.right, point.training])].filter(
    (value) => value > 0,
  );
  const low = Math.floor(20 * Math.min(...values)) / 20;
  const high = Math.ceil(20 * Math.max(...values) + 0.01) / 20;
  const last = Math.max(1, ...curve.map(({ update }) => update));
  const x = (update: number) => left + (update / last) * (width - left - right);
  const y = (value: number) => height - bottom - ((value - low) / (high - low)) * (height - top - bottom);
  const line = (of: (point: CurvePoint) => number) =>
    curve
      .filter((point) => of(point) > 0)
      .map((point) => `${x(point.update).toFixed(1)},${y(of(point)).toFixed(1)}`)
      .join(' ');
  const ticks = Array.from({ length: Math.round((high - low) * 20) + 1 }, (_, index) => low + index / 20);
  const grid = ticks.map((value) => {
    const at = y(value).toFixed(1);
    return `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${left - 6}" y="${at}" dy="4" text-anchor="end">${Math.round(100 * value)} %</text>`;
  });
  const heuristic = y(heuristicOnValidation).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#333" role="img" aria-label="Right answers over the updates">
<rect width="${width}" height="${height}" fill="#fff"/>
${grid.join('\n')}
<line x1="${left}" x2="${width - right}" y1="${heuristic}" y2="${heuristic}" stroke="#777" stroke-dasharray="5 4"/>
<polyline points="${line(({ training }) => training)}" fill="none" stroke="#c98b2b"/>
<polyline points="${line((point) => point.right)}" fill="none" stroke="#1f6f8b" stroke-width="2"/>
<text x="${left}" y="14"><tspan fill="#1f6f8b">validation</tspan> · <tspan fill="#c98b2b">training rollouts</tspan> · heuristic on validation (dashed)</text>
<text x="${left}" y="${height - 12}">0</text><text x="${width - right}" y="${height - 12}" text-anchor="end">${last} updates</text>
</svg>
`;
}
