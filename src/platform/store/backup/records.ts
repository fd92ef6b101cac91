/** @file Backup sections for stores with one record for each worker, manifest or other item. */
import type { StoreKey } from 'idb';
import { boundsProblem } from '../../../core/contract';
import type { Database } from '../database';
import { isSame } from '../compare-runs';
import type { PodiumSchema } from '../migrations';
import { pagesOf } from '../pages';
import { packBytes, unpackBytes } from './bytes';
import { defineSection, type BackupSection, type Checked } from './section';

/** Stores whose records are validated with a schema. Add new ones here. */
export type RecordStore = 'setups' | 'models' | 'policies' | 'preferences' | 'spending' | 'batches' | 'outcomes';
type KeyOf<Name extends RecordStore> = StoreKey<PodiumSchema, Name>;

export interface RecordsDefinition<Name extends RecordStore> {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly store: Name;
  /** Keeps stored records, even when everything else is replaced. */
  readonly keepsExisting?: boolean;
  /** Why a value is too large or too deep, as the end of a sentence. Default: `boundsProblem`. */
  readonly boundsOf?: (value: unknown) => string | null;
  /** Makes the function that takes out of values what must not leave this browser. Default: nothing is taken out. */
  readonly cleaner?: () => Promise<(value: unknown) => unknown>;
  /** The key of a value, or a sentence that says why the value is invalid. */
  keyOf(value: unknown): { readonly key: KeyOf<Name> } | { readonly message: string };
  /** The value to store for a value of a file, given the stored one (`undefined`: none). Default: the file's value. */
  admit?(value: unknown, here: unknown): unknown;
}

interface Entry<Name extends RecordStore> {
  readonly key: KeyOf<Name>;
  readonly value: unknown;
}

/** A stored record that differs is kept in mode `merge`, and replaced in mode `replace`. */
export function recordsSection<Name extends RecordStore>(
  database: Database,
  definition: RecordsDefinition<Name>,
): BackupSection {
  const { name, one, many, store, keyOf, keepsExisting = false } = definition;
  const { admit = (value) => value, boundsOf = boundsProblem, cleaner } = definition;
  const stores: Name[] = [store];
  const nameOf = (key: KeyOf<Name>) => JSON.stringify(key);
  return defineSection<Entry<Name>>({
    name,
    one,
    many,
    stores,
    keepsExisting,
    count: () => database.transact(stores, 'readonly', (transaction) => transaction.objectStore(store).count()),
    async *read() {
      const clean = (await cleaner?.()) ?? ((value: unknown) => value);
      for await (const page of pagesOf(database, store, null)) {
        for (const { value } of page) yield packBytes(clean(value));
      }
    },
    check(packed): Checked<Entry<Name>> {
      const beyond = boundsOf(packed);
      if (beyond !== null) return { ok: false, message: `It cannot be read: ${beyond}` };
      const value = unpackBytes(packed);
      const found = keyOf(value);
      return 'key' in found ? { ok: true, item: { key: found.key, value } } : { ok: false, message: found.message };
    },
    idOf: ({ key }) => nameOf(key),
    put: (items, mode) =>
      database.transact(stores, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        return Promise.all(
          items.map(async ({ key, value }) => {
            const here: unknown = await objects.get(key);
            const admitted = admit(value, here);
            if (here !== undefined && isSame(here, admitted)) return 'present' as const;
            if (here !== undefined && (mode === 'merge' || keepsExisting)) return 'kept' as const;
            await objects.put(admitted, key);
            return here === undefined ? ('added' as const) : ('updated' as const);
          }),
        );
      }),
    async *prune(names) {
      if (keepsExisting) return;
      const gone = await database.transact(stores, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        const keys = (await objects.getAllKeys()).filter((key) => !names.has(nameOf(key)));
        await Promise.all(keys.map((key) => objects.delete(key)));
        return keys;
      });
      yield* gone.map(() => 'removed' as const);
    },
  });
}
