/** @file The key vault: stores keys permanently, encrypted under a passphrase that only the user knows, or under passkeys. */

/** `none`: there is no vault, so keys are only in memory. `locked`: the vault's keys can't be read without one of its locks. */
export type VaultState = 'none' | 'locked' | 'unlocked';

/** Minimum length of a passphrase, in characters. */
export const SHORTEST_PASSPHRASE = 10;

/** Id of the lock for the passphrase. A vault has at most one. */
export const PASSPHRASE_LOCK = 'passphrase';

/** One of the secrets that unlock a vault. Any of them is enough. */
export interface VaultLock {
  /** `PASSPHRASE_LOCK`, or the passkey's credential id in base64. */
  readonly id: string;
  /** The host name for which the passkey was created. Only pages of this host can use it. `null` for the passphrase. */
  readonly site: string | null;
  /** Unix time in ms. `null` for the passphrase. */
  readonly addedAt: number | null;
}

/** The answer of a passkey: the bytes that its authenticator computes only for this passkey (WebAuthn's extension `prf`). */
export interface PasskeySecret {
  /** The credential id in base64. */
  readonly id: string;
  readonly site: string;
  readonly output: Uint8Array<ArrayBuffer>;
}

/** A passphrase, or the answer of a passkey. */
export type VaultSecret = string | PasskeySecret;

/** Why this page can't use passkeys. `ip-address`: browsers allow passkeys only at host names. */
export type NoPasskeys = 'ip-address' | 'unsupported';

/**
 * Asks the user for passkeys. Both methods reject with a `FaultError` if the user cancels, or if the authenticator
 * can't compute secrets.
 */
export interface Passkeys {
  /** The host name of the page. */
  readonly site: string;
  /** Why no passkey can be created here. `null`: it can be tried, but some authenticators can't compute secrets. */
  problem(): Promise<NoPasskeys | null>;
  /** @param others ids of passkeys whose authenticators must not be used again */
  create(others: readonly string[], signal: AbortSignal): Promise<PasskeySecret>;
  /** @param ids the passkeys that may answer */
  use(ids: readonly string[], signal: AbortSignal): Promise<PasskeySecret>;
}

/** Every method that can fail rejects with a `FaultError` whose message is for the user. */
export interface KeyVault {
  readonly state: VaultState;
  /**
   * Calls the listener after every change of `state`, after other tabs have stored or deleted keys, and after a change of the locks.
   * @returns a function that unsubscribes
   */
  listen(listener: (state: VaultState) => void): () => void;
  /** Checks whether there is a vault. Before this check, the state is `none`. */
  load(): Promise<void>;
  /** What unlocks the stored vault. Empty if there is none. */
  locks(): Promise<readonly VaultLock[]>;
  /** Creates an empty vault with one lock, and unlocks it. */
  create(secret: VaultSecret): Promise<void>;
  /**
   * Unlocks the vault. Rejects if `lock` is called while the vault is being unlocked.
   * @returns ids of keys that cannot be read because they were changed on disk. The user must enter these keys again
   */
  unlock(secret: VaultSecret): Promise<readonly string[]>;
  /** Removes all keys from memory, here and in other tabs. */
  lock(): void;
  /** Adds a lock. A passphrase replaces the present one. Requires an unlocked vault. */
  addLock(secret: VaultSecret): Promise<void>;
  /** Removes a lock. Requires an unlocked vault. Rejects if it is the only one. */
  removeLock(id: string): Promise<void>;
  /**
   * The old passphrase stops working. If it is the only lock, the keys are encrypted again under a new vault key, and keys that
   * can't be read are dropped.
   */
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
