/**
 * @file The policy's network as it trains, over jax-js. One unrolled function draws workflows and scores them: drawing takes
 * noise (Gumbel for choices of one among several, logistic for single bits), scoring takes the choices, and nothing else
 * differs, so the two cannot come apart. `core/policy/network.ts` is its twin in plain arrays.
 *
 * The encoder treats workers alike (a multilayer perceptron and masked self-attention without positions), so a permutation
 * of the pool permutes the plan and padding changes nothing. The decoder is a gated recurrent unit over at most five steps;
 * each step is a pointer to a worker or STOP, then a move given the worker, then a bit for each earlier step. Masks hold the
 * grammar of `core/policy/moves.ts`.
 */
import { givesAnswer, MOVES, needsAnswer, STEPS, type ParameterName } from '../policy';
import {
  add,
  atStep,
  columns,
  complement,
  constant,
  divide,
  isPositive,
  joined,
  log,
  matmul,
  maximum,
  multiply,
  oneHotOfLargest,
  ones,
  relu,
  repeated,
  reshape,
  sigmoid,
  softmax,
  standardize,
  subtract,
  sumLast,
  tanh,
  transposeLast,
  zeros,
  type Tensor,
} from './tensors';

export type Weights = Record<ParameterName, Tensor>;

/** A batch of requests, padded to the same number of rows. */
export interface NetworkInput {
  /** [batch, QUESTION_FEATURES] */
  readonly question: Tensor;
  /** [batch, rows, WORKER_FEATURES] */
  readonly workers: Tensor;
  /** [batch, rows]: 1 where there is a worker. */
  readonly present: Tensor;
  /** [batch, rows]: 1 for the Conductor itself. */
  readonly conductor: Tensor;
  /** [batch, 1]: 1 where the workflow may be empty. */
  readonly mayKeep: Tensor;
}

/** Per rollout and step; as noise, or as the choices that were made (1 for what was chosen, 0 all over after the end). */
export interface Choices {
  /** [rollouts, STEPS, rows + 1], the last for STOP. */
  readonly worker: Tensor;
  /** [rollouts, STEPS, MOVES] */
  readonly move: Tensor;
  /** [rollouts, STEPS, STEPS] */
  readonly access: Tensor;
}

export interface Unrolled extends Choices {
  /** Log-probability of each step's choices; 0 after the end. [rollouts, STEPS] */
  readonly logProbability: Tensor;
  /** Entropy of the choice of worker and of move. [rollouts, STEPS] */
  readonly entropy: Tensor;
}

const FORBIDDEN = 1e9;
/** Probabilities are not taken to be smaller, so that their logarithm stays finite. */
const LEAST = 1e-12;
/** How much of what a step sees goes into the decoder's state. */
export const SEEN_WEIGHT = 0.5;

/**
 * Draws or scores `group` workflows for each request.
 * @param from noise to draw by, or choices to score
 * @param floor [1]: share of every choice that is uniform over what is allowed
 */
export function unroll(
  weights: Weights,
  input: NetworkInput,
  group: number,
  from: { readonly noise: Choices } | { readonly choices: Choices },
  floor: Tensor,
): Unrolled {
  const [, rows = 0] = input.present.shape;
  const scene = encode(weights, input, group);
  const state = firstState(scene);
  const steps: StepResult[] = [];
  for (let step = 0; step < STEPS; step++) steps.push(decide(weights, scene, state, step, from, floor));
  const each = (of: (result: StepResult) => Tensor, width: number) =>
    reshape(joined(...steps.map((result) => reshape(of(result), scene.rollouts, width))), scene.rollouts, STEPS, width);
  return {
    logProbability: joined(...steps.map(({ logProbability }) => reshape(logProbability, scene.rollouts, 1))),
    entropy: joined(...steps.map(({ entropy }) => reshape(entropy, scene.rollouts, 1))),
    worker: each(({ worker }) => worker, rows + 1),
    move: each(({ move }) => move, MOVES.length),
    access: each(({ access }) => access, STEPS),
  };
}

