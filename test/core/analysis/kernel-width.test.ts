import { describe, expect, it } from 'vitest';
import { questionEmbedding } from '../../../src/core/analysis';
import { kernelWidthOf, UNLIKE_QUESTIONS } from '../../../src/core/analysis/kernel-width';

describe('kernelWidthOf', () => {
  it('returns a width of about 0.15 for the hashed embedding', () => {
    expect(kernelWidthOf(UNLIKE_QUESTIONS.map(questionEmbedding))).toBeCloseTo(0.15, 2);
  });

  it('returns the width that gives two unrelated questions a weight of 1/600, whatever their cosine', () => {
    const shifted = [0.2, 0.5, 0.9].map((cosine) => {
      // The cosine of these two vectors is `cosine`.
      const vectors = [Float32Array.of(1, 0), Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2))];
      return Math.exp((cosine - 1) / kernelWidthOf(vectors));
    });
    for (const weight of shifted) expect(weight).toBeCloseTo(1 / 600, 6);
  });

  it('returns a positive width for equal vectors, and for an empty list of vectors', () => {
    expect(kernelWidthOf([Float32Array.of(1), Float32Array.of(1)])).toBe(0.01);
    expect(kernelWidthOf([])).toBeGreaterThan(0);
  });

  it('returns a width between 0 and 1 for vectors with NaN or infinity', () => {
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

  it('gets the vectors of 24 distinct questions in Podium', () => {
    expect(new Set(UNLIKE_QUESTIONS).size).toBe(24);
  });
});
