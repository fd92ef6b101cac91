import { describe, expect, test } from 'vitest';
import { samplingOf, sameSampling } from '../../../../src/core/contract';

const run = { temperature: 0.2, maxTokens: 4096, seed: 7 };

describe('the sampling of a call', () => {
  test('is the run’s sampling for a worker without its own sampling', () => {
    expect(samplingOf({}, run)).toEqual(run);
  });

  test('prefers the worker’s values to the run’s, field by field', () => {
    const sampling = { maxTokens: 128_000, topP: 0.8, topK: 20, presencePenalty: 1 };
    expect(samplingOf({ sampling }, run)).toEqual({ ...run, ...sampling });
  });

  test('prefers a worker’s temperature of 0 to the temperature of the run', () => {
    expect(samplingOf({ sampling: { temperature: 0 } }, run).temperature).toBe(0);
  });
});

test('two workers have the same sampling if every field is the same', () => {
  expect(sameSampling(undefined, {})).toBe(true);
  expect(sameSampling({ topK: 20 }, { topK: 20 })).toBe(true);
  expect(sameSampling({ topK: 20 }, undefined)).toBe(false);
});
