/** @file Backup sections for stores with one record for each worker, model or other item. */
import type { StoreKey } from 'idb';
import { boundsProblem } from '../../../core/contract';
import type { Database } from '../database';
import { isSame } from '../compare-runs';
import type { PodiumSchema } from '../migrations';
import { pagesOf } from '../pages';
import { packBytes, unpackBytes } from './bytes';
import { defineSection, type BackupSection, type Checked } from './section';

/** Object stores whose records are validated with a schema. Add new object stores here. */
export type RecordStore =
  | 'setups'
  | 'connections'
  | 'models'
  | 'policies'
  | 'preferences'
  | 'spending'
  | 'batches'
  | 'outcomes'
  | 'measurements';
type KeyOf<Name extends RecordStore> = StoreKey<PodiumSchema, Name>;

export interface RecordsDefinition<Name extends RecordStore> {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly store: Name;
  /** Keeps all stored records, even in mode `replace`. Default: `false`. */
  readonly keepsExisting?: boolean;
  /** See `SectionDefinition`. */
  readonly usedBy?: string;
  /** Returns why a value is too large or too deep (shown after “It cannot be read: ”), or `null`. Default: `boundsProblem`. */
  readonly boundsOf?: (value: unknown) => string | null;
  /**
   * Creates a function that removes confidential parts from a value, because they must not leave this
   * browser. The function returns `null` for an unreadable value, which backups leave out. Mode `replace` deletes
   * stored values that the file lacks, but keeps unreadable ones. Default: nothing is removed.
   */
  readonly cleaner?: () => Promise<(value: unknown) => unknown>;
  /**
   * Creates a function that returns whether the stored value with this key is confidential. A backup may lack
   * the texts of confidential values, so mode `replace` neither replaces nor deletes stored confidential values.
   * Default: no value is confidential.
   */
  readonly secrets?: () => Promise<(key: KeyOf<Name>) => boolean>;
  /**
   * The keys of the results that belong to a record. When the record is deleted, its results are deleted in
   * the same transaction. Default: none.
   */
  readonly outcomesOf?: (key: KeyOf<Name>) => IDBKeyRange;
  /** The key of a value, or a sentence with the reason why the value is invalid. */
  keyOf(value: unknown): { readonly key: KeyOf<Name> } | { readonly message: string };
  /**
   * Converts a value from the file to the value to store. Default: unchanged.
   * @param here the stored value, or `undefined` if there is none
   */
  admit?(value: unknown, here: unknown): unknown;
  /**
   * Creates a function that returns whether a value with this key may be stored. Called at the first `put`.
   * Default: every value may be stored.
   */
  readonly mayAdmit?: () => Promise<(key: KeyOf<Name>) => boolean>;
}

interface Entry<Name extends RecordStore> {
  readonly key: KeyOf<Name>;
  readonly value: unknown;
}

/**
 * Creates the section of an object store. If a stored record differs from the record in the file, mode
 * `merge` keeps the stored record. Mode `replace` replaces the stored record, unless the record is
 * confidential, `keepsExisting` is set or `mayAdmit` forbids it.
 */
export function recordsSection<Name extends RecordStore>(
  database: Database,
  definition: RecordsDefinition<Name>,
): BackupSection {
  const { name, one, many, store, keyOf, keepsExisting = false } = definition;
  const { admit = (value) => value, boundsOf = boundsProblem, cleaner, outcomesOf, usedBy } = definition;
  // Tells which stored records are confidential. Created once, before this section replaces or deletes any
  // record.
  let secrets: Promise<(key: KeyOf<Name>) => boolean> | null = null;
  const secretsBefore = () => (secrets ??= definition.secrets?.() ?? Promise.resolve(() => false));
  const stores: Name[] = [store];
  let admissible: Promise<(key: KeyOf<Name>) => boolean> | null = null;
  const nameOf = (key: KeyOf<Name>) => JSON.stringify(key);
  return defineSection<Entry<Name>>({
    name,
    one,
    many,
    stores,
    keepsExisting,
    ...(usedBy === undefined ? {} : { usedBy }),
    count: () => database.transact(stores, 'readonly', (transaction) => transaction.objectStore(store).count()),
    async *read(_signal, leftOut) {
      const clean = (await cleaner?.()) ?? ((value: unknown) => value);
      let unreadable = 0;
      for await (const page of pagesOf(database, store, null)) {
        for (const { value } of page) {
          const cleaned = clean(value);
          if (cleaned === null) unreadable += 1;
          else yield packBytes(cleaned);
        }
      }
      if (unreadable > 0) leftOut(unreadableSentence(unreadable, { one, many }));
    },
    check(packed): Checked<Entry<Name>> {
      const beyond = boundsOf(packed);
      if (beyond !== null) return { ok: false, message: `It cannot be read: ${beyond}` };
      const value = unpackBytes(packed);
      const found = keyOf(value);
      return 'key' in found ? { ok: true, item: { key: found.key, value } } : { ok: false, message: found.message };
    },
    idOf: ({ key }) => nameOf(key),
    async put(items, mode) {
      const isSecret = await secretsBefore();
      const isAdmissible = await (admissible ??= definition.mayAdmit?.() ?? Promise.resolve(() => true));
      return database.transact(stores, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        return Promise.all(
          items.map(async ({ key, value }) => {
            const here: unknown = await objects.get(key);
            const admitted = admit(value, here);
            if (here !== undefined && isSame(here, admitted)) return 'present' as const;
            if (!isAdmissible(key)) return 'kept' as const;
            if (here !== undefined && (mode === 'merge' || keepsExisting || isSecret(key))) return 'kept' as const;
            await objects.put(admitted, key);
            return here === undefined ? ('added' as const) : ('updated' as const);
          }),
        );
      });
    },
    async *prune(names) {
      if (keepsExisting) return;
      const isSecret = await secretsBefore();
      const clean = await cleaner?.();
      const touched: (Name | 'outcomes')[] = outcomesOf ? [store, 'outcomes'] : [store];
      const removed = await database.transact(touched, 'readwrite', async (transaction) => {
        const objects = transaction.objectStore(store);
        const absent = (await objects.getAllKeys()).filter((key) => !names.has(nameOf(key)) && !isSecret(key));
        const readable = await Promise.all(absent.map(async (key) => !clean || clean(await objects.get(key)) !== null));
        const extra = absent.filter((_, index) => readable[index]);
        await Promise.all(extra.map((key) => objects.delete(key)));
        if (outcomesOf) {
          const outcomes = transaction.objectStore('outcomes');
          await Promise.all(extra.map((key) => outcomes.delete(outcomesOf(key))));
        }
        return extra.map(() => 'removed' as const);
      });
      yield* removed;
    },
  });
}

function unreadableSentence(count: number, { one, many }: { readonly one: string; readonly many: string }): string {
  return count === 1
    ? `1 ${one} is left out, because this version of Podium can’t read it.`
    : `${count.toLocaleString('en-US')} ${many} are left out, because this version of Podium can’t read them.`;
}
