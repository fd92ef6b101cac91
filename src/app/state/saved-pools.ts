/** @file Saved pools: which of their workers can be chosen, and which saved pool is in use. */
import type { PoolWorker, SavedPool } from '../../core/contract';

/**
 * The ids of a pool's workers that can be chosen. Leaves out workers that were removed or are not confirmed yet. Keeps models in
 * the browser, because they may only be unloaded.
 */
export function choosable(ids: readonly string[], all: readonly Pick<PoolWorker, 'id'>[]): readonly string[] {
  return ids.filter((id) => id.startsWith('local:') || all.some((worker) => worker.id === id));
}

/** The saved pool whose workers are the chosen ones. `undefined`: none. @param chosen ids of the pool in use */
export function savedPoolInUse(
  saved: readonly SavedPool[],
  chosen: readonly string[],
  all: readonly Pick<PoolWorker, 'id'>[],
): SavedPool | undefined {
  const inUse = new Set(choosable(chosen, all));
  return saved.find(({ workers }) => {
    const ids = new Set(choosable(workers, all));
    return ids.size > 0 && ids.size === inUse.size && [...ids].every((id) => inUse.has(id));
  });
}
