import { describe, expect, test } from 'vitest';
import { reasoningFor, SETTING_DEFAULTS, stepLimit, type PoolWorker } from '../../../../src/core/contract';
import { poolWorker } from '../../../fixtures/run-events';

const real = [poolWorker(0, { kind: 'endpoint' })];
const practice = [poolWorker(0, { kind: 'simulated' }), poolWorker(1, { kind: 'simulated' })];
const limits = (pool: readonly PoolWorker[]) =>
  (['model', 'policy', 'rules'] as const).map((planner) =>
    (['quick', 'balanced', 'thorough'] as const).map((effort) => stepLimit(planner, effort, pool)),
  );

describe('the step limit of an effort', () => {
  test('is lower for a quick run, and without a planning model also for a balanced run', () => {
    expect(limits(real)).toEqual([
      [2, 5, 5],
      [1, 3, 5],
      [1, 3, 5],
    ]);
  });

  test('is higher for the trained policy if all workers except Python and the Conductor are simulated', () => {
    expect(limits(practice)[1]).toEqual([2, 5, 5]);
    expect(limits([...practice, poolWorker(2, { kind: 'python' }), poolWorker(3, { kind: 'conductor' })])[1]).toEqual([
      2, 5, 5,
    ]);
    expect(limits([...practice, ...real])[1]).toEqual([1, 3, 5]);
  });
});

describe('thinking', () => {
  test('is low for a quick run, and the model’s default for a balanced run', () => {
    expect(reasoningFor('quick', 4096)).toBe('low');
    expect(reasoningFor('balanced', 4096)).toBeNull();
  });

  test('is high for a thorough run with an output limit of 8192 tokens, and medium with 4096', () => {
    expect(reasoningFor('thorough', 8192)).toBe('high');
    expect(reasoningFor('thorough', 4096)).toBe('medium');
  });
});

test('the effort defaults to thorough if the setting is missing', () => {
  expect(SETTING_DEFAULTS.effort).toBe('thorough');
});
