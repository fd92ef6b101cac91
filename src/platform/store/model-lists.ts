/** @file Stores the list of models that each connection's server returned last. */
import * as z from 'zod/mini';
import type { ModelList, ModelLists } from '../../core/contract';
import { amount, name, price, text } from '../../core/contract/storage/schema-parts';
import type { Database } from './database';

const optional = <Shape extends z.ZodMiniType>(shape: Shape) => z.catch(z.optional(shape), undefined);
const listed = z.object({
  id: name,
  price: optional(price),
  canSee: optional(z.boolean()),
  contextWindow: optional(amount),
  maxOutput: optional(amount),
  parameters: optional(z.array(text)),
  isSilent: optional(z.boolean()),
});
const modelList = z.object({ connection: name, baseUrl: optional(text), at: z.number(), models: z.array(listed) });

/** `null` if the stored list can't be read. */
function read(value: unknown): ModelList | null {
  return z.safeParse(modelList, value).data ?? null;
}

export function createModelLists(database: Database): ModelLists {
  return {
    async read(connection) {
      const value = await database.transact(['modelLists'], 'readonly', (transaction) =>
        transaction.objectStore('modelLists').get(connection),
      );
      return read(value);
    },
    async put(list) {
      await database.transact(['modelLists'], 'readwrite', (transaction) =>
        transaction.objectStore('modelLists').put(list, list.connection),
      );
    },
  };
}
