/**
 * @file The policy's network in plain arrays: what runs in the page, a few milliseconds a question and without any library.
 * `core/training/network.ts` is its twin that trains; a test holds the two together.
 */
import type { Random } from '../contract';
import type { PolicyInput } from './features';
import { givesAnswer, MOVES, needsAnswer, STEPS, type Skeleton, type SkeletonStep } from './moves';
import type { Parameters } from './parameters';
import { dot, joined, plus, product, relu, sigmoid, softmax, standardized, tanh } from './vectors';

/** How much of what a step sees goes into the decoder's state. As in the twin. */
const SEEN_WEIGHT = 0.5;

/** A workflow and how likely it was. */
export interface Planned {
  readonly skeleton: Skeleton;
  /** Natural logarithm of its probability. */
  readonly logProbability: number;
}

/** Chooses one of several by their probabilities. */
type Choose = (probabilities: readonly number[]) => number;

/** The most likely choice at every turn. */
export function planGreedily(parameters: Parameters, input: PolicyInput): Planned {
  return decode(parameters, input, mostLikely);
}

/** Each choice by its probability. */
export function drawPlan(parameters: Parameters, input: PolicyInput, random: Random): Planned {
  return decode(parameters, input, (probabilities) => {
    let left = random();
    const drawn = probabilities.findIndex((probability) => (left -= probability) < 0);
    return drawn >= 0 ? drawn : mostLikely(probabilities);
  });
}

/** How likely a skeleton is, as the natural logarithm. It must keep to the grammar. */
export function logProbabilityOf(parameters: Parameters, input: PolicyInput, skeleton: Skeleton): number {
  const turns = turnsOf(skeleton, input.limits.rows);
  return decode(parameters, input, () => turns.shift() ?? 0).logProbability;
}

/** The choices that make a skeleton, in the order in which the decoder asks for them. */
function turnsOf(skeleton: Skeleton, rows: number): number[] {
  const turns: number[] = [];
  let latest = -1;
  for (const [index, { row, move, access }] of skeleton.entries()) {
    turns.push(row);
    if (move === null) return turns;
    turns.push(MOVES.indexOf(move));
    for (let at = 0; at < index; at++) {
      if (!(needsAnswer(move) && at === latest)) turns.push(Number(access.includes(at)));
    }
    if (givesAnswer(move)) latest = index;
  }
  return [...turns, rows];
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
  const taken: Float32Array[] = [];
  let hidden = start;
  let latest = -1;
  let logProbability = 0;
  const turn = (probabilities: readonly number[]) => {
    const chosen = choose(probabilities);
    logProbability += Math.log(Math.max(1e-12, probabilities[chosen] ?? 0));
    return chosen;
  };

  const most = Math.min(STEPS, limits.maxSteps);
  for (let step = 0; step < most; step++) {
    const answered = step > 0 && latest === step - 1;
    const row = turn(pointerProbabilities(parameters, input, { hidden, keys, used, width, step, answered }));
    if (row === limits.rows) break;
    if (row === limits.conductor) {
      skeleton.push({ row, move: null, access: [] });
      break;
    }
    const who = workers.subarray(row * width, (row + 1) * width);
    const considered = relu(product(joined(hidden, who), parameters.moveHidden));
    const moveLogits = plus(product(considered, parameters.moveOut), parameters.moveBias.values);
    const isLast = step === most - 1;
    const allowed = MOVES.map((move) => (latest >= 0 || !needsAnswer(move)) && (!isLast || givesAnswer(move)));
    const move = MOVES[turn(softmax([...moveLogits], allowed))] ?? 'solve';
    const doing = rowOf(parameters.stepMove.values, MOVES.indexOf(move), width);
    const query = product(relu(product(joined(hidden, who, doing), parameters.accessHidden)), parameters.accessOut);
    const seen = new Float32Array(width);
    const access: number[] = [];
    for (const [at, earlier] of taken.entries()) {
      const forced = needsAnswer(move) && at === latest;
      const own = (product(earlier, parameters.accessEach)[0] ?? 0) + (parameters.accessBias.values[0] ?? 0);
      const chance = sigmoid(dot(query, product(earlier, parameters.accessStep)) + own);
      if (!forced && turn([1 - chance, chance]) === 0) continue;
      access.push(at);
      for (const [index, value] of earlier.entries()) seen[index] = (seen[index] ?? 0) + SEEN_WEIGHT * value;
    }
    skeleton.push({ row, move, access });
    const now = tanh(plus(product(who, parameters.stepWorker), doing));
    taken.push(now);
    hidden = recur(parameters, hidden, plus(now, seen));
    used[row] = (used[row] ?? 0) + 1;
    if (givesAnswer(move)) latest = step;
  }
  return { skeleton, logProbability };
}