/** Everything that stays the same while steps are decided, repeated for each rollout. */
interface Scene {
  readonly rollouts: number;
  readonly rows: number;
  readonly width: number;
  /** [rollouts, rows, width] */
  readonly workers: Tensor;
  readonly keys: Tensor;
  /** [rollouts, rows] */
  readonly present: Tensor;
  readonly conductor: Tensor;
  readonly mayKeep: Tensor;
  /** [rollouts, width] */
  readonly start: Tensor;
}

function encode(weights: Weights, input: NetworkInput, group: number): Scene {
  const [batch = 0, rows = 0] = input.present.shape;
  const [width = 0] = weights.start.shape.slice(-1);
  const question = relu(add(matmul(input.question, weights.questionIn), weights.questionBias));
  const asked = reshape(matmul(question, weights.workerQuestion), batch, 1, width);
  const seen = add(add(matmul(input.workers, weights.workerIn), weights.workerBias), asked);
  let hidden = matmul(relu(seen), weights.workerOut);
  const normal = standardize(hidden);
  const keys = transposeLast(matmul(normal, weights.attentionKey));
  const scores = multiply(matmul(matmul(normal, weights.attentionQuery), keys), 1 / Math.sqrt(width));
  const absent = reshape(multiply(complement(input.present), -FORBIDDEN), batch, 1, rows);
  const attended = matmul(softmax(add(scores, absent)), matmul(normal, weights.attentionValue));
  hidden = add(hidden, matmul(attended, weights.attentionOut));
  hidden = add(hidden, matmul(relu(matmul(standardize(hidden), weights.mixIn)), weights.mixOut));
  const workers = standardize(hidden);
  const counted = divide(input.present, reshape(sumLast(input.present), batch, 1));
  const pool = reshape(matmul(reshape(counted, batch, 1, rows), workers), batch, width);
  const start = tanh(matmul(joined(question, pool), weights.start));
  return {
    rollouts: batch * group,
    rows,
    width,
    workers: repeated(workers, group),
    keys: repeated(transposeLast(matmul(workers, weights.pointKey)), group),
    present: repeated(input.present, group),
    conductor: repeated(input.conductor, group),
    mayKeep: repeated(input.mayKeep, group),
    start: repeated(start, group),
  };
}

/** What the steps so far have come to. */
interface State {
  /** [rollouts, width] */
  hidden: Tensor;
  /** How often each row was chosen. [rollouts, rows] */
  used: Tensor;
  /** 1 where the last step gives an answer. [rollouts, 1] */
  lastAnswers: Tensor;
  /** One-hot of the latest step that gives an answer, one column for each step so far; empty at first. */
  latest: Tensor[];
  /** 1 until the workflow has ended. [rollouts, 1] */
  alive: Tensor;
  readonly steps: Tensor[];
}

function firstState({ rollouts, rows, start }: Scene): State {
  return {
    hidden: start,
    used: zeros(rollouts, rows),
    lastAnswers: zeros(rollouts, 1),
    latest: [],
    alive: ones(rollouts, 1),
    steps: [],
  };
}

interface StepResult {
  readonly logProbability: Tensor;
  readonly entropy: Tensor;
  readonly worker: Tensor;
  readonly move: Tensor;
  readonly access: Tensor;
}

type From = { readonly noise: Choices } | { readonly choices: Choices };

