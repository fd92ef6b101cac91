/**
 * @file Reads and writes checkpoints, the files with the policy's weights. A checkpoint has the weights as 16-bit
 * floats in base64, and the sizes of the network and its inputs.
 */
import * as z from 'zod/mini';
import { QUESTION_FEATURES, WORKER_FEATURES } from './features';
import { MOVES } from './moves';
import { forEachParameter, PARAMETER_NAMES, parameterShapes, type Matrix, type Parameters } from './parameters';

const Checkpoint = z.object({
  format: z.literal('podium-policy'),
  version: z.literal(1),
  /** Identifies the weights. Each checkpoint of each training run has its own revision. */
  revision: z.string().check(z.minLength(1), z.maxLength(200)),
  width: z.number(),
  questionFeatures: z.literal(QUESTION_FEATURES),
  workerFeatures: z.literal(WORKER_FEATURES),
  moves: z.number(),
  /** All parameters in the order of `PARAMETER_NAMES`, row by row, as little-endian 16-bit floats in base64. */
  weights: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Packs weights into a checkpoint. Each number is rounded to a 16-bit float, which has 11 significant bits. */
export function writeCheckpoint(parameters: Parameters, revision: string): Checkpoint {
  const values = PARAMETER_NAMES.flatMap((name) => [...parameters[name].values]);
  const bytes = new Uint8Array(values.length * 2);
  for (const [index, value] of values.entries()) {
    const half = toHalf(value);
    bytes[2 * index] = half & 0xff;
    bytes[2 * index + 1] = half >>> 8;
  }
  return {
    format: 'podium-policy',
    version: 1,
    revision,
    width: parameters.start.columns,
    questionFeatures: QUESTION_FEATURES,
    workerFeatures: WORKER_FEATURES,
    moves: MOVES.length,
    weights: toBase64(bytes),
  };
}

/** Validates all fields of a file except `weights`. Returns `null` if the file is not a checkpoint of this network. */
export function parseCheckpoint(file: unknown): Checkpoint | null {
  const read = Checkpoint.safeParse(file);
  return read.success && read.data.moves === MOVES.length ? read.data : null;
}

/** Validates a file and unpacks its weights. Returns `null` if the file is not a checkpoint of this network. */
export function readCheckpoint(file: unknown): { readonly parameters: Parameters; readonly revision: string } | null {
  const read = parseCheckpoint(file);
  if (!read) return null;
  const { width, weights, revision } = read;
  const shapes = parameterShapes({ width });
  const count = PARAMETER_NAMES.reduce((sum, name) => sum + shapes[name][0] * shapes[name][1], 0);
  const bytes = fromBase64(weights);
  if (bytes?.length !== 2 * count) return null;
  let at = 0;
  const matrices = new Map<string, Matrix>();
  for (const name of PARAMETER_NAMES) {
    const [rows, columns] = shapes[name];
    const values = Float32Array.from({ length: rows * columns }, (_, index) => {
      const place = 2 * (at + index);
      return fromHalf((bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8));
    });
    at += values.length;
    matrices.set(name, { rows, columns, values });
  }
  return {
    revision,
    parameters: forEachParameter((name) => matrices.get(name) ?? { rows: 0, columns: 0, values: new Float32Array() }),
  };
}

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/**
 * Returns the bits of the nearest 16-bit float (IEEE 754 binary16). Rounds ties away from zero, and clamps values out
 * of range.
 */
export function toHalf(value: number): number {
  FLOAT[0] = Math.min(65_504, Math.max(-65_504, value));
  const bits = BITS[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  const fraction = (bits & 0x7fffff) | 0x800000;
  if (exponent >= 1) {
    const rounded = (exponent << 10) + ((((bits & 0x7fffff) >>> 12) + 1) >>> 1);
    return sign | Math.min(rounded, 0x7bff);
  }
  return exponent < -10 ? sign : sign | (((fraction >>> (13 - exponent)) + 1) >>> 1);
}

/** Converts the bits of a 16-bit float to a number. */
export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET[(three >>> shift) & 63] ?? '').join('');
    const left = bytes.length - at;
    text += left >= 3 ? letters : letters.slice(0, left + 1).padEnd(4, '=');
  }
  return text;
}

/** Returns `null` if the text is not valid base64. */
function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let at = 0; at < text.length; at += 4) {
    let four = 0;
    for (let letter = at; letter < at + 4; letter++) {
      const value = text[letter] === '=' ? 0 : ALPHABET.indexOf(text[letter] ?? '');
      if (value < 0) return null;
      four = (four << 6) | value;
    }
    const to = (at / 4) * 3;
    for (let byte = 0; byte < 3 && to + byte < bytes.length; byte++)
      bytes[to + byte] = (four >>> (16 - 8 * byte)) & 0xff;
  }
  return bytes;
}
