/** @file The state of the API keys and of the vault with the encrypted keys. All pages share this state. */
import {
  extrasIdOf,
  originOf,
  type Connection,
  type KeySource,
  type KeyVault,
  type Passkeys,
  type SignIn,
  type SignInOutcome,
  type VaultLock,
  type VaultSecret,
  type VaultState,
} from '../../core/contract';
import type { KeyServices } from '../services';

/** Where a connection's key and its extra headers are. `none`: the server needs neither. `locked`: in the locked vault. `missing`: nowhere. */
export type KeyPlace = 'none' | 'memory' | 'vault' | 'locked' | 'missing';

type KeyOwner = Pick<Connection, 'id' | 'baseUrl' | 'needsKey' | 'extraNames'>;

export class KeysState {
  state: VaultState = $state('none');
  /** Ids of connections whose key in the vault could not be decrypted. The user must enter these keys again. */
  unreadable: readonly string[] = $state.raw([]);
  /** Replaced whenever the keys have changed, because the keys themselves are not reactive. */
  #changes = $state.raw({});
  readonly #vault: KeyVault;
  readonly #keys: KeySource;
  readonly #adopt: () => Promise<void>;
  #signIn: SignIn['outcome'];
  readonly passkeys: () => Promise<Passkeys>;

  /** @param onadopted called when keys of older versions have changed workers or connections */
  constructor({ vault, keys, passkeys, signIn, adoptKeys }: KeyServices, onadopted: () => Promise<void>) {
    this.#adopt = async () => {
      if (await adoptKeys()) await onadopted();
      this.changed();
    };
    this.#signIn = signIn.outcome;
    this.passkeys = passkeys;
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
    // A backup of an older version may have added keys of workers.
    if (this.state === 'unlocked') await this.#adopt();
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

  /** @param workers ids of the connection's workers, under which older versions have stored keys */
  placeOf({ id, baseUrl, needsKey, extraNames }: KeyOwner, workers: readonly string[] = []): KeyPlace {
    void this.#changes;
    const kept = [...(needsKey ? [[id, ...workers]] : []), ...(extraNames ? [[extrasIdOf(id)]] : [])];
    if (kept.length === 0) return 'none';
    const absent = kept.filter(([own = '']) => this.#keys.get(own, originOf(baseUrl)) === null);
    if (absent.length === 0)
      return this.#vault.state === 'unlocked' && this.#vault.holds(kept[0]?.[0] ?? '') ? 'vault' : 'memory';
    const isHeld = absent.every((ids) => ids.some((each) => this.#vault.holds(each)));
    return this.state === 'locked' && isHeld ? 'locked' : 'missing';
  }

  /** What unlocks the vault. Rejects with a `FaultError`, as do the async methods below. */
  locks(): Promise<readonly VaultLock[]> {
    void this.#changes;
    return this.#vault.locks();
  }

  /** Creates a vault for all keys, including the keys in memory. */
  async create(secret: VaultSecret): Promise<void> {
    await this.#vault.create(secret);
    await this.#keys.settled?.();
  }

  async unlock(secret: VaultSecret): Promise<void> {
    this.unreadable = await this.#vault.unlock(secret);
    await this.#keys.settled?.();
    await this.#adopt();
  }

  lock(): void {
    this.#vault.lock();
  }

  addLock(secret: VaultSecret): Promise<void> {
    return this.#vault.addLock(secret);
  }

  removeLock(id: string): Promise<void> {
    return this.#vault.removeLock(id);
  }

  async change(before: string, after: string): Promise<void> {
    await this.#vault.changePassphrase(before, after);
  }

  async forgetAll(): Promise<void> {
    await this.#vault.forgetAll();
    this.unreadable = [];
  }
}
