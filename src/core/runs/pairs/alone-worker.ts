/** @file Finds the worker that answers the question of a run alone. */
import type { PoolWorker, Run } from '../../contract';

/** `null`: the question was not drawn, or the worker is no longer in the pool. */
export function aloneWorker({ alone, pool }: Pick<Run, 'alone' | 'pool'>): PoolWorker | null {
  return pool.find(({ id }) => id === alone?.worker) ?? null;
}
