/**
 * @file The few tensor operations the network is made of, over jax-js. Each takes its own reference to what it reads, so that
 * nothing is consumed: what is traced inside `jit` needs no other bookkeeping.
 */
import { nn, numpy as np, type Array as Tensor } from '@jax-js/jax';

export type { Tensor };

const own = (value: Tensor | number) => (typeof value === 'number' ? value : value.ref);

export const add = (one: Tensor, other: Tensor | number): Tensor => np.add(one.ref, own(other));
export const subtract = (one: Tensor, other: Tensor | number): Tensor => np.subtract(one.ref, own(other));
export const multiply = (one: Tensor, other: Tensor | number): Tensor => np.multiply(one.ref, own(other));
export const divide = (one: Tensor, other: Tensor | number): Tensor => np.divide(one.ref, own(other));
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
/** Held away from where 32-bit exponentials overflow: there jax-js 0.1.25 gives the gradient of `sigmoid` as NaN. */
export const sigmoid = (one: Tensor): Tensor => nn.sigmoid(maximum(minimum(one, STEEPEST), -STEEPEST));
export const exp = (one: Tensor): Tensor => np.exp(one.ref);
export const log = (one: Tensor): Tensor => np.log(one.ref);
export const sqrt = (one: Tensor): Tensor => np.sqrt(one.ref);
export const maximum = (one: Tensor, other: Tensor | number): Tensor => np.maximum(one.ref, own(other));
export const minimum = (one: Tensor, other: Tensor | number): Tensor => np.minimum(one.ref, own(other));
export const softmax = (one: Tensor): Tensor => nn.softmax(one.ref, -1);
/** 1 - x. */
export const complement = (one: Tensor): Tensor => np.subtract(1, one.ref);
/** Mean 0 and variance 1 along the last axis. */
export const standardize = (one: Tensor): Tensor => nn.standardize(one.ref, -1, { epsilon: EPSILON });
export const transposeLast = (one: Tensor): Tensor => np.transpose(one.ref, [0, 2, 1]);
export const oneHotOfLargest = (one: Tensor, size: number): Tensor => nn.oneHot(np.argmax(one.ref, -1), size);
/** 1 where positive, else 0. */
export const isPositive = (one: Tensor): Tensor => np.where(np.greater(one.ref, 0), 1, 0).astype(np.float32);
/** `[n, steps, width]` at one step: `[n, width]`. */
export const atStep = (one: Tensor, step: number): Tensor => one.ref.slice([], step, []);
/** `[n, width]` from one column up to another: `[n, to - from]`. */
export const columns = (one: Tensor, from: number, to: number): Tensor => one.ref.slice([], [from, to]);
export const zeros = (...shape: number[]): Tensor => np.zeros(shape);
export const ones = (...shape: number[]): Tensor => np.ones(shape);
export const constant = (values: readonly number[], ...shape: number[]): Tensor =>
  np.array(Float32Array.from(values)).reshape(shape);
export const tensor = (values: Float32Array, ...shape: number[]): Tensor => np.array(values.slice()).reshape(shape);

/** Beyond it a sigmoid is 0 or 1 in 32 bits, as good as. */
const STEEPEST = 30;

/** Beneath the variance when standardizing. */
export const EPSILON = 1e-5;

/** Each of the batch's rows `times` over: `[b, …]` becomes `[b * times, …]`. */
export function repeated(one: Tensor, times: number): Tensor {
  const [batch = 0, ...rest] = one.shape;
  const spread = np.broadcastTo(one.ref.reshape([batch, 1, ...rest]), [batch, times, ...rest]);
  return spread.reshape([batch * times, ...rest]);
}
