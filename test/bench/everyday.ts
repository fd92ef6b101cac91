/**
 * @file Benchmarks Conductors on sixty everyday questions, with a pool of seven HTTP workers. The contestants are most of the
 * Conductors that Podium offers, and two references for comparison. Prints how many answers are right, and the steps, calls,
 * dollars and time per question. If the benchmark is repeated, only the times differ. `npm run bench -- everyday 10` asks each question
 * ten times, with other seeds, which takes ten times as long.
 */
import { EFFORT_LABELS } from '../../src/app/shared/effort-words';
import { followsEffort } from '../../src/core/conductor/effort';
import { EFFORTS } from '../../src/core/contract';
import { KINDS } from '../fixtures/everyday/question';
import { EVERYDAY_QUESTIONS } from '../fixtures/everyday/questions';
import { startEverydayPool } from '../fixtures/everyday/server';
import { contestants, type Contestant } from './everyday/conductors';
import { play, planOf, stepsOf, type Level, type Played } from './everyday/play';
import { poolsAt, type Pools } from './everyday/pools';
import { median, table } from './report';

const LEVELS: readonly Level[] = [
  ...EFFORTS.map((effort) => ({ label: EFFORT_LABELS[effort], effort })),
  // The default of the page.
  { label: 'Balanced, settled steps skipped', effort: 'balanced', skipSettled: true },
  { label: 'Thorough, settled steps skipped', effort: 'thorough', skipSettled: true },
];
/** The level for contestants that ignore the effort setting. */
const ANY_LEVEL: Level = { label: 'At any effort', effort: 'balanced' };
/** Times are printed as multiples of this contestant's median time. */
const FLOOR = 'Best single worker';

type Results = ReadonlyMap<Contestant, readonly Played[]>;

const print = (line: string) => console.log(line);
const count = EVERYDAY_QUESTIONS.length;
const [times] = process.argv.slice(2);
/** What each run of a question adds to its seed. */
const REPETITIONS = times === undefined ? [[]] : Array.from({ length: Number(times) }, (_, index) => [`${index}`]);

const server = await startEverydayPool();
try {
  const pools = poolsAt(server.url);
  const all = contestants(pools);
  printSensible();
  const fixed = all.filter((contestant) => !isChangedByEffort(contestant));
  const floor = await playLevel(fixed, ANY_LEVEL, pools);
  for (const level of LEVELS) await playLevel(all.filter(isChangedByEffort), level, pools, floor);
} finally {
  await server.close();
}

function isChangedByEffort({ of }: Contestant): boolean {
  return EVERYDAY_QUESTIONS.some((question) => followsEffort(of(question).info));
}

/**
 * Runs all contestants at one level, and prints their results.
 * @param floor median time of the contestant `FLOOR`, ms. Absent: `FLOOR` is measured, so `all` must contain it
 * @returns the median time of `FLOOR`, ms
 */
async function playLevel(all: readonly Contestant[], level: Level, pools: Pools, floor?: number): Promise<number> {
  const results = new Map<Contestant, readonly Played[]>();
  // These runs are not measured. They open the connections to the server, so that later runs don't have to.
  for (const contestant of all) await playAll(contestant, pools, level, EVERYDAY_QUESTIONS.slice(0, 3));
  for (const contestant of all) results.set(contestant, await playAll(contestant, pools, level));
  const least = floor ?? medianMs([...results].find(([{ label }]) => label === FLOOR)?.[1] ?? []);
  printMeasures(results, level, least);
  printKinds(results, level);
  await printNewcomer(all, pools, level);
  return least;
}

/** Runs the questions one after the other, so that the runs don't slow each other down. */
async function playAll(
  { of }: Contestant,
  pools: Pools,
  level: Level,
  questions = EVERYDAY_QUESTIONS,
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const repetition of REPETITIONS) {
    for (const question of questions) played.push(await play(question, of(question), pools, level, repetition));
  }
  return played;
}

function printSensible(): void {
  const recall = EVERYDAY_QUESTIONS.filter(({ kind }) => kind === 'recall');
  const [all, facts] = [EVERYDAY_QUESTIONS, recall].map((questions) => mean(questions.map(({ steps }) => steps)));
  print(`\nEveryday questions. A sensible person would spend ${all} steps, and ${facts} on recall questions.`);
}

function medianMs(played: readonly Played[]): number {
  return median(played.map(({ ms }) => ms));
}

function printMeasures(results: Results, level: Level, floor: number): void {
  const rows = [...results].map(([{ label }, played]) => {
    const all = (name: 'steps' | 'calls' | 'usd' | 'solving' | 'fit' | 'unreadable') =>
      played.map((each) => each[name]);
    const recall = played.filter(({ question }) => question.kind === 'recall');
    return [
      label,
      `${played.filter(({ isRight }) => isRight).length}`,
      mean(all('steps')),
      mean(recall.map(({ steps }) => steps)),
      mean(all('calls')),
      mean(all('usd'), 5),
      `${(medianMs(played) / floor).toFixed(1)} ×`,
      `${Math.round((100 * sum(all('fit'))) / sum(all('solving')))} %`,
      `${sum(all('unreadable'))}`,
      `${played.filter(({ fault }) => fault !== null).length}`,
    ];
  });
  const head = [
    '',
    `right of ${count * REPETITIONS.length}`,
    'steps',
    'on recall',
    'calls',
    '$',
    'time',
    'fit',
    'unreadable',
    'failed',
  ];
  table(print, titled('Seven workers; steps, calls, $ and time for each question', level), head, rows);
  const lost = [...results.values()].flat().flatMap(({ fault }) => fault ?? []);
  for (const message of new Set(lost)) print(`  failed: ${message}`);
}

function printKinds(results: Results, level: Level): void {
  const rows = [...results].map(([{ label }, played]) => {
    const rightOf = (kind: string) => played.filter((each) => each.question.kind === kind && each.isRight).length;
    return [label, ...KINDS.map((kind) => `${rightOf(kind)}`)];
  });
  table(print, titled(`Right answers of ${10 * REPETITIONS.length}`, level), ['', ...KINDS], rows);
}

/**
 * Adds one real worker to the simulated workers, and prints how often plans use the real worker. The plans are not
 * run, because a run fails if a step's worker cannot read the question.
 */
async function printNewcomer(all: readonly Contestant[], { withOneReal: pool }: Pools, level: Level): Promise<void> {
  const rows: string[][] = [];
  let plans = 0;
  let withReal = 0;
  for (const { label, of, kind } of all.filter((each) => each.kind !== 'reference')) {
    let real = 0;
    const unreadable: number[] = [];
    for (const question of EVERYDAY_QUESTIONS) {
      const workflow = await planOf(question, of(question), pool, level);
      if (!workflow) continue;
      if (workflow.steps.some(({ worker }) => pool[worker]?.kind === 'endpoint')) real += 1;
      unreadable.push(stepsOf(workflow, pool, question).unreadable);
    }
    if (kind === 'built-in') {
      plans += count;
      withReal += real;
    }
    rows.push([label, `${real}`, `${unreadable.filter((steps) => steps === 0).length}`, `${sum(unreadable)}`]);
  }
  const head = ['', 'plans with it', 'plans that can run', 'steps that cannot be read'];
  table(print, titled(`One real worker beside the simulated ones, ${count} plans each`, level), head, rows);
  print(`  The real worker is in ${withReal} of ${plans} plans of the Conductors that need no model.`);
}

function titled(title: string, { label }: Level): string {
  return `${label}. ${title}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[], digits = 2): string {
  return (sum(values) / values.length).toFixed(digits);
}
