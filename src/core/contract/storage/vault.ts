/**
 * @file Keys that outlive the visit: encrypted under a passphrase that only the user has.
 */

/** `none`: keys are kept in memory only. `locked`: there are kept keys, and none can be read. */
export type VaultState = 'none' | 'locked' | 'unlocked';

/** The shortest passphrase that is taken, in characters. */
export const SHORTEST_PASSPHRASE = 10;

/** Every verb that can fail rejects with a `FaultError` with a sentence for the person who asked. */
export interface KeyVault {
  readonly state: VaultState;
  /** Told of every change of `state`, also of those that another tab makes. @returns how to stop */
  listen(heard: (state: VaultState) => void): () => void;
  /** Looks whether there is a vault. Until then its state is `none`. */
  load(): Promise<void>;
  /** Makes an empty vault and opens it. */
  create(passphrase: string): Promise<void>;
  /**
   * Opens the vault.
   * @returns ids under which a key lies that cannot be read, because it was changed on disk; they have to be given again
   */
  unlock(passphrase: string): Promise<readonly string[]>;
  /** Forgets every key that was read from it, here and in other tabs. */
  lock(): void;
  /** Encrypts every key anew. The old passphrase opens nothing afterwards. */
  changePassphrase(before: string, after: string): Promise<void>;
  /** Deletes the vault with all its keys; it need not be open. */
  forgetAll(): Promise<void>;

  /** A key while the vault is open; `null` if there is none, or it was given for another origin. */
  get(id: string, origin: string): string | null;
  /** Whether there is a key under this id, which can be told of a locked vault, too. */
  holds(id: string): boolean;
  /** Keeps a key at hand at once and resolves when it lies encrypted on disk. Only while the vault is open. */
  put(id: string, origin: string, key: string): Promise<void>;
  /** Removes a key, of a locked vault, too. */
  remove(id: string): Promise<void>;
}
