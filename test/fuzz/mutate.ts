/** @file Damages files at random. The same seed gives the same damage. */
import { randomIndex, type Random } from '../../src/core/contract';

/** Bytes that are often at the edge of a format's rules. */
const EDGES = [0x00, 0x01, 0x0a, 0x22, 0x2c, 0x5b, 0x7b, 0x7f, 0x80, 0xc2, 0xfe, 0xff];
const TEXTS = [
  '"',
  '\\',
  '[',
  '{"a":',
  '__proto__',
  '1e999',
  '-0',
  '\ufeff',
  '\0',
  '\r',
  ',',
  ';',
  'null',
  '\ud83d\ude00',
];

type Mutator = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const MUTATORS: readonly Mutator[] = [
  // Flips a bit.
  (bytes, random) => changed(bytes, random, (byte) => byte ^ (1 << randomIndex(random, 8))),
  // Replaces a byte.
  (bytes, random) => changed(bytes, random, () => randomIndex(random, 256)),
  (bytes, random) => changed(bytes, random, () => EDGES[randomIndex(random, EDGES.length)] ?? 0),
  // Overwrites several bytes, such as a length.
  (bytes, random) => {
    const start = randomIndex(random, bytes.length);
    return bytes.slice().fill(random() < 0.5 ? 0xff : 0, start, start + 1 + randomIndex(random, 8));
  },
  // Cuts the file off.
  (bytes, random) => bytes.slice(0, randomIndex(random, bytes.length)),
  // Removes a part.
  (bytes, random) => {
    const { start, end } = partOf(bytes, random, 64);
    return joined(bytes.subarray(0, start), bytes.subarray(end));
  },
  // Repeats a part.
  (bytes, random) => {
    const { start, end } = partOf(bytes, random, 64);
    const part = bytes.subarray(start, end);
    const copies = Array.from({ length: 1 + randomIndex(random, random() < 0.1 ? 2000 : 3) }, () => part);
    return joined(bytes.subarray(0, end), ...copies, bytes.subarray(end));
  },
  // Inserts a text, once or thousands of times.
  (bytes, random) => {
    const at = randomIndex(random, bytes.length + 1);
    const text = (TEXTS[randomIndex(random, TEXTS.length)] ?? '').repeat(random() < 0.1 ? 20_000 : 1);
    return joined(bytes.subarray(0, at), new TextEncoder().encode(text), bytes.subarray(at));
  },
  // Continues with another file.
  (bytes, random, other) =>
    joined(bytes.subarray(0, randomIndex(random, bytes.length)), other.subarray(randomIndex(random, other.length))),
];

/** Damages a file in one to four ways. @param other another file, from which parts can be taken */
export function mutated(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let result = bytes;
  for (let left = 1 + randomIndex(random, 4); left > 0 && result.length > 0; left--) {
    result = MUTATORS[randomIndex(random, MUTATORS.length)]?.(result, random, other) ?? result;
  }
  return Uint8Array.from(result);
}

function changed(bytes: Uint8Array, random: Random, change: (byte: number) => number): Uint8Array {
  const copy = bytes.slice();
  const at = randomIndex(random, bytes.length);
  copy[at] = change(copy[at] ?? 0);
  return copy;
}

function partOf(bytes: Uint8Array, random: Random, most: number): { readonly start: number; readonly end: number } {
  const start = randomIndex(random, bytes.length);
  return { start, end: Math.min(bytes.length, start + 1 + randomIndex(random, most)) };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
