/**
 * @file Wraps the jax-js operations that the network needs. Each jax-js operation frees its inputs.
 * The wrappers add a reference to each input first, so that callers can use the input again. With these wrappers,
 * code that `jit` traces needs no reference counting of its own.
 */
import { nn, numpy as np, type Array as Tensor } from '@jax-js/jax';
import { EPSILON } from '../../policy/vectors';

export type { Tensor };

const reference = (value: Tensor | number) => (typeof value === 'number' ? value : value.ref);

export const add = (one: Tensor, other: Tensor | number): Tensor => np.add(one.ref, reference(other));
export const subtract = (one: Tensor, other: Tensor | number): Tensor => np.subtract(one.ref, reference(other));
export const multiply = (one: Tensor, other: Tensor | number): Tensor => np.multiply(one.ref, reference(other));
export const divide = (one: Tensor, other: Tensor | number): Tensor => np.divide(one.ref, reference(other));
export const matmul = (one: Tensor, other: Tensor): Tensor => np.matmul(one.ref, other.ref);
export const reshape = (one: Tensor, ...shape: number[]): Tensor => one.ref.reshape(shape);
export const joined = (...parts: Tensor[]): Tensor =>
  np.concatenate(
    parts.map((part) => part.ref),
    -1,
  );
export const sumLast = (one: Tensor): Tensor => np.sum(one.ref, -1);
export const sumAll = (one: Tensor): Tensor => np.sum(one.ref);
export const relu = (one: Tensor): Tensor => nn.relu(one.ref);
export const tanh = (one: Tensor): Tensor => np.tanh(one.ref);
/** Clamps the input, because the gradient of `sigmoid` in jax-js 0.1.25 is NaN where 32-bit exponentials overflow. */
export const sigmoid = (one: Tensor): Tensor => nn.sigmoid(maximum(minimum(one, SIGMOID_LIMIT), -SIGMOID_LIMIT));
export const exp = (one: Tensor): Tensor => np.exp(one.ref);
export const log = (one: Tensor): Tensor => np.log(one.ref);
export const sqrt = (one: Tensor): Tensor => np.sqrt(one.ref);
export const maximum = (one: Tensor, other: Tensor | number): Tensor => np.maximum(one.ref, reference(other));
export const minimum = (one: Tensor, other: Tensor | number): Tensor => np.minimum(one.ref, reference(other));
export const softmax = (one: Tensor): Tensor => nn.softmax(one.ref, -1);
/** 1 - x. */
export const complement = (one: Tensor): Tensor => np.subtract(1, one.ref);
/** Scales the values along the last axis to mean 0 and variance 1. */
export const standardize = (one: Tensor): Tensor => nn.standardize(one.ref, -1, { epsilon: EPSILON });
export const transposeLast = (one: Tensor): Tensor => np.transpose(one.ref, [0, 2, 1]);
export const oneHotOfLargest = (one: Tensor, size: number): Tensor => nn.oneHot(np.argmax(one.ref, -1), size);
/** 1 for positive values, else 0. */
export const isPositive = (one: Tensor): Tensor => np.where(np.greater(one.ref, 0), 1, 0).astype(np.float32);
/** Selects one step. The shape changes from `[n, steps, width]` to `[n, width]`. */
export const atStep = (one: Tensor, step: number): Tensor => one.ref.slice([], step, []);
/** Selects the columns `from` (inclusive) to `to` (exclusive) of a tensor `[n, width]`. */
export const columns = (one: Tensor, from: number, to: number): Tensor => one.ref.slice([], [from, to]);
export const zeros = (...shape: number[]): Tensor => np.zeros(shape);
export const ones = (...shape: number[]): Tensor => np.ones(shape);
export const constant = (values: readonly number[], ...shape: number[]): Tensor =>
  np.array(Float32Array.from(values)).reshape(shape);
export const tensor = (values: Float32Array, ...shape: number[]): Tensor => np.array(values.slice()).reshape(shape);

/**
 * Inputs of the sigmoid are clamped to ±30. Clamping changes the result by at most about 1e-13, because the
 * sigmoid of 30 is already that close to 1. A 32-bit number near 1 is less precise than that.
 */
const SIGMOID_LIMIT = 30;

/** Repeats each row of the batch: `[b, …]` becomes `[b * times, …]`. */
export function repeated(one: Tensor, times: number): Tensor {
  const [batch = 0, ...rest] = one.shape;
  const spread = np.broadcastTo(one.ref.reshape([batch, 1, ...rest]), [batch, times, ...rest]);
  return spread.reshape([batch * times, ...rest]);
}
