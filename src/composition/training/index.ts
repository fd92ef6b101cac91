/**
 * @file Composes the training services of the page when they are first needed: the training Web Worker and the store of
 * policies.
 */
import { loadOnce } from '../../core/contract';
import type { PolicyTraining } from '../../app/services';
import { offlineReady } from '../../platform/offline';
import type { Database } from '../../platform/store/database';
import { useOwnPolicies, loadShippedCheckpoint } from '../policy-checkpoint';

/**
 * @param inUse returns the id of the user's policy in use, from the current preferences. `null`: the policy that comes with
 *   Podium
 */
export function createTraining(database: Database, inUse: () => string | null): () => Promise<PolicyTraining> {
  const store = loadOnce(async () => (await import('../../platform/store/policies')).createPolicyStore(database));
  useOwnPolicies({ inUse, get: async (id) => (await store()).get(id) });
  return loadOnce(async () => {
    const [kept, { createTrainingDesk }, { parseCheckpoint, readCheckpoint }] = await Promise.all([
      store(),
      import('./desk'),
      import('../../core/policy'),
    ]);
    return {
      desk: createTrainingDesk({ ready: offlineReady }),
      kept,
      shipped: loadShippedCheckpoint,
      read: (file) => (readCheckpoint(file) ? parseCheckpoint(file) : null),
    };
  });
}
