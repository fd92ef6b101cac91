/** @file What the user prefers, as state: read once, then written through. */
import { DEFAULT_PREFERENCES, toFault, type Fault, type Preferences, type PreferencesStore } from '../../core/contract';

export class PreferencesState {
  /** Replaced, never mutated. Defaults until `load` is done. */
  current: Preferences = $state.raw(DEFAULT_PREFERENCES);
  /** Why the newest change was not kept; it still holds in this page. */
  fault: Fault | null = $state.raw(null);
  readonly #store: PreferencesStore;
  /** What was changed since the newest reading began. */
  #meanwhile: Partial<Preferences> = {};
  #writing: Promise<void> = Promise.resolve();

  constructor(store: PreferencesStore) {
    this.#store = store;
  }

  /** Reads what is kept. What is changed meanwhile stays changed. */
  async load(): Promise<void> {
    this.#meanwhile = {};
    const read = await this.#store.read();
    this.current = { ...read, ...this.#meanwhile };
  }

  /** Changes some fields at once and writes them in the background. */
  change(fields: Partial<Preferences>): void {
    this.current = { ...this.current, ...fields };
    this.#meanwhile = { ...this.#meanwhile, ...fields };
    this.#writing = this.#store.write(fields).then(
      () => void (this.fault = null),
      (thrown: unknown) => void (this.fault = toFault(thrown)),
    );
  }

  /** Takes the settings of a backup into use that waited for the user. */
  useRestored(): void {
    this.change({ ...this.current.restored, restored: null });
  }

  /** Forgets them. */
  discardRestored(): void {
    this.change({ restored: null });
  }

  /** Resolves when the newest change has been written, or could not be. */
  whenWritten(): Promise<void> {
    return this.#writing;
  }

  /** Reads which policy is in use, as another tab has changed it. What else differs between tabs stays as it is here. */
  async rereadPolicy(): Promise<void> {
    const before = this.current.policy;
    const { policy } = await this.#store.read();
    if (this.current.policy === before) this.current = { ...this.current, policy };
  }
}
