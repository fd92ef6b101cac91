/** @file The preferences. A change applies immediately and is stored in the background. */
import { DEFAULT_PREFERENCES, toFault, type Fault, type Preferences, type PreferencesStore } from '../../core/contract';

export class PreferencesState {
  /** The preferences now: the defaults until `load` is done. The object is replaced, never mutated. */
  current: Preferences = $state.raw(DEFAULT_PREFERENCES);
  /** Why the newest change was not stored. The change still applies in this page. */
  fault: Fault | null = $state.raw(null);
  readonly #store: PreferencesStore;
  /** Changes since the last `load` began. */
  #meanwhile: Partial<Preferences> = {};
  #writing: Promise<void> = Promise.resolve();

  constructor(store: PreferencesStore) {
    this.#store = store;
  }

  /** Reads the stored preferences. Changes made during the read are kept. */
  async load(): Promise<void> {
    this.#meanwhile = {};
    const read = await this.#store.read();
    this.current = { ...read, ...this.#meanwhile };
  }

  change(fields: Partial<Preferences>): void {
    this.current = { ...this.current, ...fields };
    this.#meanwhile = { ...this.#meanwhile, ...fields };
    this.#writing = this.#store.write(fields).then(
      () => void (this.fault = null),
      (thrown: unknown) => void (this.fault = toFault(thrown)),
    );
  }

  /** Applies the settings from a backup. Call when the user has confirmed them. */
  useRestored(): void {
    this.change({ ...this.current.restored, restored: null });
  }

  /** Discards the settings from a backup. Call when the user has rejected them. */
  discardRestored(): void {
    this.change({ restored: null });
  }

  /** Resolves when the newest change has been stored, or has failed. */
  whenWritten(): Promise<void> {
    return this.#writing;
  }

  /** Rereads only which policy is in use. Call when another tab has changed it. Other preferences may differ between tabs. */
  async rereadPolicy(): Promise<void> {
    const before = this.current.policy;
    const { policy } = await this.#store.read();
    if (this.current.policy === before) this.current = { ...this.current, policy };
  }
}
