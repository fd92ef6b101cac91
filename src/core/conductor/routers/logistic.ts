/** @file Logistic regression with a penalty on the squares of its weights, fitted by accelerated gradient descent. */

/** Examples, all with the same number of inputs. */
export interface Examples {
  /** The inputs of all examples, one example after the other. */
  readonly inputs: Float32Array;
  /** Share of right answers of each example, from 0 to 1. At least one example. */
  readonly right: Float32Array;
}

/** The weights of the inputs, followed by the intercept. */
export type Weights = Float32Array;

const STEPS = 25;

/**
 * Fits the weights. The result depends only on the arguments.
 * @param penalty the factor of half the sum of the squared weights, which is added to the mean loss. The intercept has no penalty
 * @param start the weights to start from. Default: only an intercept, for the share of right answers of all examples
 */
export function fitLogistic({ inputs, right }: Examples, penalty: number, start?: Weights): Weights {
  const count = right.length;
  const size = inputs.length / count;
  const weights = start?.slice() ?? interceptOf(right, size);
  const ahead = weights.slice();
  const gradient = new Float32Array(size + 1);
  // The curvature of the loss is at most a quarter of the largest squared length of the inputs.
  let longest = 0;
  for (let at = 0; at < count; at++) longest = Math.max(longest, squaredLength(inputs, at * size, size));
  const step = 1 / ((1 + longest) / 4 + penalty);
  for (let round = 0; round < STEPS; round++) {
    gradient.fill(0);
    for (let at = 0; at < count; at++) {
      const from = at * size;
      const error = (chanceOf(ahead, inputs, from) - (right[at] ?? 0)) / count;
      for (let input = 0; input < size; input++) {
        gradient[input] = (gradient[input] ?? 0) + error * (inputs[from + input] ?? 0);
      }
      gradient[size] = (gradient[size] ?? 0) + error;
    }
    const momentum = round / (round + 3);
    for (let at = 0; at <= size; at++) {
      const before = weights[at] ?? 0;
      const from = ahead[at] ?? 0;
      const next = from - step * ((gradient[at] ?? 0) + (at < size ? penalty * from : 0));
      weights[at] = next;
      ahead[at] = next + momentum * (next - before);
    }
  }
  return weights;
}

function interceptOf(right: Float32Array, size: number): Weights {
  const weights = new Float32Array(size + 1);
  weights[size] = logit(right.reduce((sum, each) => sum + each, 0) / right.length);
  return weights;
}

function squaredLength(values: Float32Array, from: number, size: number): number {
  let sum = 0;
  for (let at = from; at < from + size; at++) sum += (values[at] ?? 0) ** 2;
  return sum;
}

/** The predicted chance to be right, from 0 to 1. @param from index of the example's first input */
export function chanceOf(weights: Weights, inputs: Float32Array, from = 0): number {
  const size = weights.length - 1;
  let sum = weights[size] ?? 0;
  for (let at = 0; at < size; at++) sum += (weights[at] ?? 0) * (inputs[from + at] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The sum of the losses of all examples, in nats. */
export function lossOf(weights: Weights, { inputs, right }: Examples): number {
  const size = weights.length - 1;
  return right.reduce((sum, share, index) => {
    const chance = Math.min(1 - 1e-6, Math.max(1e-6, chanceOf(weights, inputs, index * size)));
    return sum - share * Math.log(chance) - (1 - share) * Math.log(1 - chance);
  }, 0);
}

/** The logarithm of the odds. Shares next to 0 and 1 are moved inwards, so that it is finite. */
export function logit(share: number): number {
  const inner = Math.min(0.99, Math.max(0.01, share));
  return Math.log(inner / (1 - inner));
}
