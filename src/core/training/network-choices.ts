/** @file One choice of the network, drawn or scored: among several, or a bit for each earlier step. */
import { STEPS } from '../policy';
import { FORBIDDEN, type Scene, type Weights } from './network-encoder';
import type { State } from './network-state';
import {
  add,
  atStep,
  columns,
  complement,
  divide,
  isPositive,
  joined,
  log,
  matmul,
  maximum,
  multiply,
  oneHotOfLargest,
  relu,
  reshape,
  sigmoid,
  softmax,
  subtract,
  sumLast,
  zeros,
  type Tensor,
} from './tensors';

/** Probabilities are not taken to be smaller, so that their logarithm stays finite. */
const LEAST = 1e-12;

/** Per rollout and step; as noise, or as the choices that were made (1 for what was chosen, 0 all over after the end). */
export interface Choices {
  /** [rollouts, STEPS, rows + 1], the last for STOP. */
  readonly worker: Tensor;
  /** [rollouts, STEPS, MOVES] */
  readonly move: Tensor;
  /** [rollouts, STEPS, STEPS] */
  readonly access: Tensor;
}

/** What to choose by: noise that is drawn with, or the choices to score. */
export type From = { readonly noise: Choices } | { readonly choices: Choices };

interface Chosen {
  readonly chosen: Tensor;
  readonly logProbability: Tensor;
  readonly entropy: Tensor;
}

/** One among several. [rollouts, n] in, one-hot out. */
export function choose(
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
export function chooseAccess(
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
