/**
 * @file The arithmetic of the network in plain arrays. Several vectors are stored one after the other in one array. The loops use
 * indexes, because iterators and callbacks are slower.
 */
import type { Matrix } from './parameters';

/** Added to a variance before its square root is taken. Prevents a division by 0. Training uses the same value. */
export const EPSILON = 1e-5;

/** Multiplies each vector with the matrix. */
export function product(vectors: Float32Array, matrix: Matrix): Float32Array {
  const { rows, columns, values } = matrix;
  const count = vectors.length / rows;
  const result = new Float32Array(count * columns);
  for (let vector = 0; vector < count; vector++) {
    const to = vector * columns;
    for (let row = 0; row < rows; row++) {
      const factor = vectors[vector * rows + row] ?? 0;
      if (factor !== 0) addScaled(result, to, values, row * columns, columns, factor);
    }
  }
  return result;
}

/**
 * Multiplies `length` numbers of `values` by `factor`, and adds them to `sum` in place.
 * @param from index of the first number in `values`
 * @param to index in `sum` to which the first number is added
 */
export function addScaled(
  sum: Float32Array,
  to: number,
  values: Float32Array,
  from: number,
  length: number,
  factor: number,
): void {
  for (let index = 0; index < length; index++) {
    sum[to + index] = (sum[to + index] ?? 0) + factor * (values[from + index] ?? 0);
  }
}

/** Adds `other` to each vector. */
export function plus(vectors: Float32Array, other: Float32Array): Float32Array {
  const result = new Float32Array(vectors.length);
  const width = other.length;
  for (let start = 0; start < vectors.length; start += width) {
    for (let index = 0; index < width; index++) {
      result[start + index] = (vectors[start + index] ?? 0) + (other[index] ?? 0);
    }
  }
  return result;
}

export function relu(vectors: Float32Array): Float32Array {
  const result = new Float32Array(vectors.length);
  for (let index = 0; index < vectors.length; index++) result[index] = Math.max(0, vectors[index] ?? 0);
  return result;
}

export function tanh(vectors: Float32Array): Float32Array {
  const result = new Float32Array(vectors.length);
  for (let index = 0; index < vectors.length; index++) result[index] = Math.tanh(vectors[index] ?? 0);
  return result;
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** Normalizes each vector to mean 0 and variance 1. */
export function standardized(vectors: Float32Array, width: number): Float32Array {
  const result = new Float32Array(vectors.length);
  for (let start = 0; start < vectors.length; start += width) {
    const end = start + width;
    let mean = 0;
    for (let index = start; index < end; index++) mean += (vectors[index] ?? 0) / width;
    let variance = 0;
    for (let index = start; index < end; index++) variance += ((vectors[index] ?? 0) - mean) ** 2 / width;
    const scale = 1 / Math.sqrt(variance + EPSILON);
    for (let index = start; index < end; index++) result[index] = ((vectors[index] ?? 0) - mean) * scale;
  }
  return result;
}

/** Probabilities from logits. Options that are not allowed get 0. */
export function softmax(logits: readonly number[], allowed: readonly boolean[]): number[] {
  const largest = Math.max(...logits.filter((_, index) => allowed[index]));
  const powers = logits.map((logit, index) => (allowed[index] ? Math.exp(logit - largest) : 0));
  const sum = powers.reduce((total, each) => total + each, 0);
  return powers.map((each) => each / sum);
}

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
