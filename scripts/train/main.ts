/**
 * @file Trains the coordination policy once, keeps the training's record in `models/policy/trainings/`, and makes curve and
 * model card from all that are kept. The weights become Podium's if no other training was better on validation. Started by
 * `scripts/train.mjs`.
 */
import { parseArgs } from 'node:util';
import { mixSeed } from '../../src/core/contract';
import {
  PARAMETER_NAMES,
  readCheckpoint,
  writeCheckpoint,
  type Checkpoint,
  type Parameters,
} from '../../src/core/policy';
import {
  compareOn,
  createCourse,
  DEFAULT_COURSE,
  drawItem,
  drawSociety,
  LOSSES,
  mayReplaceHeuristic,
  playPolicy,
  summarise,
  TRIALS,
  trialItems,
  trialSocieties,
  useBackend,
  type CurvePoint,
  type Item,
  type LossName,
  type Society,
  type TrainingRecord,
  type Trial,
} from '../../src/core/training';
import { adoptWeights, keepRecord, makeCard } from './kept';

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: String(DEFAULT_COURSE.seed) },
    updates: { type: 'string', default: String(DEFAULT_COURSE.updates) },
    loss: { type: 'string', default: DEFAULT_COURSE.loss },
    minutes: { type: 'string', default: '30' },
    out: { type: 'string', default: 'models/policy' },
  },
});

const WORKERS = 1_000;
const PAST = { runs: 24_000, questions: 400 };
const VALIDATION_ITEMS = 400;
const VALIDATE_EVERY = 100;
const EVALUATION_SEEDS = [101, 102, 103];
const ITEMS_PER_SEED = 400;
const DEPTHS = [0, 20, 200];

const loss = Object.keys(LOSSES).find((name): name is LossName => name === given.loss);
if (!loss) throw new Error(`--loss is one of ${Object.keys(LOSSES).join(', ')}.`);
const seed = whole('seed', given.seed);
const course = { ...DEFAULT_COURSE, seed, updates: whole('updates', given.updates), loss };
const most = whole('minutes', given.minutes) * 60;
const began = performance.now();
const seconds = () => (performance.now() - began) / 1_000;

if (!(await useBackend('wasm'))) throw new Error('WebAssembly is needed for training.');
say('Drawing workers and playing their past …');
const society = drawSociety({ split: 'train', seed, workers: WORKERS, ...PAST });
const validation = validationItems(
  drawSociety({ split: 'validation', seed, workers: 100, runs: 3_000, questions: 150 }),
);
const heuristicOnValidation = share(validation, (item) => compareOn(item, null).heuristic.correct);
say(`The heuristic is right on ${percent(heuristicOnValidation)} of the validation items.`);

const { curve, best, made } = await train(society);
const trainedFor = seconds();
const revision = `${new Date().toISOString().slice(0, 10)}-seed${seed}-${loss}-${best.update}`;
const checkpoint = writeCheckpoint(best.parameters, revision);
say('Comparing on items that were not trained on …');
const record = measure(checkpoint);
keepRecord(given.out, record);
say(
  mayReplaceHeuristic(record.trials) ? 'It may stand in for the heuristic.' : 'It may not stand in for the heuristic.',
);
say(adoptWeights(given.out, checkpoint));
makeCard(given.out);

async function train(on: Society) {
  const steps = createCourse(on, course);
  const curve: CurvePoint[] = [];
  let best: { update: number; right: number; parameters: Parameters } | null = null;
  let made = 0;
  let since = { right: 0, updates: 0 };
  for await (const step of steps.steps(new AbortController().signal)) {
    made = step.update;
    // Batches with second rounds are others' items; the curve shows those without.
    if (step.update > 0 && step.update % course.recursionEvery !== 0) {
      since = { right: since.right + step.right, updates: since.updates + 1 };
    }
    const isOver = seconds() > most && step.update > 0;
    if (step.update % VALIDATE_EVERY !== 0 && step.update !== course.updates && !isOver) continue;
    if (step.update === 0) continue;
    const parameters = await steps.parameters();
    const results = validation.map((item) => playPolicy(item, parameters));
    const right = results.filter(({ correct }) => correct).length / results.length;
    const calls = results.reduce((sum, each) => sum + each.calls, 0) / results.length;
    curve.push({ update: step.update, right, calls, training: since.right / Math.max(1, since.updates) });
    since = { right: 0, updates: 0 };
    if (!best || right >= best.right) best = { update: step.update, right, parameters };
    say(`${step.update} updates: ${percent(right)} right, ${calls.toFixed(2)} calls, reward ${step.reward.toFixed(3)}`);
    if (isOver) break;
  }
  if (!best) throw new Error('No update was made. Allow for more updates or minutes.');
  return { curve, best, made };
}

/** Everything is measured with the weights as they are read from the file. */
function measure(file: Checkpoint): TrainingRecord {
  const parameters = readCheckpoint(file)?.parameters;
  if (!parameters) throw new Error('The checkpoint cannot be read again.');
  const societies = trialSocieties(society, mixSeed(seed, 'trials'));
  const trials = Object.fromEntries(TRIALS.map((trial) => [trial, evaluate(societies[trial], parameters)]));
  const byDepth = DEPTHS.map((depth) => ({
    depth,
    comparison: summarise(
      Array.from({ length: ITEMS_PER_SEED }, (_, index) =>
        compareOn(drawItem(societies['unseen workers'], { seed: 104, index, recursion: 0, depth }), parameters),
      ),
    ),
  }));
  return {
    revision: file.revision,
    command: `npm run train -- --seed=${seed} --updates=${course.updates} --loss=${course.loss} --minutes=${given.minutes}`,
    course,
    workers: WORKERS,
    pastRuns: PAST.runs,
    parameters: PARAMETER_NAMES.reduce((sum, name) => sum + parameters[name].values.length, 0),
    seconds: trainedFor,
    processorSeconds: process.cpuUsage().user / 1e6,
    updates: made,
    kept: best.update,
    curve,
    heuristicOnValidation,
    trials: trials as Record<Trial, ReturnType<typeof evaluate>>,
    byDepth,
  };
}

function evaluate(on: Society, parameters: Parameters) {
  const results = EVALUATION_SEEDS.map((each) =>
    trialItems(on, each, ITEMS_PER_SEED).map((item) => compareOn(item, parameters)),
  );
  return { all: summarise(results.flat()), seeds: results.map(summarise) };
}

function validationItems(from: Society): Item[] {
  return Array.from({ length: VALIDATION_ITEMS }, (_, index) =>
    drawItem(from, { seed: mixSeed(seed, 'validation'), index, recursion: 0 }),
  );
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

function say(text: string): void {
  console.log(`${seconds().toFixed(0).padStart(5)} s  ${text}`);
}