function decide(weights: Weights, scene: Scene, state: State, step: number, from: From, floor: Tensor): StepResult {
  const { rollouts, rows, width } = scene;
  const { hidden, alive } = state;

  const worker = choose(pointerLogits(weights, scene, state), allowedRows(scene, state, step), floor, {
    noise: 'noise' in from ? atStep(from.noise.worker, step) : null,
    chosen: 'choices' in from ? atStep(from.choices.worker, step) : null,
  });
  const row = columns(worker.chosen, 0, rows);
  const isConductor = reshape(sumLast(multiply(row, scene.conductor)), rollouts, 1);
  // A step that is neither STOP nor the Conductor has a move and is followed by another decision.
  const goes = subtract(complement(columns(worker.chosen, rows, rows + 1)), isConductor);
  const who = reshape(matmul(reshape(row, rollouts, 1, rows), scene.workers), rollouts, width);

  const considered = relu(matmul(joined(hidden, who), weights.moveHidden));
  const move = choose(
    add(matmul(considered, weights.moveOut), weights.moveBias),
    allowedMoves(scene, state, step),
    floor,
    {
      noise: 'noise' in from ? atStep(from.noise.move, step) : null,
      chosen: 'choices' in from ? atStep(from.choices.move, step) : null,
    },
  );
  const doing = matmul(move.chosen, weights.stepMove);
  const needs = sumLast(multiply(move.chosen, moveFlags(needsAnswer)));
  const access = chooseAccess(weights, scene, state, step, from, floor, joined(hidden, who, doing), needs);

  const counts = reshape(goes, rollouts);
  const logProbability = add(worker.logProbability, multiply(counts, add(move.logProbability, access.logProbability)));
  const entropy = add(worker.entropy, multiply(counts, move.entropy));
  const living = reshape(alive, rollouts);
  const acting = multiply(alive, goes);
  const result = {
    logProbability: multiply(living, logProbability),
    entropy: multiply(living, entropy),
    worker: multiply(worker.chosen, alive),
    move: multiply(move.chosen, acting),
    access: multiply(access.chosen, acting),
  };

  const taken = tanh(add(matmul(who, weights.stepWorker), doing));
  state.hidden = recur(weights, hidden, add(taken, multiply(access.seen, SEEN_WEIGHT)));
  state.steps.push(taken);
  state.used = add(state.used, row);
  const answers = reshape(sumLast(multiply(move.chosen, moveFlags(givesAnswer))), rollouts, 1);
  state.latest = [...state.latest.map((each) => multiply(each, complement(answers))), answers];
  state.lastAnswers = answers;
  state.alive = acting;
  return result;
}

function pointerLogits(weights: Weights, { rollouts, rows, width, keys }: Scene, { hidden, used }: State): Tensor {
  const query = reshape(matmul(hidden, weights.pointQuery), rollouts, 1, width);
  const pointed = multiply(reshape(matmul(query, keys), rollouts, rows), 1 / Math.sqrt(width));
  const again = multiply(used, matmul(hidden, weights.pointUsed));
  return joined(add(pointed, again), add(matmul(hidden, weights.stop), weights.stopBias));
}

/** STOP and the Conductor itself come only after an answer; STOP also first where the answer so far may be kept. */
function allowedRows({ rollouts, present, conductor, mayKeep }: Scene, { lastAnswers }: State, step: number): Tensor {
  const mayHandOver = step === 0 ? zeros(rollouts, 1) : lastAnswers;
  const rowsAllowed = multiply(present, complement(multiply(conductor, complement(mayHandOver))));
  return joined(rowsAllowed, step === 0 ? mayKeep : lastAnswers);
}

/** What is about an answer comes after one; the last step gives one. [rollouts, MOVES] */
function allowedMoves({ rollouts }: Scene, { latest }: State, step: number): Tensor {
  const none = complement(
    reshape(
      latest.reduce((sum, each) => add(sum, each), zeros(rollouts, 1)),
      rollouts,
      1,
    ),
  );
  const allowed = complement(multiply(moveFlags(needsAnswer), none));
  return step === STEPS - 1 ? multiply(allowed, moveFlags(givesAnswer)) : allowed;
}

