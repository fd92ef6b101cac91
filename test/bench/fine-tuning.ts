/**
 * @file Trains the shipped policy for two hundred more updates, with each of several settings. Prints the gain: how much more
 * often the trained policy is right than the shipped one, on validation items that were not used to select the weights.
 *
 * With `gate`, trains with the settings of the Train page, and then tests the trained policy with the
 * gate. On the Train page, the gate decides whether a new policy may be used. Started by
 * `npm run bench -- fine-tuning [gate]`. One training takes about a minute.
 */
import { readFileSync } from 'node:fs';
import { mixSeed, type PolicyFile } from '../../src/core/contract';
import { parseCheckpoint, readCheckpoint } from '../../src/core/policy/checkpoint';
import type { Parameters } from '../../src/core/policy/parameters';
import { drawItem, drawSociety } from '../../src/core/training/environment/items';
import { points, TRIAL_SCALE, trialSeed, verdictWords } from '../../src/core/training/evaluation/gate';
import { playPolicy } from '../../src/core/training/evaluation/players';
import { FINE_TUNING_SCALE } from '../../src/core/training/orders';
import { compareHeldOut, FINE_TUNING, train, type FineTuning } from '../../src/core/training/session';
import { estimate } from '../../src/core/training/evaluation/trial';

const UPDATES = 200;
const MEASURED = 5_000;
const lessEntropy = { warmUpShare: 0.2, settings: { default: { entropy: 0.001 } } };
const lessFloor = { warmUpShare: 0.2, items: 12_000, settings: { default: { entropy: 0, floor: 0.01 } } };
const SETTINGS: Readonly<Record<string, FineTuning>> = {
  '5e-4, as from scratch': { learningRate: 5e-4 },
  '5e-4': { learningRate: 5e-4, ...lessEntropy },
  '2e-4': { learningRate: 2e-4, ...lessEntropy },
  '1e-4': { learningRate: 1e-4, ...lessEntropy },
  '5e-5': { learningRate: 5e-5, ...lessEntropy },
  '1e-4, less floor': { learningRate: 1e-4, ...lessFloor },
  '5e-5, less floor': { learningRate: 5e-5, ...lessFloor },
};

const [by = '', seeds] = process.argv.slice(2);
const { signal } = new AbortController();
const shipped = parseCheckpoint(JSON.parse(readFileSync('models/policy/checkpoint.json', 'utf8')));
if (!shipped) throw new Error('The policy that comes with Podium cannot be read.');
const inUse: PolicyFile = shipped;

for (const seed of (seeds ?? (by === 'gate' ? '1,2,3' : '1,2')).split(',').map(Number)) {
  if (by === 'gate') await throughTheGate(seed);
  else await tryAll(seed);
}

async function tryAll(seed: number): Promise<void> {
  const play = measure(seed);
  const before = play(inUse);
  console.log(`\nSeed ${seed}: gain from ${UPDATES} updates, measured on ${MEASURED} validation items`);
  for (const [name, fineTuning] of Object.entries(SETTINGS)) {
    const { kept, curve } = await course(seed, fineTuning);
    const after = kept ? play(kept) : before;
    const { mean, low, high } = estimate(after.map((right, index) => right - (before[index] ?? 0)));
    const gained = kept ? `${points(mean)} (${points(low)} to ${points(high)})` : 'nothing was better';
    console.log(`  ${name.padEnd(22)} ${gained.padEnd(24)} shares during selection: ${curve}`);
  }
}

async function throughTheGate(seed: number): Promise<void> {
  const { kept, curve } = await course(seed, FINE_TUNING);
  console.log(`\nSeed ${seed}, shares during selection: ${curve}`);
  if (!kept) return console.log('  Nothing was better, so nothing is kept.');
  const order = { kind: 'compare', seed: trialSeed(kept), candidate: kept, inUse, scale: TRIAL_SCALE } as const;
  for await (const report of compareHeldOut(order, signal)) {
    if (report.type === 'compared') console.log(`  ${verdictWords(report.heldOut)}`);
  }
}

/**
 * Trains once. `kept`: the selected weights. `curve`: the shares of right answers, in percent, by which the weights were
 * selected. The first share was measured before any update.
 */
async function course(seed: number, fineTuning: FineTuning): Promise<{ kept: PolicyFile | null; curve: string }> {
  const order = { kind: 'train', seed, updates: UPDATES, loss: 'default', start: inUse, own: [] } as const;
  let kept: PolicyFile | null = null;
  const shares: string[] = [];
  for await (const report of train({ ...order, revision: 'bench', scale: FINE_TUNING_SCALE }, signal, fineTuning)) {
    if (report.type === 'improved') kept = report.checkpoint;
    if (report.type === 'validated') shares.push((100 * report.right).toFixed(1));
  }
  return { kept, curve: shares.join(' ') };
}

/**
 * Draws items (questions with pools) from the seed. The returned function runs a policy on them, and returns 1 for each right
 * answer and 0 for each wrong one.
 */
function measure(seed: number): (file: PolicyFile) => number[] {
  const drawn = mixSeed(seed, 'measured');
  const society = drawSociety({ split: 'validation', seed: drawn, workers: 120, runs: 3_000, questions: 150 });
  return (file) => {
    const parameters = parametersOf(file);
    return Array.from({ length: MEASURED }, (_, index) =>
      Number(playPolicy(drawItem(society, { seed: drawn, index, recursion: 0 }), parameters).correct),
    );
  };
}

function parametersOf(file: PolicyFile): Parameters {
  const read = readCheckpoint(file);
  if (!read) throw new Error('A policy cannot be read.');
  return read.parameters;
}
