/**
 * @file Trains the policy once, writes the record of this training run to `models/policy/trainings/`, and generates the learning
 * curve and the model card from all records. Podium ships the weights of one training run with the default loss: the run with the
 * largest lead over the heuristic (the built-in rules) on validation items. `scripts/train.mjs` starts this file.
 */
import { parseArgs } from 'node:util';
import { readFileSync } from 'node:fs';
import { mixSeed, type HeldOut } from '../../src/core/contract';
import { PARAMETER_NAMES, type Parameters } from '../../src/core/policy/parameters';
import { readCheckpoint, writeCheckpoint, type Checkpoint } from '../../src/core/policy/checkpoint';
import {
  drawItems,
  drawSociety,
  STEP_COST,
  trainingReward,
  type Item,
  type Society,
} from '../../src/core/training/environment/items';
import { TRIAL_SCALE, trialSeed, verdictWords } from '../../src/core/training/evaluation/gate';
import { playHeuristic, playPolicy } from '../../src/core/training/evaluation/players';
import { runTrial } from '../../src/core/training/evaluation/trial';
import { useBackend } from '../../src/core/training/learning/backend';
import { createCourse } from '../../src/core/training/learning/course';
import { DEFAULT_COURSE, LOSS_NAMES } from '../../src/core/training/learning/course-options';
import { summarize, TRIALS, trialSocieties, type Trial } from './comparison';
import { compareOn } from './contenders';
import { writeCard, writeRecord, writeSelectedWeights } from './model-folder';
import { mayReplaceHeuristic, type CurvePoint, type TrainingRecord } from './training-record';

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: String(DEFAULT_COURSE.seed) },
    updates: { type: 'string', default: String(DEFAULT_COURSE.updates) },
    loss: { type: 'string', default: DEFAULT_COURSE.loss },
    cost: { type: 'string', default: String(STEP_COST) },
    start: { type: 'string', default: '' },
    rate: { type: 'string', default: String(DEFAULT_COURSE.learningRate) },
    minutes: { type: 'string', default: '30' },
    out: { type: 'string', default: 'models/policy' },
  },
});

const WORKERS = 1_000;
const HISTORY = { runs: 24_000, questions: 400 };
const VALIDATION_ITEMS = 800;
const VALIDATE_EVERY = 100;
const EVALUATION_SEEDS = [101, 102, 103];
const ITEMS_PER_SEED = 400;
/**
 * Limits on how many graded runs of each worker the policy knows about. The model card has one row of
 * results for each limit.
 */
const DEPTHS = [0, 20, 200];
const DEPTH_SEED = 104;

const loss = LOSS_NAMES.find((name) => name === given.loss);
if (!loss) throw new Error(`--loss must be one of ${LOSS_NAMES.join(', ')}.`);
const seed = whole('seed', given.seed);
/** The cost of a call in the reward of the default loss. The paper's loss has none. */
const stepCost = loss === 'paper' ? 0 : Number(given.cost);
if (!(stepCost >= 0 && stepCost <= 0.5)) throw new Error('--cost must be a number from 0 to 0.5.');
const learningRate = Number(given.rate);
if (!(learningRate > 0 && learningRate <= 0.1)) throw new Error('--rate must be a number above 0, at most 0.1.');
/**
 * Options for training that starts from trained weights. They need no pretraining and less exploration, and few items recur, so that
 * the policy cannot memorize answers.
 */
const FROM_WEIGHTS = { pretrainingUpdates: 0, items: 12_000, settings: { stepCost, entropy: 0.003, floor: 0.02 } };
const course = {
  ...DEFAULT_COURSE,
  seed,
  updates: whole('updates', given.updates),
  loss,
  learningRate,
  ...(given.start ? FROM_WEIGHTS : { settings: { stepCost } }),
};
const start = given.start ? readWeights(given.start) : undefined;
/** Time limit of the training, in seconds. */
const timeLimit = whole('minutes', given.minutes) * 60;
const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1_000;

if (!(await useBackend('wasm')))
  throw new Error('Training needs WebAssembly, which this version of Node does not have.');
log('Drawing workers and simulating their histories …');
const society = drawSociety({ split: 'train', seed, workers: WORKERS, ...HISTORY });
const validation = validationItems(
  drawSociety({ split: 'validation', seed, workers: 100, runs: 3_000, questions: 150 }),
);
const heuristicOnValidation = share(validation, (item) => playHeuristic(item).correct);
log(`The heuristic is right on ${percent(heuristicOnValidation)} of the validation items.`);

const { curve, best, updates } = await train(society);
const trainingSeconds = seconds();
const revision = `${new Date().toISOString().slice(0, 10)}-seed${seed}-${loss}${start ? '-tuned' : ''}-${best.update}`;
const checkpoint = writeCheckpoint(best.parameters, revision);
log('Evaluating on held-out items …');
const record = measure(checkpoint);
writeRecord(given.out, record);
log(
  mayReplaceHeuristic(record.trials)
    ? 'The policy may replace the heuristic.'
    : 'The policy may not replace the heuristic.',
);
log(writeSelectedWeights(given.out, checkpoint));
writeCard(given.out);

