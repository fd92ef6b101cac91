/**
 * @file Packs unit vectors, so that a number takes one byte instead of four. Size matters, because a browser may store the
 * vectors of 100,000 questions. Packing changes the similarity of two vectors by about 0.001.
 */
import { isUnitVector } from '../../core/contract';

export type PackedVector = Int8Array<ArrayBuffer>;

const LARGEST = 127;

/** Returns `null` if the vector is not a unit vector. */
export function packVector(vector: Float32Array): PackedVector | null {
  if (!isUnitVector(vector)) return null;
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  return Int8Array.from(vector, (each) => Math.round((each / largest) * LARGEST));
}

/** Reads a stored vector. Returns `null` if it is missing or damaged, or if an older version of Podium stored it. */
export function readPacked(value: unknown): PackedVector | null {
  return value instanceof Int8Array && value.some((each) => each !== 0) ? new Int8Array(value) : null;
}

/** Returns a unit vector. */
export function unpackVector(packed: PackedVector): Float32Array {
  const length = Math.sqrt(packed.reduce((sum, each) => sum + each * each, 0));
  return Float32Array.from(packed, (each) => each / length);
}
