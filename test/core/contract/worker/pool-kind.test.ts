import { describe, expect, it } from 'vitest';
import { poolKind, type PoolKind, type WorkerKind } from '../../../../src/core/contract';

const ROWS: readonly (readonly [PoolKind, readonly WorkerKind[]])[] = [
  ['empty', []],
  ['empty', ['python', 'conductor']],
  ['practice', ['simulated', 'simulated']],
  ['practice', ['simulated', 'python', 'conductor']],
  ['real', ['endpoint']],
  ['real', ['local', 'python', 'conductor']],
  ['mixed', ['simulated', 'endpoint']],
  ['mixed', ['local', 'simulated']],
];

describe('poolKind', () => {
  it.each(ROWS)('returns “%s” for workers of the kinds %j', (expected, kinds) => {
    expect(poolKind(kinds.map((kind) => ({ kind })))).toBe(expected);
  });
});
