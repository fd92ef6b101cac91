/** @file Whether a pool is for practice, real or mixed. */
import type { PoolWorker } from './worker';

/**
 * - `empty`: no worker that can answer by itself
 * - `practice`: simulated workers only
 * - `real`: real workers only
 * - `mixed`: both
 */
export type PoolKind = 'empty' | 'practice' | 'real' | 'mixed';

/** Whether the worker is a model. Simulated workers, tools and the Conductor's own entry are not. */
export function isReal({ kind }: Pick<PoolWorker, 'kind'>): boolean {
  return kind === 'endpoint' || kind === 'local';
}

/** The kind of a pool. Tools and the Conductor's own entry don't count. */
export function poolKind(pool: readonly Pick<PoolWorker, 'kind'>[]): PoolKind {
  const hasSimulated = pool.some(({ kind }) => kind === 'simulated');
  const hasReal = pool.some(isReal);
  if (hasReal) return hasSimulated ? 'mixed' : 'real';
  return hasSimulated ? 'practice' : 'empty';
}
