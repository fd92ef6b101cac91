/**
 * @file Sections of things that lie in a store one by one under an id of their own, such as workers and manifests.
 */
import type { Database } from '../database';
import { isSame } from '../compare-runs';
import { packBytes, unpackBytes } from './bytes';
import { defineSection, type BackupSection, type Checked } from './section';

/** Stores of records under an id: a new one joins here. */
export type RecordStore = 'setups' | 'models' | 'preferences';

export interface RecordsDefinition<Name extends RecordStore> {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly store: Name;
  /** The id under which a value lies, or why it cannot be read, in a sentence. */
  idOf(value: unknown): { readonly id: string } | { readonly message: string };
}

interface Entry {
  readonly id: string;
  readonly value: unknown;
}

/** Where one is here already that differs, it stays when a backup is merged, and is replaced when everything is. */
export function recordsSection<Name extends RecordStore>(
  database: Database,
  { name, one, many, store, idOf }: RecordsDefinition<Name>,
): BackupSection {
  const stores: Name[] = [store];
  return defineSection<Entry>({
    name,
    one,
    many,
    stores,
    count: () => database.transact(stores, 'readonly', (transaction) => transaction.objectStore(store).count()),
    async *read() {
      const values = await database.transact(stores, 'readonly', (transaction) =>
        transaction.objectStore(store).getAll(),
      );
      for (const value of values) yield packBytes(value);
    },
    check(packed): Checked<Entry> {
      const value = unpackBytes(packed);
      const found = idOf(value);
      return 'id' in found ? { ok: true, item: { id: found.id, value } } : { ok: false, message: found.message };
    },
    idOf: ({ id }) => id,
    put: (items, mode) =>
      database.transact(stores, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        return Promise.all(
          items.map(async ({ id, value }) => {
            const here: unknown = await objects.get(id);
            if (here !== undefined && isSame(here, value)) return 'present' as const;
            if (here !== undefined && mode === 'merge') return 'kept' as const;
            await objects.put(value, id);
            return here === undefined ? ('added' as const) : ('updated' as const);
          }),
        );
      }),
    prune: (ids) =>
      database.transact(stores, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        const gone = (await objects.getAllKeys()).filter((id) => !ids.has(id));
        await Promise.all(gone.map((id) => objects.delete(id)));
        return { removed: gone.length, busy: 0 };
      }),
  });
}
