/**
 * @file Tests embeddings with a tiny encoder whose weights are random. The embeddings have no meaning, but equal texts get equal
 * embeddings.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { similarity } from '../../../../src/core/analysis/question-embedding';
import type { SentenceEngine } from '../../../../src/platform/engine/sentence/loader';
import { load, modelOf } from './models';

const TEXTS = [
  'What is 2 + 2?',
  '',
  'Why does ice float on water?',
  'write the plan '.repeat(30),
  'Übersetze: 我喜欢茶 🍵',
  'What is 2 + 2?',
  ...Array.from({ length: 40 }, (_, index) => `Check step ${index} `.repeat(1 + (index % 7))),
];

const unstopped = new AbortController().signal;
let engine: SentenceEngine;
let placed: readonly Float32Array[];

beforeAll(async () => {
  engine = await load(modelOf('plain')).engine;
  placed = await engine.embed(TEXTS, unstopped);
}, 180_000);

afterAll(() => engine?.dispose());

async function placeOf(text: string): Promise<Float32Array> {
  const [vector] = await engine.embed([text], unstopped);
  if (!vector) throw new Error('The text was left out.');
  return vector;
}

const furthest = (one: Float32Array, other: Float32Array | undefined) =>
  Math.max(...one.map((number, index) => Math.abs(number - (other?.[index] ?? Number.NaN))));

describe('embeddings', () => {
  it('have 32 dimensions and a Euclidean norm of 1', () => {
    expect(placed).toHaveLength(TEXTS.length);
    for (const vector of placed) {
      expect(vector).toHaveLength(32);
      expect(similarity(vector, vector)).toBeCloseTo(1, 4);
    }
  });

  it('are equal for equal texts and different for different texts', () => {
    expect(placed[5]).toEqual(placed[0]);
    expect(furthest(placed[0] ?? new Float32Array(), placed[2])).toBeGreaterThan(0.05);
  });

  /**
   * The test model has 32-bit weights, so padding has almost no effect. A model with 8-bit weights may return slightly
   * different vectors in different batches.
   */
  it('do not depend on the padding in a batch', async () => {
    for (const [index, text] of TEXTS.slice(0, 12).entries()) {
      expect(furthest(await placeOf(text), placed[index])).toBeLessThan(1e-4);
    }
  });

  it('depend only on the beginning of a long text', async () => {
    const long = 'name the unknowns '.repeat(100);
    expect(await placeOf(`${long} and then decide`)).toEqual(await placeOf(`${long} or begin again`));
    expect(await placeOf('x'.repeat(100_000))).toHaveLength(32);
  });

  it('are an empty list if there are no texts', async () => {
    expect(await engine.embed([], unstopped)).toEqual([]);
  });

  it('are returned in the order of the texts', async () => {
    // The engine processes the shortest text first.
    const texts = [
      'Read the problem twice, then say what is asked.',
      'Try small cases.',
      'Read it twice, and then again.',
    ];
    const alone = await Promise.all(texts.map(placeOf));
    const together = await engine.embed(texts, unstopped);
    for (const [index, vector] of alone.entries()) {
      expect(furthest(vector, together[index])).toBeLessThan(1e-4);
      expect(furthest(vector, together[(index + 1) % texts.length])).toBeGreaterThan(0.01);
    }
  });
});
