/** @file Tests that checkpoints store weights in half precision, and that invalid checkpoint files are rejected. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/contract';
import { initialParameters, PARAMETER_NAMES } from '../../../src/core/policy/parameters';
import { fromHalf, readCheckpoint, toHalf, writeCheckpoint } from '../../../src/core/policy/checkpoint';

describe('half precision', () => {
  it('round-trips every finite 16-bit float', () => {
    for (let half = 0; half < 0x10000; half++) {
      const isFiniteHalf = (half & 0x7c00) !== 0x7c00;
      if (isFiniteHalf) expect(toHalf(fromHalf(half))).toBe(half);
    }
  });

  it('rounds to the nearest 16-bit float, and large numbers to the largest finite one', () => {
    const random = seededRandom(2);
    for (let draw = 0; draw < 2_000; draw++) {
      const value = (random() - 0.5) * 10 ** (6 * random() - 3);
      const half = fromHalf(toHalf(value));
      expect(Math.abs(half - value)).toBeLessThanOrEqual(Math.max(2 ** -25, Math.abs(value) * 2 ** -11) * 1.0001);
    }
    expect(fromHalf(toHalf(1e9))).toBe(65_504);
  });
});

describe('a checkpoint', () => {
  const parameters = initialParameters({ width: 8 }, seededRandom(1));
  const checkpoint = writeCheckpoint(parameters, 'test');

  it('round-trips through JSON, except that weights are rounded to half precision', () => {
    const read = readCheckpoint(JSON.parse(JSON.stringify(checkpoint)));
    expect(read?.revision).toBe('test');
    for (const name of PARAMETER_NAMES) {
      const { values } = parameters[name];
      const [again = new Float32Array()] = [read?.parameters[name].values];
      expect(again.length).toBe(values.length);
      for (const [index, value] of values.entries()) expect(again[index]).toBeCloseTo(value, 2);
    }
    expect(read && writeCheckpoint(read.parameters, 'test')).toEqual(checkpoint);
  });

  it.each([
    ['no content', null],
    ['another format', { ...checkpoint, format: 'other' }],
    ['truncated weights', { ...checkpoint, weights: checkpoint.weights.slice(0, -4) }],
    ['another network size', { ...checkpoint, width: 9 }],
    ['invalid base64', { ...checkpoint, weights: `!${checkpoint.weights.slice(1)}` }],
    ['no revision', { ...checkpoint, revision: '' }],
    ['a revision that is too long', { ...checkpoint, revision: 'a'.repeat(201) }],
    ['another number of worker features', { ...checkpoint, workerFeatures: 3 }],
  ])('rejects a file with %s', (_, file) => {
    expect(readCheckpoint(file)).toBeNull();
  });
});
