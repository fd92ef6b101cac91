/** @file Whether the workers of a pool are simulated, real or both. */
import type { PoolWorker } from './worker';

/**
 * - `empty`: neither simulated nor real workers
 * - `practice`: simulated workers, but no real workers
 * - `real`: real workers, but no simulated workers
 * - `mixed`: both
 */
export type PoolKind = 'empty' | 'practice' | 'real' | 'mixed';

/** Whether calls to the worker go to a model. */
export function isReal({ kind }: Pick<PoolWorker, 'kind'>): boolean {
  return kind === 'endpoint' || kind === 'local';
}

/** The kind of a pool. Workers that are neither simulated nor real don't count, such as tools. */
export function poolKind(pool: readonly Pick<PoolWorker, 'kind'>[]): PoolKind {
  const hasSimulated = pool.some(({ kind }) => kind === 'simulated');
  const hasReal = pool.some(isReal);
  if (hasReal) return hasSimulated ? 'mixed' : 'real';
  return hasSimulated ? 'practice' : 'empty';
}
