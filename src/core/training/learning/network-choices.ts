/**
 * @file Samples a choice of the policy network, or computes the log-probability of a given choice. The choice of a worker or a
 * move (the kind of a step) is categorical. The choice of access has one bit for each earlier step: whether the new step sees
 * the earlier step.
 */
import { STEPS } from '../../policy/moves';
import { MASKED_LOGIT, type EncodedRequests, type Weights } from './network-encoder';
import type { DecoderState } from './network-state';
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

/** Lower bound of probabilities, so that their logarithms stay finite. */
const MIN_PROBABILITY = 1e-12;

/**
 * Noise, or choices, for each rollout and step. The choice of a worker or a move is one-hot. After the end of a workflow, all
 * choices are zeros.
 */
export interface Choices {
  /** [rollouts, STEPS, rows + 1]. The last column is STOP. */
  readonly worker: Tensor;
  /** [rollouts, STEPS, MOVES] */
  readonly move: Tensor;
  /** [rollouts, STEPS, STEPS] */
  readonly access: Tensor;
}

/** Noise to sample with, or choices to score. */
export type ChoiceSource = { readonly noise: Choices } | { readonly choices: Choices };

interface Chosen {
  readonly chosen: Tensor;
  readonly logProbability: Tensor;
  readonly entropy: Tensor;
}

/**
 * Makes or scores a categorical choice. Without noise and without a given choice, takes the most likely option.
 * @returns `chosen` is one-hot, [rollouts, n]
 */
export function choose(
  logits: Tensor,
  allowed: Tensor,
  floor: Tensor,
  by: { readonly noise: Tensor | null; readonly chosen: Tensor | null },
): Chosen {
  const [rollouts = 0, size = 0] = logits.shape;
  const preferred = softmax(add(logits, multiply(complement(allowed), -MASKED_LOGIT)));
  const uniform = divide(allowed, reshape(sumLast(allowed), rollouts, 1));
  const mixed = add(multiply(preferred, complement(floor)), multiply(uniform, floor));
  const logs = log(maximum(mixed, MIN_PROBABILITY));
  const chosen = by.chosen ?? oneHotOfLargest(by.noise ? add(logs, by.noise) : logs, size);
  return {
    chosen,
    logProbability: sumLast(multiply(logs, chosen)),
    entropy: multiply(sumLast(multiply(mixed, logs)), -1),
  };
}

/**
 * Chooses which earlier steps a step sees. A move that needs an answer always sees the latest answer.
 * @param needs 1 where the move needs an answer. [rollouts]
 */
export function chooseAccess(
  weights: Weights,
  { rollouts, width }: EncodedRequests,
  { steps, latest }: DecoderState,
  step: number,
  source: ChoiceSource,
  floor: Tensor,
  context: Tensor,
  needs: Tensor,
) {
  let seen = zeros(rollouts, width);
  let logProbability = zeros(rollouts);
  const bits: Tensor[] = [];
  if (step > 0) {
    const query = matmul(relu(matmul(context, weights.accessHidden)), weights.accessOut);
    for (const [at, earlier] of steps.entries()) {
      const matched = sumLast(multiply(query, matmul(earlier, weights.accessStep)));
      const own = reshape(add(matmul(earlier, weights.accessEach), weights.accessBias), rollouts);
      const probability = add(multiply(sigmoid(add(matched, own)), complement(floor)), multiply(floor, 0.5));
      const forced = multiply(needs, reshape(latest[at] ?? zeros(rollouts, 1), rollouts));
      const sampled =
        'choices' in source ? bitOf(source.choices.access, step, at) : sampleBit(probability, source.noise, step, at);
      const bit = add(forced, multiply(complement(forced), sampled));
      const chance = add(multiply(probability, bit), multiply(complement(probability), complement(bit)));
      logProbability = add(logProbability, multiply(complement(forced), log(maximum(chance, MIN_PROBABILITY))));
      seen = add(seen, multiply(earlier, reshape(bit, rollouts, 1)));
      bits.push(reshape(bit, rollouts, 1));
    }
  }
  const chosen = joined(...bits, zeros(rollouts, STEPS - bits.length));
  return { chosen, seen, logProbability };
}

/** Samples a bit by adding logistic noise to its log-odds. */
function sampleBit(probability: Tensor, noise: Choices, step: number, at: number): Tensor {
  const odds = subtract(
    log(maximum(probability, MIN_PROBABILITY)),
    log(maximum(complement(probability), MIN_PROBABILITY)),
  );
  return isPositive(add(odds, bitOf(noise.access, step, at)));
}

function bitOf(access: Tensor, step: number, at: number): Tensor {
  const [rollouts = 0] = access.shape;
  return reshape(columns(atStep(access, step), at, at + 1), rollouts);
}