async function train(on: Society) {
  const running = createCourse(on, course, start?.parameters);
  const curve: CurvePoint[] = [];
  let best: { update: number; reward: number; parameters: Parameters } | null = null;
  let updates = 0;
  let since = { right: 0, updates: 0 };
  for await (const step of running.steps(new AbortController().signal)) {
    updates = step.update;
    // Updates that train second rounds use other items, so they don't count toward `training` in the curve.
    if (step.update > 0 && step.update % course.recursionEvery !== 0) {
      since = { right: since.right + step.right, updates: since.updates + 1 };
    }
    const isOver = seconds() > timeLimit && step.update > 0;
    if (step.update % VALIDATE_EVERY !== 0 && step.update !== course.updates && !isOver) continue;
    if (step.update === 0) continue;
    const parameters = await running.parameters();
    const results = validation.map((item) => playPolicy(item, parameters));
    const right = results.filter(({ correct }) => correct).length / results.length;
    const calls = results.reduce((sum, each) => sum + each.calls, 0) / results.length;
    curve.push({ update: step.update, right, calls, training: since.right / Math.max(1, since.updates) });
    since = { right: 0, updates: 0 };
    const rewards = results.map(({ correct, calls: made }) => trainingReward(correct, made, stepCost));
    const reward = rewards.reduce((sum, each) => sum + each, 0) / rewards.length;
    if (!best || reward >= best.reward) best = { update: step.update, reward, parameters };
    log(`${step.update} updates: ${percent(right)} right, ${calls.toFixed(2)} calls, reward ${step.reward.toFixed(3)}`);
    if (isOver) break;
  }
  if (!best) throw new Error('No update was made. Increase --updates or --minutes.');
  return { curve, best, updates };
}

/** Evaluates the half-precision weights of the file, because Podium ships these weights. */
function measure(file: Checkpoint): TrainingRecord {
  const parameters = readCheckpoint(file)?.parameters;
  if (!parameters) throw new Error('The written checkpoint cannot be read.');
  const societies = trialSocieties(society, mixSeed(seed, 'trials'));
  const trials = Object.fromEntries(TRIALS.map((trial) => [trial, evaluate(societies[trial], parameters)]));
  const byDepth = DEPTHS.map((depth) => ({
    depth,
    comparison: summarize(
      drawItems(societies['unseen workers'], DEPTH_SEED, ITEMS_PER_SEED, depth).map((item) =>
        compareOn(item, parameters),
      ),
    ),
  }));
  return {
    revision: file.revision,
    command: `npm run train -- --seed=${seed} --updates=${course.updates} --loss=${course.loss} --cost=${stepCost} --rate=${learningRate}${given.start ? ` --start=${given.start}` : ''} --minutes=${given.minutes}`,
    course: { ...course, ...(start ? { start: start.revision } : {}) },
    workers: WORKERS,
    pastRuns: HISTORY.runs,
    parameters: PARAMETER_NAMES.reduce((sum, name) => sum + parameters[name].values.length, 0),
    seconds: trainingSeconds,
    processorSeconds: process.cpuUsage().user / 1e6,
    updates,
    kept: best.update,
    curve,
    heuristicOnValidation,
    trials: trials as Record<Trial, ReturnType<typeof evaluate>>,
    byDepth,
    heldOut: throughTheGate(file, parameters),
  };
}

/** Reads a checkpoint. Throws if the file is none. */
function readWeights(path: string) {
  const read = readCheckpoint(JSON.parse(readFileSync(path, 'utf8')));
  if (!read) throw new Error(`${path} is no checkpoint of this policy.`);
  return read;
}

/** Compares the weights with those that Podium ships, as the page does before it uses a policy. */
function throughTheGate(file: Checkpoint, candidate: Parameters): HeldOut {
  const inUse = readWeights('models/policy/checkpoint.json');
  const trial = runTrial({ ...TRIAL_SCALE, seed: trialSeed(file), candidate, inUse });
  for (;;) {
    const { done, value } = trial.next();
    if (!done) continue;
    log(verdictWords(value));
    return value;
  }
}

function evaluate(on: Society, parameters: Parameters) {
  const results = EVALUATION_SEEDS.map((each) =>
    drawItems(on, each, ITEMS_PER_SEED).map((item) => compareOn(item, parameters)),
  );
  return { all: summarize(results.flat()), seeds: results.map(summarize) };
}

function validationItems(from: Society): Item[] {
  return drawItems(from, mixSeed(seed, 'validation'), VALIDATION_ITEMS);
}

function share(items: readonly Item[], isRight: (item: Item) => boolean): number {
  return items.filter(isRight).length / items.length;
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} must be a whole number.`);
  return value;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function log(text: string): void {
  console.log(`${seconds().toFixed(0).padStart(5)} s  ${text}`);
}
