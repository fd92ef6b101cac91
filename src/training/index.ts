/** @file Training for the page: the Worker's desk and the policies that are kept, put together when they are first needed. */
import type { TrainingServices } from '../app/services';
import { once } from '../once';
import { whenKept } from '../platform/offline';
import type { Database } from '../platform/store/database';
import { giveOutOwnPolicies, loadShippedCheckpoint } from '../policy-source';

/** @param inUse id of the user's own policy that is in use, as the preferences have it now */
export function createTraining(database: Database, inUse: () => string | null): () => Promise<TrainingServices> {
  const store = once(async () => (await import('../platform/store/policies')).createPolicyStore(database));
  giveOutOwnPolicies({ inUse, get: async (id) => (await store()).get(id) });
  return once(async () => {
    const [kept, { createTrainingDesk }, { parseCheckpoint, readCheckpoint }] = await Promise.all([
      store(),
      import('./desk'),
      import('../core/policy'),
    ]);
    return {
      desk: createTrainingDesk({ ready: whenKept }),
      kept,
      shipped: loadShippedCheckpoint,
      read: (file) => (readCheckpoint(file) ? parseCheckpoint(file) : null),
    };
  });
}
