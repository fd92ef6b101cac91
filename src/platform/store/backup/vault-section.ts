/**
 * @file The backup section of the key vault. A backup includes this section only if the user requests it. The keys stay
 * encrypted. After a restore, they can be decrypted only with the passphrase or a passkey of the backed-up vault.
 */
import * as z from 'zod/mini';
import type { Database } from '../database';
import { KEY_PREFIX, VAULT_HEADER } from '../vault-places';
import { entryShape, headerShape } from '../vault-records';
import { packBytes, unpackBytes } from './bytes';
import { defineSection, type BackupSection, type Checked } from './section';

/** The whole vault is one value, because its keys cannot be decrypted without its header. */
const vaultShape = z.object({ header: headerShape, entries: z.array(entryShape) });
type Vault = z.infer<typeof vaultShape>;

/**
 * If the vault in the file has the same vault key as the stored vault, the stored vault keeps its locks and gets the keys that it
 * lacks. If it has another one, mode `merge` keeps the stored vault and mode `replace` replaces it.
 */
export function vaultSection(database: Database): BackupSection {
  return defineSection<Vault>({
    name: 'vault',
    one: 'key vault',
    many: 'key vaults',
    stores: ['vault'],
    keepsExisting: true,
    count: () =>
      database.transact(['vault'], 'readonly', (transaction) => transaction.objectStore('vault').count(VAULT_HEADER)),
    async *read() {
      const { header, entries } = await database.transact(['vault'], 'readonly', async (transaction) => {
        const store = transaction.objectStore('vault');
        const range = IDBKeyRange.bound(KEY_PREFIX, `${KEY_PREFIX}\uffff`);
        const [header, entries] = await Promise.all([store.get(VAULT_HEADER), store.getAll(range)]);
        return { header, entries };
      });
      if (header !== undefined) yield packBytes({ header, entries });
    },
    check(packed): Checked<Vault> {
      const parsed = z.safeParse(vaultShape, unpackBytes(packed));
      return parsed.success
        ? { ok: true, item: parsed.data }
        : { ok: false, message: 'The key vault is damaged, so its keys cannot be restored.' };
    },
    idOf: ({ header }) => header.id,
    put: (vaults, mode) =>
      database.transact(
        ['vault'],
        'readwrite',
        async (transaction) => {
          const store = transaction.objectStore('vault');
          const outcomes: ('added' | 'present' | 'updated' | 'kept')[] = [];
          for (const { header, entries } of vaults) {
            const [here, keys] = await Promise.all([store.get(VAULT_HEADER), store.getAllKeys()]);
            const isSame = z.safeParse(headerShape, here).data?.id === header.id;
            if (here === undefined || (mode === 'replace' && !isSame)) {
              await store.clear();
              await store.put(header, VAULT_HEADER);
              await Promise.all(entries.map((entry) => store.put(entry, KEY_PREFIX + entry.id)));
              outcomes.push(here === undefined ? 'added' : 'updated');
            } else if (!isSame) {
              outcomes.push('kept');
            } else {
              const missing = entries.filter(({ id }) => !keys.includes(KEY_PREFIX + id));
              await Promise.all(missing.map((entry) => store.put(entry, KEY_PREFIX + entry.id)));
              outcomes.push(missing.length > 0 ? 'updated' : 'present');
            }
          }
          return outcomes;
        },
        'strict',
      ),
    // A backup without a vault must not delete the stored one.
    async *prune() {},
  });
}
