import { describe, expect, it } from 'vitest';
import { estimate } from '../../../../src/core/training/evaluation/trial';

describe('estimate', () => {
  it('returns the mean and its 95 % interval by the normal approximation', () => {
    const { mean, low, high } = estimate([
      ...Array.from({ length: 60 }, () => 1),
      ...Array.from({ length: 40 }, () => 0),
    ]);
    expect(mean).toBeCloseTo(0.6);
    expect(high - mean).toBeCloseTo(1.96 * Math.sqrt((0.6 * 0.4) / 99), 5);
    expect(mean - low).toBeCloseTo(high - mean, 10);
  });
});
