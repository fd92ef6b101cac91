/**
 * @file The policy network in plain arrays. It runs in the page without a library, in a few milliseconds for a
 * question. `core/training/learning/network.ts` is the same network for training. A test compares the two.
 */
import type { Random } from '../contract';
import type { PolicyInput } from './features';
import { givesAnswer, isAllowedAfter, MOVES, needsAnswer, STEPS, type Skeleton, type SkeletonStep } from './moves';
import type { Parameters } from './parameters';
import { addScaled, dot, joined, plus, product, relu, sigmoid, softmax, standardized, tanh } from './vectors';

/** Weight of each earlier step in the decoder's input, if the current step sees it. The training network uses the same weight. */
export const ACCESS_WEIGHT = 0.5;

/** A skeleton (a workflow without subtasks) and its probability. */
export interface Planned {
  readonly skeleton: Skeleton;
  /** Natural logarithm of the skeleton's probability. */
  readonly logProbability: number;
}

/** Returns the index of the chosen option. */
type Choose = (probabilities: readonly number[]) => number;

/** Plans with the most likely option at every choice. */
export function planGreedily(parameters: Parameters, input: PolicyInput): Planned {
  return decode(parameters, input, mostLikely);
}

/** Samples an option at every choice. */
export function drawPlan(parameters: Parameters, input: PolicyInput, random: Random): Planned {
  return decode(parameters, input, (probabilities) => {
    let left = random();
    const drawn = probabilities.findIndex((probability) => (left -= probability) < 0);
    return drawn >= 0 ? drawn : mostLikely(probabilities);
  });
}

/** The log-probability of a skeleton. The network must be able to produce the skeleton. */
export function logProbabilityOf(parameters: Parameters, input: PolicyInput, skeleton: Skeleton): number {
  const choices = choiceIndexesOf(skeleton, input.limits.rows);
  return decode(parameters, input, () => choices.shift() ?? 0).logProbability;
}

/** For each choice of the decoder, in order, the index of the option that leads to this skeleton. */
function choiceIndexesOf(skeleton: Skeleton, rows: number): number[] {
  const choices: number[] = [];
  let latest = -1;
  for (const [index, { row, move, access }] of skeleton.entries()) {
    choices.push(row);
    if (move === null) return choices;
    choices.push(MOVES.indexOf(move));
    for (let at = 0; at < index; at++) {
      if (!(needsAnswer(move) && at === latest)) choices.push(Number(access.includes(at)));
    }
    if (givesAnswer(move)) latest = index;
  }
  return [...choices, rows];
}

function mostLikely(probabilities: readonly number[]): number {
  return probabilities.reduce((best, each, index) => (each > (probabilities[best] ?? 0) ? index : best), 0);
}

function decode(parameters: Parameters, input: PolicyInput, choose: Choose): Planned {
  const { limits } = input;
  if (limits.rows === 0) return { skeleton: [], logProbability: 0 };
  const width = parameters.start.columns;
  const { workers, start } = encode(parameters, input, width);
  const keys = product(workers, parameters.pointKey);
  const used = new Float32Array(limits.rows);
  const skeleton: SkeletonStep[] = [];
  const steps: Float32Array[] = [];
  let hidden = start;
  let latest = -1;
  let logProbability = 0;
  const pick = (probabilities: readonly number[]) => {
    const chosen = choose(probabilities);
    logProbability += Math.log(Math.max(1e-12, probabilities[chosen] ?? 0));
    return chosen;
  };

  const maxSteps = Math.min(STEPS, limits.maxSteps);
  for (let step = 0; step < maxSteps; step++) {
    const answered = step > 0 && latest === step - 1;
    const row = pick(pointerProbabilities(parameters, input, { hidden, keys, used, width, step, answered }));
    if (row === limits.rows) break;
    if (row === limits.conductor) {
      skeleton.push({ row, move: null, access: [] });
      break;
    }
    const workerVector = workers.subarray(row * width, (row + 1) * width);
    const moveHidden = relu(product(joined(hidden, workerVector), parameters.moveHidden));
    const moveLogits = plus(product(moveHidden, parameters.moveOut), parameters.moveBias.values);
    const isLast = step === maxSteps - 1;
    const allowed = MOVES.map(
      (move) =>
        (latest >= 0 || !needsAnswer(move)) && (!isLast || givesAnswer(move)) && isAllowedAfter(skeleton, move, limits),
    );
    const move = MOVES[pick(softmax([...moveLogits], allowed))] ?? 'solve';
    const moveVector = rowOf(parameters.stepMove.values, MOVES.indexOf(move), width);
    const query = product(
      relu(product(joined(hidden, workerVector, moveVector), parameters.accessHidden)),
      parameters.accessOut,
    );
    const seen = new Float32Array(width);
    const access: number[] = [];
    for (const [at, earlier] of steps.entries()) {
      const forced = needsAnswer(move) && at === latest;
      const own = (product(earlier, parameters.accessEach)[0] ?? 0) + (parameters.accessBias.values[0] ?? 0);
      const chance = sigmoid(dot(query, product(earlier, parameters.accessStep)) + own);
      if (!forced && pick([1 - chance, chance]) === 0) continue;
      access.push(at);
      addScaled(seen, 0, earlier, 0, width, ACCESS_WEIGHT);
    }
    skeleton.push({ row, move, access });
    const stepVector = tanh(plus(product(workerVector, parameters.stepWorker), moveVector));
    steps.push(stepVector);
    hidden = gatedRecurrentUnit(parameters, hidden, plus(stepVector, seen));
    used[row] = (used[row] ?? 0) + 1;
    if (givesAnswer(move)) latest = step;
  }
  return { skeleton, logProbability };
}

