/**
 * @file Measures what skipping settled steps gains and costs, with simulated workers that took no part in training. Prints the calls
 * and right answers of a policy and of the built-in rules, the curve of calls against right answers, and what the skipped steps
 * would have done. Started by `npm run bench -- settling [items] [weights] [record]`. The policy in `weights`, a checkpoint, skips
 * settled steps. It is compared with the shipped weights without skipping. Default: the shipped weights, and 2,000 items. With
 * `record`, the model card gets the table of skipped steps.
 */
import { readFileSync } from 'node:fs';
import { planByRole } from '../../src/core/conductor/heuristic';
import { mixSeed, type Step } from '../../src/core/contract';
import { readCheckpoint } from '../../src/core/policy/checkpoint';
import { STEPS } from '../../src/core/policy/moves';
import { drawItem, drawSociety, playRound, type Item, type Society } from '../../src/core/training/environment/items';
import type { Settling } from '../../src/core/training/environment/question-simulator';
import { points } from '../../src/core/training/evaluation/gate';
import { playHeuristic, playPolicy, type PlayResult } from '../../src/core/training/evaluation/players';
import { settledPrecision, settlingOf, type BothWays } from '../../src/core/training/evaluation/settling';
import { builtInSociety } from '../../scripts/train/comparison';
import { writeCard } from '../../scripts/train/model-folder';
import { writeSettlingRecord, type SettlingRecord } from '../../scripts/train/settling-record';
import { table } from './report';

const FOLDER = 'models/policy';
const SHIPPED = `${FOLDER}/checkpoint.json`;
/** No training, validation or model card uses this seed. */
const SEED = mixSeed('settling', 1);
/** The table of skipped steps stops after this many plans that were cut short. */
const CUT_SHORT = 1_000;
const THIRDS = ['easiest third', 'middle third', 'hardest third'] as const;

const [count = '2000', path = SHIPPED, record] = process.argv.slice(2);
const items = Number(count);
const candidate = readWeights(path);
const shipped = readWeights(SHIPPED);
const measured: SettlingRecord['planners'][] = [];

/** A planner. `with` and `without`: settled steps are skipped, or no check is asked for a verdict. */
type Player = (item: Item, settling: Settling) => PlayResult;

const policy: Player = (item, settling) => playPolicy(item, candidate.parameters, settling);
const today: Player = (item, settling) => playPolicy(item, shipped.parameters, settling);
const fiveSteps: Player = (item, settling) => playHeuristic(item, 'thorough', settling);
const threeSteps: Player = (item, settling) => playHeuristic(item, 'balanced', settling);

const CONTESTANTS: Readonly<Record<string, (item: Item) => PlayResult>> = {
  'policy, skipping': (item) => policy(item, 'skipped'),
  'shipped weights, not skipping': (item) => today(item, 'ignored'),
  'shipped weights, skipping': (item) => today(item, 'skipped'),
  'rules of five steps, skipping': (item) => fiveSteps(item, 'skipped'),
  'rules of three steps, skipping': (item) => threeSteps(item, 'skipped'),
  'rules of three steps, checked and repaired once more, skipping': (item) => playRound(item, checkedTwice(item)),
};

console.log(`\nSettled steps: ${path}, ${items} items for each pool`);
for (const [name, society] of [
  [
    'Unseen workers that err',
    drawSociety({ split: 'held-out', seed: SEED, workers: 240, runs: 6_000, questions: 300 }),
  ],
  ['Built-in workers', builtInSociety(SEED)],
] as const) {
  const drawn = Array.from({ length: items }, (_, index) => index);
  compare(name, society, drawn);
  curve(name, society, drawn.slice(0, Math.ceil(items / 5)));
  measured.push(skippedSteps(name, society));
}
const [planners] = measured;
if (record && planners) {
  writeSettlingRecord(FOLDER, { revision: candidate.revision, planners });
  writeCard(FOLDER);
}

