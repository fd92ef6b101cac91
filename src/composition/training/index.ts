/**
 * @file Creates the services of training: the desk that starts the training Web Worker, and the store
 * of policies. Both are lazy-loaded.
 */
import { loadOnce } from '../../core/contract';
import type { PolicyTraining } from '../../app/services';
import { offlineReady } from '../../platform/offline';
import type { Database } from '../../platform/store/database';
import { useOwnPolicies, loadShippedCheckpoint } from '../policy-checkpoint';

/**
 * @param inUse returns the id of the policy in use, if it is one of the user's own policies. `null`: the
 * policy that comes with Podium is in use
 */
export function createTraining(database: Database, inUse: () => string | null): () => Promise<PolicyTraining> {
  const store = loadOnce(async () => (await import('../../platform/store/policies')).createPolicyStore(database));
  useOwnPolicies({ inUse, get: async (id) => (await store()).get(id) });
  return loadOnce(async () => {
    const [kept, { createTrainingDesk }, { parseCheckpoint, readCheckpoint }] = await Promise.all([
      store(),
      import('./desk'),
      import('../../core/policy/checkpoint'),
    ]);
    return {
      desk: createTrainingDesk({ ready: offlineReady }),
      kept,
      shipped: loadShippedCheckpoint,
      read: (file) => (readCheckpoint(file) ? parseCheckpoint(file) : null),
    };
  });
}
