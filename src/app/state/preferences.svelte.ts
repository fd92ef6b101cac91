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
    this.#store.write(fields).then(
      () => (this.fault = null),
      (thrown: unknown) => (this.fault = toFault(thrown)),
    );
  }
}
