/** @file The key vault: stores keys permanently, encrypted under a passphrase that only the user knows. */

/** `none`: there is no vault, so keys are only in memory. `locked`: the vault's keys can't be read without the passphrase. */
export type VaultState = 'none' | 'locked' | 'unlocked';

/** Minimum length of a passphrase, in characters. */
export const SHORTEST_PASSPHRASE = 10;

/** Every method that can fail rejects with a `FaultError` whose message is for the user. */
export interface KeyVault {
  readonly state: VaultState;
  /**
   * Calls the listener after every change of `state`, and after other tabs have stored or deleted keys.
   * @returns a function that unsubscribes
   */
  listen(listener: (state: VaultState) => void): () => void;
  /** Checks whether there is a vault. Before this check, the state is `none`. */
  load(): Promise<void>;
  /** Creates an empty vault and unlocks it. */
  create(passphrase: string): Promise<void>;
  /**
   * Unlocks the vault. Rejects if `lock` is called while the vault is being unlocked.
   * @returns ids of keys that cannot be read because they were changed on disk. The user must enter these keys again
   */
  unlock(passphrase: string): Promise<readonly string[]>;
  /** Removes all keys from memory, here and in other tabs. */
  lock(): void;
  /** Encrypts the keys again under a new passphrase, and drops keys that can't be read. The old passphrase stops working. */
  changePassphrase(before: string, after: string): Promise<void>;
  /** Deletes the vault with all its keys, even while it is locked. */
  forgetAll(): Promise<void>;

  /** A key. `null` if the vault is not unlocked, there is no such key, or the key was entered for another origin. */
  get(id: string, origin: string): string | null;
  /** Whether the vault has a key under this id, even while it is locked. */
  holds(id: string): boolean;
  /** Makes a key available immediately and resolves when it is stored encrypted. Requires an unlocked vault. */
  put(id: string, origin: string, key: string): Promise<void>;
  /** Deletes a key, even while the vault is locked. */
  remove(id: string): Promise<void>;
}
