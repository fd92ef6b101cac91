/** @file The state of the API keys and of the vault with the encrypted keys. All pages share this state. */
import {
  originOf,
  type KeySource,
  type KeyVault,
  type SignIn,
  type SignInOutcome,
  type VaultState,
  type WorkerSetup,
} from '../../core/contract';
import type { KeyServices } from '../services';

/** Where a worker's key is. `none`: the worker needs no key. `locked`: in the locked vault. `missing`: nowhere. */
export type KeyPlace = 'none' | 'memory' | 'vault' | 'locked' | 'missing';

export class KeysState {
  state: VaultState = $state('none');
  /** Ids of workers whose key in the vault could not be decrypted. The user must enter these keys again. */
  unreadable: readonly string[] = $state.raw([]);
  /** Replaced whenever the keys have changed, because the keys themselves are not reactive. */
  #changes = $state.raw({});
  readonly #vault: KeyVault;
  readonly #keys: KeySource;
  #signIn: SignIn['outcome'];

  constructor({ vault, keys, signIn }: KeyServices) {
    this.#signIn = signIn.outcome;
    this.#vault = vault;
    this.#keys = keys;
    vault.listen((state) => {
      this.state = state;
      this.changed();
    });
  }

  async load(): Promise<void> {
    await this.#vault.load();
    this.state = this.#vault.state;
  }

  /**
   * The first call returns the outcome of the sign-in that redirected to this page, or `null` if there was none.
   * Later calls return `null`.
   */
  async finishSignIn(): Promise<SignInOutcome | null> {
    const pending = this.#signIn;
    this.#signIn = Promise.resolve(null);
    const outcome = await pending;
    this.changed();
    return outcome;
  }

  /** Call after a key was set or forgotten. */
  changed(): void {
    this.#changes = {};
  }

  placeOf({ id, baseUrl, needsKey }: WorkerSetup): KeyPlace {
    void this.#changes;
    if (!needsKey) return 'none';
    if (this.#keys.get(id, originOf(baseUrl)) !== null)
      return this.#vault.state === 'unlocked' && this.#vault.holds(id) ? 'vault' : 'memory';
    return this.state === 'locked' && this.#vault.holds(id) ? 'locked' : 'missing';
  }

  /** Creates a vault for all keys, including the keys in memory. Rejects with a `FaultError`, as do the async methods below. */
  async create(passphrase: string): Promise<void> {
    await this.#vault.create(passphrase);
    await this.#keys.settled?.();
  }

  async unlock(passphrase: string): Promise<void> {
    this.unreadable = await this.#vault.unlock(passphrase);
    await this.#keys.settled?.();
  }

  lock(): void {
    this.#vault.lock();
  }

  async change(before: string, after: string): Promise<void> {
    await this.#vault.changePassphrase(before, after);
  }

  async forgetAll(): Promise<void> {
    await this.#vault.forgetAll();
    this.unreadable = [];
  }
}
