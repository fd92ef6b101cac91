/**
 * @file Loss, gradient and Adam, compiled into one step.
 */
import { jit, tree, valueAndGrad } from '@jax-js/jax';
import { PARAMETER_NAMES } from '../policy';
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

/** What an update learns from; all tensors are used up by it. */
export interface Lesson {
  readonly input: NetworkInput;
  readonly choices: Choices;
  /** Log-probabilities when they were drawn. [rollouts, STEPS] */
  readonly drawnWith: Tensor;
  /** [rollouts, 1] */
  readonly advantages: Tensor;
  /** [rollouts, STEPS] */
  readonly stepWeights: Tensor;
  /** [1, 7]: learning rate, entropy's weight, floor, lower and upper bound of the ratio, Adam's two corrections. */
  readonly settings: Tensor;
}

/** Decay of Adam's two means. */
export const ADAM = { first: 0.9, second: 0.99, least: 1e-8 } as const;
/** Longer gradients are scaled down to this length. */
const LONGEST_GRADIENT = 1;

/** The clipped surrogate of PPO over steps, less the weighted entropy. */
export function lossOf(weights: Weights, group: number, lesson: Lesson): Tensor {
  const setting = (at: number) => reshape(columns(lesson.settings, at, at + 1), 1);
  const { logProbability, entropy } = unroll(weights, lesson.input, group, { choices: lesson.choices }, setting(2));
  const ratio = exp(subtract(logProbability, lesson.drawnWith));
  const clipped = minimum(maximum(ratio, setting(3)), setting(4));
  const gained = minimum(multiply(ratio, lesson.advantages), multiply(clipped, lesson.advantages));
  const surprise = multiply(entropy, setting(1));
  return multiply(sumAll(multiply(add(gained, surprise), lesson.stepWeights)), -1);
}

/** Supervised: the less likely the choices, the greater. */
export function imitationLossOf(weights: Weights, group: number, lesson: Lesson): Tensor {
  const floor = reshape(columns(lesson.settings, 2, 3), 1);
  const { logProbability } = unroll(weights, lesson.input, group, { choices: lesson.choices }, floor);
  return multiply(sumAll(multiply(multiply(logProbability, lesson.advantages), lesson.stepWeights)), -1);
}

/** A type rather than an interface, so that jax-js takes it for a tree of tensors. */
export type Updated = {
  readonly weights: Weights;
  readonly first: Weights;
  readonly second: Weights;
  readonly loss: Tensor;
  /** Length of the gradient before it is cut. */
  readonly gradient: Tensor;
};

type Loss = typeof lossOf;

/** Loss and gradient, without a step. */
export function compileGradient(loss: Loss, group: number) {
  return jit((weights: Weights, lesson: Lesson) =>
    valueAndGrad((own: Weights, given: Lesson) => loss(own, group, given))(tree.ref(weights), tree.ref(lesson)),
  );
}

/** One step of Adam (Kingma and Ba 2015). Weights and means are used up; new ones come back. */
export function compileUpdate(loss: Loss, group: number) {
  return jit((weights: Weights, first: Weights, second: Weights, lesson: Lesson): Updated => {
    const [value, gradients] = valueAndGrad((own: Weights, given: Lesson) => loss(own, group, given))(
      tree.ref(weights),
      tree.ref(lesson),
    );
    const setting = (at: number) => reshape(columns(lesson.settings, at, at + 1), 1);
    const squares = PARAMETER_NAMES.map((name) => sumAll(multiply(gradients[name], gradients[name])));
    const [head, ...rest] = squares;
    if (!head) throw new RangeError('There are no parameters.');
    const length = sqrt(rest.reduce((sum, each) => add(sum, each), head));
    const scale = minimum(divide(add(multiply(length, 0), LONGEST_GRADIENT), add(length, 1e-6)), 1);
    const next = { weights: { ...weights }, first: { ...first }, second: { ...second } };
    for (const name of PARAMETER_NAMES) {
      const gradient = multiply(gradients[name], scale);
      const mean = add(multiply(first[name], ADAM.first), multiply(gradient, 1 - ADAM.first));
      const square = add(multiply(second[name], ADAM.second), multiply(multiply(gradient, gradient), 1 - ADAM.second));
      const step = divide(multiply(mean, setting(5)), add(sqrt(multiply(square, setting(6))), ADAM.least));
      next.weights[name] = subtract(weights[name], multiply(step, setting(0)));
      next.first[name] = mean;
      next.second[name] = square;
    }
    return { ...next, loss: value, gradient: length };
  });
}