function compare(name: string, society: Society, indexes: readonly number[]): void {
  const played = indexes.map((index) => {
    const item = itemAt(society, index);
    return { item, results: Object.values(CONTESTANTS).map((play) => play(item)) };
  });
  const rows = Object.keys(CONTESTANTS).map((contestant, at) => {
    const own = played.map(({ item, results }) => ({ item, result: results[at], first: results[0] }));
    const lead = own.map(({ result, first }) => Number(first?.correct) - Number(result?.correct));
    const thirds = THIRDS.map((_, third) => {
      const part = own.filter(({ item }) => Math.min(2, Math.floor(3 * item.simulator.difficulty)) === third);
      return `${percent(mean(part.map(({ result }) => Number(result?.correct))))}, ${mean(part.map(({ result }) => result?.calls ?? 0)).toFixed(2)}`;
    });
    const right = percent(mean(own.map(({ result }) => Number(result?.correct))));
    const calls = mean(own.map(({ result }) => result?.calls ?? 0)).toFixed(2);
    const leads = at === 0 ? '' : `${points(mean(lead))} (above ${points(mean(lead) - oneSided(lead))})`;
    return [contestant, right, calls, leads, ...thirds];
  });
  const head = [
    '',
    'right',
    'calls',
    'policy leads by (one-sided 95 %)',
    ...THIRDS.map((third) => `${third}: right, calls`),
  ];
  table(console.log, `${name}, ${indexes.length} items`, head, rows);
}

/** The policies with at most one to five steps, and the rules. */
function curve(name: string, society: Society, indexes: readonly number[]): void {
  const limits = Array.from({ length: STEPS }, (_, at) => at + 1);
  const rows = limits.flatMap((limit) =>
    (
      [
        ['policy', candidate.parameters, 'skipped'],
        ['shipped weights, not skipping', shipped.parameters, 'ignored'],
      ] as const
    ).map(([who, parameters, settling]) => {
      const played = indexes.map((index) => playPolicy(atMost(itemAt(society, index), limit), parameters, settling));
      return [
        `${who}, at most ${limit} steps`,
        mean(played.map(({ calls }) => calls)).toFixed(2),
        percent(mean(played.map(({ correct }) => Number(correct)))),
      ];
    }),
  );
  rows.sort((one, other) => Number(one[1]) - Number(other[1]));
  table(console.log, `${name}: calls against right answers, ${indexes.length} items`, ['', 'calls', 'right'], rows);
}

/** Of plans that were cut short, how many the skipped steps would have repaired or broken. */
function skippedSteps(name: string, society: Society): SettlingRecord['planners'] {
  const players: readonly (readonly [string, Player])[] = [
    ['policy', policy],
    ...(candidate.revision === shipped.revision ? [] : [['shipped weights', today] as const]),
    ['rules of five steps', fiveSteps],
    ['rules of three steps', threeSteps],
  ];
  const planners = players.map(([who, play]) => {
    const both: BothWays[] = [];
    let cutShort = 0;
    for (let index = 0; cutShort < CUT_SHORT && index < items; index++) {
      const item = itemAt(society, index);
      const skipped = play(item, 'skipped');
      both.push({ skipped, whole: play(item, 'asked') });
      cutShort += Number(skipped.cutShort);
    }
    return { name: who, questions: both.length, settling: settlingOf(both) };
  });
  const rows = planners.map(({ name: who, questions, settling }) => {
    const gain = (settling.repaired - settling.broken) / questions;
    return [
      who,
      `${questions}`,
      `${settling.cutShort}`,
      percent(settledPrecision(settling) ?? 0),
      `${settling.repaired}`,
      `${settling.broken}`,
      points(gain),
    ];
  });
  const head = [
    '',
    'questions',
    'cut short',
    'of these right',
    'would be repaired',
    'would be broken',
    'gain of calling, points',
  ];
  table(console.log, `${name}: plans that were cut short, and the skipped steps called anyway`, head, rows);
  return planners;
}

function itemAt(society: Society, index: number): Item {
  return drawItem(society, { seed: SEED, index, recursion: 0 });
}

function atMost(item: Item, maxSteps: number): Item {
  const { input } = item;
  return { ...item, input: { ...input, limits: { ...input.limits, maxSteps } } };
}

/** The three steps of the rules, and then the check and the repair again. */
function checkedTwice(item: Item): readonly Step[] {
  const planned = planByRole({ ...item.request, effort: 'balanced' });
  const steps = 'workflow' in planned ? planned.workflow.steps : [];
  const [, check, repair] = steps;
  return check && repair ? [...steps, { ...check, access: [2] }, { ...repair, access: [2, 3] }] : steps;
}

function readWeights(file: string) {
  const read = readCheckpoint(JSON.parse(readFileSync(file, 'utf8')));
  if (!read) throw new Error(`${file} is no checkpoint of the policy.`);
  return read;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}

/** Distance of the lower end of the one-sided 95 % interval from the mean. */
function oneSided(values: readonly number[]): number {
  const center = mean(values);
  const variance = mean(values.map((each) => (each - center) ** 2));
  return 1.645 * Math.sqrt(variance / Math.max(1, values.length));
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
