/** @file The results in the tables of arXiv 2512.04388 (“the paper”), which are shown beside measured results. */
import type { Benchmark, PublishedSetting } from '../../contract';

/** The source of the rows, and the date when they were read. */
export const PUBLISHED_SOURCE = {
  title: 'Learning to Orchestrate Agents in Natural Language with the Conductor, arXiv 2512.04388v5',
  source: 'https://arxiv.org/abs/2512.04388v5',
  date: '2026-11-22',
} as const;

export interface PublishedRow {
  readonly label: string;
  /** The tables of the paper, such as `Table 1`. */
  readonly tables: string;
  readonly setting: PublishedSetting;
  /** Share of correct answers, in percent. */
  readonly scores: Readonly<Partial<Record<Benchmark, number>>>;
  /** Mean number of tokens per task over the benchmarks of the table. Absent: the paper does not state it. */
  readonly tokens?: number;
  /** Mean cost per task over the benchmarks of the table, US dollars. Absent: the paper does not state it. */
  readonly usd?: number;
}

/** The order of the scores in the rows of Table 1 and of Tables 5 to 8. */
const ALL = ['MATH500', 'MMLU', 'RLPR', 'LCB', 'AIME25', 'BCB', 'GPQA-D'] as const;
/** The order of the scores in the rows of Table 11. */
const TABLE_11 = ['LCB', 'AIME25', 'BCB', 'GPQA-D'] as const;

function scoresOf(benchmarks: readonly Benchmark[], values: readonly number[]): PublishedRow['scores'] {
  return Object.fromEntries(
    values.flatMap((value, index) => {
      const benchmark = benchmarks[index];
      return benchmark ? [[benchmark, value]] : [];
    }),
  );
}

const unconstrained = (label: string, ...values: readonly number[]): PublishedRow => ({
  label,
  tables: 'Table 1',
  setting: 'unconstrained',
  scores: scoresOf(ALL, values),
});
const untrained = (label: string, ...values: readonly number[]): PublishedRow => ({
  label,
  tables: 'Table 11',
  setting: 'unconstrained',
  scores: scoresOf(TABLE_11, values),
});
const compared = (
  label: string,
  values: readonly number[],
  cost: { tokens?: number; usd?: number } = {},
): PublishedRow => ({
  label,
  tables: 'Tables 5 to 7',
  setting: 'constrained',
  scores: scoresOf(ALL, values),
  ...cost,
});
const alone = (label: string, ...values: readonly number[]): PublishedRow => ({
  label,
  tables: 'Tables 7 and 8',
  setting: 'constrained',
  scores: scoresOf(ALL, values),
});

export const PUBLISHED_ROWS: readonly PublishedRow[] = [
  unconstrained('Claude Sonnet 4', 96.0, 91.4, 36.7, 46.54, 74.3, 37.16, 77.7),
  unconstrained('Gemini 2.5 Pro', 96.0, 92.4, 40.55, 67.24, 78.3, 37.51, 84.8),
  unconstrained('GPT-5', 99.0, 93.5, 42.2, 82.9, 90.8, 32.75, 82.3),
  unconstrained('Conductor', 99.4, 94.1, 44.75, 83.93, 93.3, 37.86, 87.5),
  untrained('GPT-5 as Conductor of 7 workers', 50.86, 76.67, 34.5, 77.78),
  untrained('GPT-5 as Conductor of 3 workers', 67.43, 93.3, 33.1, 86.36),
  untrained('Gemini 2.5 Pro as Conductor of 3 workers', 70.29, 93.3, 35.13, 87.62),
  {
    label: 'Claude Sonnet 4, consensus of 5',
    tables: 'Table 5',
    setting: 'constrained',
    scores: { MMLU: 91 },
    tokens: 1413,
    usd: 0.0211,
  },
  {
    label: 'GPT-5, consensus of 5',
    tables: 'Table 5',
    setting: 'constrained',
    scores: { MMLU: 91.3 },
    tokens: 1376,
    usd: 0.0138,
  },
  compared('GPT-5, 5 rounds of self-reflection', [76.93, 91.79, 31.8, 57.57]),
  compared('Mixture of Agents', [83.1, 88.46, 38.37, 38.57], { tokens: 11_203, usd: 0.04855 }),
  compared('MasRouter', [80.6, 86.28, 32.8, 27.86], { tokens: 4970, usd: 0.01345 }),
  compared('RouterDC', [59.25, 87.52, 27.53, 35.33], { tokens: 840, usd: 0.00561 }),
  compared('Smoothie', [76.95, 83.56, 34.45, 31], { tokens: 9909, usd: 0.03929 }),
  alone('Gemini 2.5 Pro', 85.3, 91.53, 39.57, 40.14, 46.67, 35.1, 75.25),
  alone('Claude Sonnet 4', 82.9, 90.66, 32.6, 38, 35.33, 35.8, 67.3),
  alone('GPT-5', 74.45, 89.79, 33.13, 57.5, 46.67, 33.8, 72.73),
  alone('R1-Distill-Qwen-32B', 78.5, 84.41, 32.75, 24.86, 30, 24.3, 51.01),
  alone('Gemma-3-27B-it', 37.45, 63.58, 14.93, 7.21, 6.67, 10.8, 33.33),
  alone('Qwen3-32B, thinking', 76.85, 83.28, 34.35, 31.21, 23.33, 20.9, 59.09),
  alone('Qwen3-32B, direct', 73.15, 84.02, 30.6, 26.79, 23.33, 23, 54.05),
  { ...alone('Conductor', 89.33, 93.14, 42.63, 64.29, 66.67, 37.8, 81.31), tokens: 1820, usd: 0.02384 },
  {
    label: 'Conductor, recursive',
    tables: 'Tables 7 and 8',
    setting: 'constrained',
    scores: { AIME25: 66.67, BCB: 40, 'GPQA-D': 82.32 },
  },
];

/** Patterns of dataset names, each with its benchmark. Names are compared in lower case, without spaces and punctuation. */
const NAMES: readonly (readonly [RegExp, Benchmark])[] = [
  [/^(huggingfaceh4)?math500/, 'MATH500'],
  [/^(cais)?mmlu(?!pro|redux)/, 'MMLU'],
  [/^(openbmb)?rlpr/, 'RLPR'],
  [/^(livecodebench)?(livecodebench|lcb|codegenerationlite)/, 'LCB'],
  [/^(yentinglin)?aime(20)?25/, 'AIME25'],
  [/^(bigcode)?bigcodebench(?!hard)|^bcb(?!hard)/, 'BCB'],
  [/^(idavidrein)?gpqad(iamond)?/, 'GPQA-D'],
];

/** The benchmark with this dataset name. `null`: the paper reports no such benchmark. */
export function benchmarkOf(name: string): Benchmark | null {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return NAMES.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
