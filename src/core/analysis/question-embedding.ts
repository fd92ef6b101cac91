/**
 * @file Places a question among others without a download: words, pairs of words and pieces of words are hashed into a short
 * vector. Questions of one kind come to lie close to each other, whatever numbers and names they hold. It knows spelling, not
 * meaning; where a sentence model is in use, its `QuestionEmbeddings` tell the likeness of questions instead.
 */
import { mixSeed } from '../contract';

/** Length of the vector that `questionEmbedding` gives. */
export const EMBEDDING_DIMENSION = 256;

/** A text is read up to here, so that time is bounded. Characters. */
const TEXT_LIMIT = 4_000;
const PIECE_LENGTH = 3;
const WEIGHT = { word: 1, common: 0.25, sign: 0.5, pair: 0.5, piece: 0.3 } as const;

/** Words that every question has say little of its kind. */
const COMMON = new Set(
  ', . a an and are as at be by can do does each for from has have how if in into is it its of on one or that the their there they this to was were what when which who will with you your'.split(
    ' ',
  ),
);

/**
 * The hashed embedding of a question, or of any other short text. Deterministic on every machine; linear in the text. Digits count
 * by their number only, case and width of letters not at all.
 * @returns `EMBEDDING_DIMENSION` numbers of Euclidean length 1, all 0 for a text without letters, digits or signs
 */
export function questionEmbedding(text: string): Float32Array {
  const vector = new Float32Array(EMBEDDING_DIMENSION);
  for (const [feature, { weight, count }] of featuresOf(text)) {
    const hash = mixSeed(feature);
    const value = weight * (1 + Math.log(count));
    const place = hash % EMBEDDING_DIMENSION;
    // Half of the features count downwards, so that those that share a place do not add up to a likeness.
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -value : value);
  }
  return normalised(vector);
}

/** How alike two texts are, -1 to 1: the cosine of their embeddings. Vectors of different lengths are not alike: 0. */
export function similarity(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0;
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return Math.min(1, Math.max(-1, sum));
}

interface Counted {
  readonly weight: number;
  count: number;
}

function featuresOf(text: string): Map<string, Counted> {
  const features = new Map<string, Counted>();
  const add = (feature: string, weight: number) => {
    const counted = features.get(feature);
    if (counted) counted.count += 1;
    else features.set(feature, { weight, count: 1 });
  };
  let before = '';
  for (const token of tokensOf(text)) {
    const isCommon = COMMON.has(token);
    const isWord = /^[\p{L}0]/u.test(token);
    add(`word ${token}`, isCommon ? WEIGHT.common : isWord ? WEIGHT.word : WEIGHT.sign);
    if (before !== '') add(`pair ${before} ${token}`, isCommon && COMMON.has(before) ? WEIGHT.common : WEIGHT.pair);
    if (isWord && !isCommon) {
      const padded = `^${token}$`;
      for (let at = 0; at + PIECE_LENGTH <= padded.length; at++) {
        add(`piece ${padded.slice(at, at + PIECE_LENGTH)}`, WEIGHT.piece);
      }
    }
    before = token;
  }
  return features;
}

/** Words, numbers (as so many zeros) and single signs. */
function tokensOf(text: string): readonly string[] {
  const plain = text.slice(0, TEXT_LIMIT).normalize('NFKC').toLowerCase().replace(/\p{N}/gu, '0');
  return plain.match(/\p{L}[\p{L}\p{M}]*|0+|[^\s\p{L}\p{M}0]/gu) ?? [];
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
