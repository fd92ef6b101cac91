/** @file Formats the results table as a grid of strings, for the Markdown and LaTeX exports. */
import type { Cost, GradingProfile } from '../../contract';
import type { MeanUsage } from '../statistics/usage';
import { PUBLISHED_SOURCE } from './published';
import type { MeanScore, ResultsTable } from './results-table';

export interface Grid {
  readonly header: readonly string[];
  readonly sections: readonly { readonly rows: readonly (readonly string[])[] }[];
  /** Sentences to show below the table. */
  readonly notes: readonly string[];
}

/** Shown for an unknown or missing value. */
const NONE = '–';

const PROFILE_NAMES = {
  strict: 'Podium’s rules',
  'paper-artefact': 'the rules of the paper’s code',
} as const satisfies Record<GradingProfile, string>;

export function gridOf(table: ResultsTable): Grid {
  const hasControls = table.methods.some(({ equalCost }) => equalCost !== null);
  const atEqualCost = (cell: string) => (hasControls ? [cell] : []);
  const empty = Array.from({ length: 5 }, () => NONE);
  return {
    header: [
      'Method',
      ...table.columns.map(({ name }) => name),
      'Mean',
      ...atEqualCost('At equal cost'),
      'Valid plans',
      'Steps',
      'Calls',
      'Tokens',
      'USD',
      'USD per right answer',
    ],
    sections: [
      {
        rows: table.methods.map(({ label, cells, mean, equalCost, usage, costPerRight, validPlans }) => [
          label,
          ...cells.map(({ score }) => scoreText(score)),
          scoreText(mean),
          ...atEqualCost(scoreText(equalCost)),
          validPlans ? percentText(validPlans.mean) : NONE,
          ...usageTexts(usage),
          costText(costPerRight),
        ]),
      },
      {
        rows: table.references.map(({ label, scores, mean }) => [
          label,
          ...scores.map(scoreText),
          scoreText(mean),
          ...atEqualCost(NONE),
          ...empty,
          NONE,
        ]),
      },
      {
        rows: table.published.map(({ label, tables, scores, mean, tokens, usd }) => [
          `${label} (published, ${tables})`,
          ...scores.map((score) => (score === null ? NONE : percentText(score))),
          scoreText(mean),
          ...atEqualCost(NONE),
          ...empty.slice(0, 3),
          tokens === null ? NONE : String(tokens),
          usd === null ? NONE : usdText(usd),
          NONE,
        ]),
      },
    ].filter(({ rows }) => rows.length > 0),
    notes: notesOf(table),
  };
}

function notesOf({
  profile,
  repeats,
  columns,
  methods,
  references,
  results,
  published,
  notes: own,
}: ResultsTable): readonly string[] {
  const errors = new Set(
    methods.flatMap(({ cells }) => cells.flatMap(({ score }) => (score?.error == null ? [] : [score.errorOver]))),
  );
  const over = errors.has('tasks')
    ? errors.has('repeats')
      ? 'repeats, or over tasks if there is only one repeat'
      : 'tasks'
    : 'repeats';
  return [
    ...results.map((sentences) => sentences.join(' ')),
    ...(results.length === 0 ? [] : ['In these sentences, ± is half of the 95 % interval.']),
    `Percent correct ± standard error over ${over}. Tasks: ${columns.map(({ name, tasks }) => `${name} ${tasks}`).join(', ')}. Repeats: ${repeats}.`,
    `Graded by ${PROFILE_NAMES[profile]}. Steps, calls, tokens and USD are means per run.`,
    ...own,
    ...methods.flatMap(({ label, notes }) => notes.map((note) => `${label}: ${note}`)),
    ...references.flatMap(({ label, notes }) => notes.map((note) => `${label}: ${note}`)),
    ...(published.length > 0
      ? [`Published rows are not measured here. Source: ${PUBLISHED_SOURCE.title}, read ${PUBLISHED_SOURCE.date}.`]
      : []),
  ];
}

function scoreText(score: MeanScore | null): string {
  if (!score) return NONE;
  const mean = percentText(score.mean);
  return score.error === null ? mean : `${mean} ± ${percentText(score.error)}`;
}

function percentText(share: number): string {
  return (100 * share).toFixed(1);
}

function usageTexts(usage: MeanUsage | null): readonly string[] {
  if (!usage) return Array.from({ length: 4 }, () => NONE);
  const { steps, calls, inputTokens, outputTokens, usd, unpriced } = usage;
  return [steps.toFixed(1), calls.toFixed(1), (inputTokens + outputTokens).toFixed(0), costText({ usd, unpriced })];
}

function costText(cost: Cost | null): string {
  if (!cost || knownUsd(cost) === null) return NONE;
  return `${cost.unpriced > 0 ? '≥ ' : ''}${usdText(cost.usd)}`;
}

/** The known part of a cost in US dollars. `null`: no part is known. */
export function knownUsd({ usd, unpriced }: Pick<MeanUsage, 'usd' | 'unpriced'>): number | null {
  return usd === 0 && unpriced > 0 ? null : usd;
}

/** A small amount has an exponent, so that it is not rounded to 0. */
function usdText(usd: number): string {
  if (usd > 0 && usd < 0.001) return usd.toExponential(1);
  return usd.toFixed(usd < 0.1 ? 5 : 2);
}