/** [1, MOVES]: 1 for the moves that are so. */
function moveFlags(isSo: (move: (typeof MOVES)[number]) => boolean): Tensor {
  return constant(
    MOVES.map((move) => Number(isSo(move))),
    1,
    MOVES.length,
  );
}

interface Chosen {
  readonly chosen: Tensor;
  readonly logProbability: Tensor;
  readonly entropy: Tensor;
}

/** One among several. [rollouts, n] in, one-hot out. */
function choose(
  logits: Tensor,
  allowed: Tensor,
  floor: Tensor,
  by: { readonly noise: Tensor | null; readonly chosen: Tensor | null },
): Chosen {
  const [rollouts = 0, size = 0] = logits.shape;
  const preferred = softmax(add(logits, multiply(complement(allowed), -FORBIDDEN)));
  const uniform = divide(allowed, reshape(sumLast(allowed), rollouts, 1));
  const mixed = add(multiply(preferred, complement(floor)), multiply(uniform, floor));
  const logs = log(maximum(mixed, LEAST));
  const chosen = by.chosen ?? oneHotOfLargest(by.noise ? add(logs, by.noise) : logs, size);
  return {
    chosen,
    logProbability: sumLast(multiply(logs, chosen)),
    entropy: multiply(sumLast(multiply(mixed, logs)), -1),
  };
}

/** A bit for each earlier step; what is about an answer always sees the latest. */
function chooseAccess(
  weights: Weights,
  { rollouts, width }: Scene,
  { steps, latest }: State,
  step: number,
  from: From,
  floor: Tensor,
  context: Tensor,
  needs: Tensor,
) {
  let seen = zeros(rollouts, width);
  let logProbability = zeros(rollouts);
  const bits: Tensor[] = [];
  if (step > 0) {
    const query = matmul(relu(matmul(context, weights.accessHidden)), weights.accessOut);
    for (const [at, taken] of steps.entries()) {
      const matched = sumLast(multiply(query, matmul(taken, weights.accessStep)));
      const own = reshape(add(matmul(taken, weights.accessEach), weights.accessBias), rollouts);
      const probability = add(multiply(sigmoid(add(matched, own)), complement(floor)), multiply(floor, 0.5));
      const forced = multiply(needs, reshape(latest[at] ?? zeros(rollouts, 1), rollouts));
      const drawn =
        'choices' in from ? bitOf(from.choices.access, step, at) : drawBit(probability, from.noise, step, at);
      const bit = add(forced, multiply(complement(forced), drawn));
      const chance = add(multiply(probability, bit), multiply(complement(probability), complement(bit)));
      logProbability = add(logProbability, multiply(complement(forced), log(maximum(chance, LEAST))));
      seen = add(seen, multiply(taken, reshape(bit, rollouts, 1)));
      bits.push(reshape(bit, rollouts, 1));
    }
  }
  const chosen = joined(...bits, zeros(rollouts, STEPS - bits.length));
  return { chosen, seen, logProbability };
}

/** Logistic noise on the log-odds decides. */
function drawBit(probability: Tensor, noise: Choices, step: number, at: number): Tensor {
  const odds = subtract(log(maximum(probability, LEAST)), log(maximum(complement(probability), LEAST)));
  return isPositive(add(odds, bitOf(noise.access, step, at)));
}

function bitOf(access: Tensor, step: number, at: number): Tensor {
  const [rollouts = 0] = access.shape;
  return reshape(columns(atStep(access, step), at, at + 1), rollouts);
}

/** A gated recurrent unit. */
function recur(weights: Weights, hidden: Tensor, input: Tensor): Tensor {
  const both = joined(hidden, input);
  const update = sigmoid(add(matmul(both, weights.updateGate), weights.updateBias));
  const reset = sigmoid(matmul(both, weights.resetGate));
  const candidate = tanh(matmul(joined(multiply(hidden, reset), input), weights.candidate));
  return add(multiply(hidden, complement(update)), multiply(candidate, update));
}
