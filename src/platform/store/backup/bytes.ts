/**
 * @file Converts bytes to JSON and back. Each `Uint8Array` in a value becomes an object with the
 * single field `$bytes`, which contains the bytes as base64.
 */
import { fromBase64, toBase64 } from '../../base64';

const NAME = '$bytes';

/** Replaces each `Uint8Array` in a value, at any depth. */
export function packBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [NAME]: toBase64(value) };
  if (Array.isArray(value)) return value.map(packBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, packBytes(inner)]));
}

/**
 * Reverses `packBytes`. Keeps an object with invalid base64 unchanged, so that later validation
 * rejects the object.
 */
export function unpackBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === NAME && typeof first[1] === 'string') return fromBase64(first[1]) ?? value;
  return Object.fromEntries(entries.map(([name, inner]) => [name, unpackBytes(inner)]));
}
