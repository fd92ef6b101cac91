/**
 * @file Embeds a question without a model download, by hashing words, pairs of words and parts of words into a short vector.
 * Questions of one kind have similar vectors, even if their numbers and names differ. The embedding is based on spelling. When
 * a sentence model is in use, its `QuestionEmbeddings` replace this embedding.
 */
import { mixSeed } from '../contract';
import { cachedByText } from './cached-by-text';

/** Number of dimensions of the vector from `questionEmbedding`. */
export const EMBEDDING_DIMENSION = 256;

/** Maximum length of a text, in characters. Longer texts are truncated. */
const TEXT_LIMIT = 4_000;
const PIECE_LENGTH = 3;
/** Maximum number of cached embeddings. */
const MOST_KEPT = 64;
const WEIGHT = { word: 1, common: 0.25, sign: 0.5, pair: 0.5, piece: 0.3 } as const;

/** Words that say little about the kind of a question. */
const COMMON = new Set(
  ', . a an and are as at be by can do does each for from has have how if in into is it its of on one or that the their there they this to was were what when which who will with you your'.split(
    ' ',
  ),
);

/**
 * The hashed embedding of a question or another short text. The result is the same on every machine. The time is linear in the
 * length of the text. For numbers, only the count of digits matters. Upper and lower case are equivalent, and so are full-width
 * and half-width characters.
 * @returns `EMBEDDING_DIMENSION` numbers with a Euclidean norm of 1. All numbers are 0 for a text without letters, digits or
 * signs. Callers must not change them
 */
export const questionEmbedding: (text: string) => Float32Array = cachedByText(embeddingOf, MOST_KEPT);

function embeddingOf(text: string): Float32Array {
  const vector = new Float32Array(EMBEDDING_DIMENSION);
  for (const [feature, { weight, count }] of featuresOf(text)) {
    const hash = mixSeed(feature);
    const value = weight * (1 + Math.log(count));
    const place = hash % EMBEDDING_DIMENSION;
    // Half of the features are subtracted, so that hash collisions cancel out on average.
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -value : value);
  }
  return normalized(vector);
}

/** The cosine of two embeddings with a Euclidean norm of 1. It is 0 if their numbers of dimensions differ. */
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

/** The words, numbers and single signs of a text. Every digit becomes 0. */
function tokensOf(text: string): readonly string[] {
  const plain = text.slice(0, TEXT_LIMIT).normalize('NFKC').toLowerCase().replace(/\p{N}/gu, '0');
  return plain.match(/\p{L}[\p{L}\p{M}]*|0+|[^\s\p{L}\p{M}0]/gu) ?? [];
}

function normalized(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
