/** @file Reads a large object store page by page, so that the whole store is never in memory at once. */
import type { StoreKey, StoreValue } from 'idb';
import type { Database, StoreName } from './database';
import type { PodiumSchema } from './migrations';

const PAGE = 500;

interface Entry<Name extends StoreName> {
  readonly key: StoreKey<PodiumSchema, Name>;
  readonly value: StoreValue<PodiumSchema, Name>;
}

/**
 * @param range `null` for all records
 * @param page the maximum number of records in a page
 * @yields pages of at least one record, in the order of the keys
 */
export async function* pagesOf<Name extends StoreName>(
  database: Database,
  name: Name,
  range: IDBKeyRange | null,
  page = PAGE,
): AsyncGenerator<readonly Entry<Name>[], void, undefined> {
  const names: Name[] = [name];
  for (let rest = range; ;) {
    const entries = await database.transact(names, 'readonly', async (transaction) => {
      const store = transaction.objectStore(name);
      const [keys, values] = await Promise.all([store.getAllKeys(rest, page), store.getAll(rest, page)]);
      return keys.flatMap((key, index): Entry<Name>[] => {
        const value = values[index];
        return value === undefined ? [] : [{ key, value }];
      });
    });
    if (entries.length > 0) yield entries;
    const last = entries.at(-1);
    if (!last || entries.length < page) return;
    rest = range
      ? IDBKeyRange.bound(last.key, range.upper, true, range.upperOpen)
      : IDBKeyRange.lowerBound(last.key, true);
  }
}

/**
 * The range of all array keys whose first element is `first`. In IndexedDB, arrays sort after all strings and numbers, so
 * `[first, []]` is the upper bound.
 */
export function keysUnder(first: string): IDBKeyRange {
  return IDBKeyRange.bound([first], [first, []]);
}
