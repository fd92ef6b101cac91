/** @file Compiles the loss, its gradient and an Adam step into one function. */
import { jit, tree, valueAndGrad } from '@jax-js/jax';
import { PARAMETER_NAMES } from '../../policy/parameters';
import { unroll } from './network';
import type { Choices } from './network-choices';
import type { NetworkInput, Weights } from './network-encoder';
import {
  add,
  columns,
  divide,
  exp,
  maximum,
  minimum,
  multiply,
  reshape,
  sqrt,
  subtract,
  sumAll,
  type Tensor,
} from './tensors';

/** The input of one update. The update frees all of these tensors. */
export interface UpdateInput {
  readonly input: NetworkInput;
  readonly choices: Choices;
  /** Log-probabilities at sampling time. [rollouts, STEPS] */
  readonly oldLogProbability: Tensor;
  /** [rollouts, 1] */
  readonly advantages: Tensor;
  /** [rollouts, STEPS] */
  readonly stepWeights: Tensor;
  /**
   * [1, 7]: learning rate, entropy coefficient, probability floor, lower bound of the ratio, upper
   * bound of the ratio, and Adam's bias corrections for the first and the second moment.
   */
  readonly settings: Tensor;
}

export const ADAM = { firstDecay: 0.9, secondDecay: 0.99, epsilon: 1e-8 } as const;
/** Gradients with a larger norm are scaled down to this norm. */
const MAX_GRADIENT_NORM = 1;

/**
 * The negated weighted sum over all steps. Each step contributes PPO's clipped surrogate plus the
 * entropy bonus.
 */
export function lossOf(weights: Weights, group: number, update: UpdateInput): Tensor {
  const setting = (at: number) => reshape(columns(update.settings, at, at + 1), 1);
  const { logProbability, entropy } = unroll(weights, update.input, group, { choices: update.choices }, setting(2));
  const ratio = exp(subtract(logProbability, update.oldLogProbability));
  const clipped = minimum(maximum(ratio, setting(3)), setting(4));
  const surrogate = minimum(multiply(ratio, update.advantages), multiply(clipped, update.advantages));
  const bonus = multiply(entropy, setting(1));
  return multiply(sumAll(multiply(add(surrogate, bonus), update.stepWeights)), -1);
}

/** The weighted negative log-likelihood of the choices. The caller sets all advantages to 1. */
export function imitationLossOf(weights: Weights, group: number, update: UpdateInput): Tensor {
  const floor = reshape(columns(update.settings, 2, 3), 1);
  const { logProbability } = unroll(weights, update.input, group, { choices: update.choices }, floor);
  return multiply(sumAll(multiply(multiply(logProbability, update.advantages), update.stepWeights)), -1);
}

/**
 * The result of an update. This is a type alias, because jax-js does not accept an interface as a
 * tree of tensors.
 */
type Updated = {
  readonly weights: Weights;
  readonly first: Weights;
  readonly second: Weights;
  readonly loss: Tensor;
  /** Norm of the gradient before clipping. */
  readonly gradient: Tensor;
};

type Loss = typeof lossOf;

/**
 * Compiles one Adam step (Kingma and Ba 2015). The step frees its input weights and moments and
 * returns new ones.
 */
export function compileUpdate(loss: Loss, group: number) {
  return jit((weights: Weights, first: Weights, second: Weights, update: UpdateInput): Updated => {
    const [value, gradients] = valueAndGrad((own: Weights, given: UpdateInput) => loss(own, group, given))(
      tree.ref(weights),
      tree.ref(update),
    );
    const setting = (at: number) => reshape(columns(update.settings, at, at + 1), 1);
    const squares = PARAMETER_NAMES.map((name) => sumAll(multiply(gradients[name], gradients[name])));
    const [head, ...rest] = squares;
    if (!head) throw new RangeError('There are no parameters.');
    const norm = sqrt(rest.reduce((sum, each) => add(sum, each), head));
    const scale = minimum(divide(add(multiply(norm, 0), MAX_GRADIENT_NORM), add(norm, 1e-6)), 1);
    const next = { weights: { ...weights }, first: { ...first }, second: { ...second } };
    for (const name of PARAMETER_NAMES) {
      const gradient = multiply(gradients[name], scale);
      const mean = add(multiply(first[name], ADAM.firstDecay), multiply(gradient, 1 - ADAM.firstDecay));
      const square = add(
        multiply(second[name], ADAM.secondDecay),
        multiply(multiply(gradient, gradient), 1 - ADAM.secondDecay),
      );
      const step = divide(multiply(mean, setting(5)), add(sqrt(multiply(square, setting(6))), ADAM.epsilon));
      next.weights[name] = subtract(weights[name], multiply(step, setting(0)));
      next.first[name] = mean;
      next.second[name] = square;
    }
    return { ...next, loss: value, gradient: norm };
  });
}
