/** @file The workers and the pool, shared by all pages. */
import {
  isLocal,
  publishedRecord,
  toPoolWorker,
  type KnownModel,
  type PoolWorker,
  type WorkerSetup,
  type WorkerSetups,
} from '../../core/contract';
import type { WorkerServices } from '../services';
import type { ModelsState } from './models.svelte';
import type { PreferencesState } from './preferences.svelte';

export class WorkersState {
  /** The workers that the user added, in order. */
  setups: readonly WorkerSetup[] = $state.raw([]);
  /** What is published of models. Loaded with the first worker that the user added. Empty until then. */
  known: readonly KnownModel[] = $state.raw([]);
  readonly #builtIn: Pick<WorkerServices, 'simulated' | 'tools' | 'knownModels'>;
  readonly #store: WorkerSetups;
  readonly #preferences: PreferencesState;

  readonly #models: Pick<ModelsState, 'worker'>;

  /** Simulated workers first, then tools, the loaded model and the user's own. */
  readonly all: readonly PoolWorker[] = $derived.by(() => {
    const { worker } = this.#models;
    const { simulated, tools } = this.#builtIn;
    const builtIn = [...simulated, ...tools, ...(worker ? [worker] : [])];
    // A worker from a file must not replace a built-in one: history and the pool refer to ids.
    const confirmed = this.setups.filter((setup) => !setup.unconfirmed);
    const own = confirmed
      .map((setup) => toPoolWorker(setup, publishedRecord(this.known, setup)))
      .filter(({ id }) => !builtIn.some((each) => each.id === id));
    return [...builtIn, ...own];
  });
  /** Workers from a file that the user has not confirmed. They are not called and cannot conduct. */
  readonly unconfirmed: readonly WorkerSetup[] = $derived.by(() => this.setups.filter((setup) => setup.unconfirmed));
  /** Workers that can be chosen. With *Private* on, only those on this machine. */
  readonly offered: readonly PoolWorker[] = $derived.by(() =>
    this.#preferences.current.isPrivate ? this.all.filter(isLocal) : this.all,
  );
  /** Workers that a run may use. */
  readonly pool: readonly PoolWorker[] = $derived.by(() => this.offered.filter((worker) => this.isChosen(worker)));

  constructor(
    builtIn: Pick<WorkerServices, 'simulated' | 'tools' | 'knownModels'>,
    store: WorkerSetups,
    preferences: PreferencesState,
    models: Pick<ModelsState, 'worker'>,
  ) {
    this.#builtIn = builtIn;
    this.#store = store;
    this.#preferences = preferences;
    this.#models = models;
  }

  async load(): Promise<void> {
    this.setups = await this.#store.list();
    // Not awaited: workers can be called before anything is known of them.
    if (this.setups.length > 0) void this.loadKnown();
  }

  /** Loads what is published of models. If that fails, workers are as if nothing were, and the next call tries again. */
  async loadKnown(): Promise<void> {
    if (this.known.length === 0) this.known = await this.#builtIn.knownModels().catch(() => []);
  }

  /**
   * Until the user has chosen, every worker is in the pool except the loaded model, which is slow and was loaded to conduct, and
   * tools, which few questions need.
   */
  isChosen({ id, kind }: PoolWorker): boolean {
    return this.#preferences.current.pool?.includes(id) ?? (kind !== 'local' && kind !== 'python');
  }

  /** Workers that cannot be chosen now, because they are not loaded or because of *Private*, keep their choice. */
  choose(id: string, chosen: boolean): void {
    const now = this.#preferences.current.pool ?? this.all.filter((each) => this.isChosen(each)).map((each) => each.id);
    const ids = now.filter((each) => each !== id);
    this.#preferences.change({ pool: chosen ? [...ids, id] : ids });
  }

  /** Makes these the pool. */
  choosePool(ids: readonly string[]): void {
    this.#preferences.change({ pool: ids });
  }

  /**
   * Adds or changes a worker. A new one joins the pool, and so does one that the change confirms. Rejects with a `FaultError`
   * if it could not be stored.
   */
  async save(setup: WorkerSetup): Promise<void> {
    const before = this.setups.find((each) => each.id === setup.id);
    await this.#store.put(setup);
    await this.load();
    if (!before) this.choose(setup.id, true);
    else if (before.unconfirmed && !setup.unconfirmed) this.#joinPool([setup]);
  }

  /**
   * Confirms workers from a file, which join the pool. Rejects with a `FaultError` if that could not be stored.
   * @param setups as they were shown. Those that have changed since stay unconfirmed
   */
  async confirm(setups: readonly WorkerSetup[]): Promise<void> {
    const confirmed = setups.filter((setup) => this.setups.includes(setup));
    for (const { unconfirmed: _, ...setup } of confirmed) await this.#store.put(setup);
    await this.load();
    this.#joinPool(confirmed);
  }

  /** Adds confirmed workers to the pool that the user chose. Without a choice every worker is in it. */
  #joinPool(confirmed: readonly WorkerSetup[]): void {
    if (this.#preferences.current.pool === null) return;
    for (const { id } of confirmed) this.choose(id, true);
  }

  /** Deletes a worker. Saved runs keep their own snapshot of it. */
  async remove(id: string): Promise<void> {
    await this.#store.delete(id);
    const { pool } = this.#preferences.current;
    if (pool?.includes(id)) this.choose(id, false);
    await this.load();
  }
}