function encode(parameters: Parameters, { question, workers, limits }: PolicyInput, width: number) {
  const questionVector = relu(plus(product(question, parameters.questionIn), parameters.questionBias.values));
  const questionTerm = product(questionVector, parameters.workerQuestion);
  const seen = plus(plus(product(workers, parameters.workerIn), parameters.workerBias.values), questionTerm);
  let hidden = product(relu(seen), parameters.workerOut);
  hidden = plus(
    hidden,
    product(selfAttention(parameters, standardized(hidden, width), limits.rows, width), parameters.attentionOut),
  );
  hidden = plus(hidden, product(relu(product(standardized(hidden, width), parameters.mixIn)), parameters.mixOut));
  const encoded = standardized(hidden, width);
  const pool = new Float32Array(width);
  for (let index = 0; index < encoded.length; index++) {
    pool[index % width] = (pool[index % width] ?? 0) + (encoded[index] ?? 0) / limits.rows;
  }
  return { workers: encoded, start: tanh(product(joined(questionVector, pool), parameters.start)) };
}

/** Self-attention over the workers, without position encodings. */
function selfAttention(parameters: Parameters, normal: Float32Array, rows: number, width: number): Float32Array {
  const queries = product(normal, parameters.attentionQuery);
  const keys = product(normal, parameters.attentionKey);
  const values = product(normal, parameters.attentionValue);
  const every = Array.from({ length: rows }, () => true);
  const result = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const query = rowOf(queries, row, width);
    const scores = every.map((_, other) => dot(query, rowOf(keys, other, width)) / Math.sqrt(width));
    for (const [other, share] of softmax(scores, every).entries()) {
      addScaled(result, row * width, values, other * width, width, share);
    }
  }
  return result;
}

interface PointerState {
  readonly hidden: Float32Array;
  readonly keys: Float32Array;
  readonly used: Float32Array;
  readonly width: number;
  readonly step: number;
  /** Whether the latest step gives an answer. */
  readonly answered: boolean;
}

/** The probability of each row (a worker, or the Conductor itself), followed by the probability of stopping. */
function pointerProbabilities(parameters: Parameters, { limits }: PolicyInput, state: PointerState): number[] {
  const { hidden, keys, used, width, step, answered } = state;
  const query = product(hidden, parameters.pointQuery);
  const reuse = product(hidden, parameters.pointUsed)[0] ?? 0;
  const logits = [...used].map((times, row) => {
    return dot(query, rowOf(keys, row, width)) / Math.sqrt(width) + times * reuse;
  });
  const allowed = logits.map((_, row) => row !== limits.conductor || answered);
  const stop = (product(hidden, parameters.stop)[0] ?? 0) + (parameters.stopBias.values[0] ?? 0);
  return softmax([...logits, stop], [...allowed, step === 0 ? limits.mayKeep : answered]);
}

function gatedRecurrentUnit(parameters: Parameters, hidden: Float32Array, input: Float32Array): Float32Array {
  const both = joined(hidden, input);
  const update = plus(product(both, parameters.updateGate), parameters.updateBias.values).map(sigmoid);
  const reset = product(both, parameters.resetGate).map(sigmoid);
  const kept = new Float32Array(hidden.length);
  for (let index = 0; index < hidden.length; index++) kept[index] = (hidden[index] ?? 0) * (reset[index] ?? 0);
  const candidate = tanh(product(joined(kept, input), parameters.candidate));
  const next = new Float32Array(hidden.length);
  for (let index = 0; index < hidden.length; index++) {
    const share = update[index] ?? 0;
    next[index] = (hidden[index] ?? 0) * (1 - share) + (candidate[index] ?? 0) * share;
  }
  return next;
}

function rowOf(vectors: Float32Array, row: number, width: number): Float32Array {
  return vectors.subarray(row * width, (row + 1) * width);
}
