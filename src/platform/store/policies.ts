/**
 * @file Stores trained and imported policies, with their weights. A policy is a small model that
 * writes workflows.
 */
import * as z from 'zod/mini';
import type { KeptPolicies, KeptPolicy } from '../../core/contract';
import { keptPolicySchema } from '../../core/contract/model/kept-policy-schema';
import type { Database } from './database';

export function createPolicyStore(database: Database): KeptPolicies {
  return {
    async list() {
      const values = await database.transact(['policies'], 'readonly', (transaction) =>
        transaction.objectStore('policies').getAll(),
      );
      const policies = values.map(read).filter((policy) => policy !== null);
      return policies.toSorted((one, other) => other.madeAt - one.madeAt || (one.id < other.id ? -1 : 1));
    },
    async get(id) {
      const value: unknown = await database.transact(['policies'], 'readonly', (transaction) =>
        transaction.objectStore('policies').get(id),
      );
      return read(value);
    },
    async put(policy) {
      await database.transact(['policies'], 'readwrite', (transaction) =>
        transaction.objectStore('policies').put(policy, policy.id),
      );
    },
    async delete(id) {
      await database.transact(['policies'], 'readwrite', (transaction) =>
        transaction.objectStore('policies').delete(id),
      );
    },
  };
}

/**
 * Returns `null` if the policy is damaged or a later version of Podium wrote it. Such a policy is
 * not deleted.
 */
function read(value: unknown): KeptPolicy | null {
  return z.safeParse(keptPolicySchema, value).data ?? null;
}