function encode(parameters: Parameters, { question, workers, limits }: PolicyInput, width: number) {
  const asked = relu(plus(product(question, parameters.questionIn), parameters.questionBias.values));
  const toWorkers = product(asked, parameters.workerQuestion);
  const seen = plus(plus(product(workers, parameters.workerIn), parameters.workerBias.values), toWorkers);
  let hidden = product(relu(seen), parameters.workerOut);
  hidden = add(
    hidden,
    product(attend(parameters, standardized(hidden, width), limits.rows, width), parameters.attentionOut),
  );
  hidden = add(hidden, product(relu(product(standardized(hidden, width), parameters.mixIn)), parameters.mixOut));
  const encoded = standardized(hidden, width);
  const pool = new Float32Array(width);
  for (const [index, value] of encoded.entries())
    pool[index % width] = (pool[index % width] ?? 0) + value / limits.rows;
  return { workers: encoded, start: tanh(product(joined(asked, pool), parameters.start)) };
}

/** Self-attention over the workers, without positions. */
function attend(parameters: Parameters, normal: Float32Array, rows: number, width: number): Float32Array {
  const queries = product(normal, parameters.attentionQuery);
  const keys = product(normal, parameters.attentionKey);
  const values = product(normal, parameters.attentionValue);
  const every = Array.from({ length: rows }, () => true);
  const result = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const query = rowOf(queries, row, width);
    const scores = every.map((_, other) => dot(query, rowOf(keys, other, width)) / Math.sqrt(width));
    for (const [other, share] of softmax(scores, every).entries()) {
      for (const [index, value] of rowOf(values, other, width).entries()) {
        result[row * width + index] = (result[row * width + index] ?? 0) + share * value;
      }
    }
  }
  return result;
}

interface Pointing {
  readonly hidden: Float32Array;
  readonly keys: Float32Array;
  readonly used: Float32Array;
  readonly width: number;
  readonly step: number;
  /** Whether the last step gives an answer. */
  readonly answered: boolean;
}

/** The rows, then STOP. */
function pointerProbabilities(parameters: Parameters, { limits }: PolicyInput, pointing: Pointing): number[] {
  const { hidden, keys, used, width, step, answered } = pointing;
  const query = product(hidden, parameters.pointQuery);
  const again = product(hidden, parameters.pointUsed)[0] ?? 0;
  const logits = [...used].map((times, row) => {
    return dot(query, rowOf(keys, row, width)) / Math.sqrt(width) + times * again;
  });
  const allowed = logits.map((_, row) => row !== limits.conductor || answered);
  const stop = (product(hidden, parameters.stop)[0] ?? 0) + (parameters.stopBias.values[0] ?? 0);
  return softmax([...logits, stop], [...allowed, step === 0 ? limits.mayKeep : answered]);
}

/** A gated recurrent unit. */
function recur(parameters: Parameters, hidden: Float32Array, input: Float32Array): Float32Array {
  const both = joined(hidden, input);
  const update = plus(product(both, parameters.updateGate), parameters.updateBias.values).map(sigmoid);
  const reset = product(both, parameters.resetGate).map(sigmoid);
  const kept = hidden.map((value, index) => value * (reset[index] ?? 0));
  const candidate = tanh(product(joined(kept, input), parameters.candidate));
  return hidden.map((value, index) => {
    const share = update[index] ?? 0;
    return value * (1 - share) + (candidate[index] ?? 0) * share;
  });
}

function rowOf(vectors: Float32Array, row: number, width: number): Float32Array {
  return vectors.subarray(row * width, (row + 1) * width);
}

function add(one: Float32Array, other: Float32Array): Float32Array {
  return one.map((value, index) => value + (other[index] ?? 0));
}
