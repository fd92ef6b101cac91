import { describe, expect, it } from 'vitest';
import { questionEmbedding } from '../../../src/core/analysis';
import { kernelWidthOf, UNLIKE_QUESTIONS } from '../../../src/core/analysis/kernel-width';

describe('kernelWidthOf', () => {
  it('gives the hashed embedding the width that was chosen for it by error', () => {
    expect(kernelWidthOf(UNLIKE_QUESTIONS.map(questionEmbedding))).toBeCloseTo(0.15, 2);
  });

  it('lets an unlike question count 1 in 600, however alike the model finds all', () => {
    const shifted = [0.2, 0.5, 0.9].map((cosine) => {
      // Two vectors at that cosine.
      const vectors = [Float32Array.of(1, 0), Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2))];
      return Math.exp((cosine - 1) / kernelWidthOf(vectors));
    });
    for (const weight of shifted) expect(weight).toBeCloseTo(1 / 600, 6);
  });

  it('stays above nothing for a model that finds everything the same', () => {
    expect(kernelWidthOf([Float32Array.of(1), Float32Array.of(1)])).toBe(0.01);
    expect(kernelWidthOf([])).toBeGreaterThan(0);
  });

  it('is a number whatever the vectors hold', () => {
    const damaged = [
      Float32Array.of(Number.NaN, 1),
      Float32Array.of(1, 0),
      Float32Array.of(Number.POSITIVE_INFINITY, 0),
    ];
    for (const vectors of [damaged, damaged.slice(0, 1), damaged.slice(0, 2)]) {
      expect(kernelWidthOf(vectors)).toBeGreaterThan(0);
      expect(kernelWidthOf(vectors)).toBeLessThan(1);
    }
  });

  it('asks about questions that are all different', () => {
    expect(new Set(UNLIKE_QUESTIONS).size).toBe(24);
  });
});
