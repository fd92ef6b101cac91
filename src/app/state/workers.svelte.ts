/** @file The workers that exist and those in the pool, as state that every page shares. */
import { isLocal, toPoolWorker, type PoolWorker, type WorkerSetup, type WorkerSetups } from '../../core/contract';
import type { Services } from '../services';
import type { ModelsState } from './models.svelte';
import type { PreferencesState } from './preferences.svelte';

export class WorkersState {
  /** Those the user added, in the order in which they were. */
  setups: readonly WorkerSetup[] = $state.raw([]);
  readonly #builtIn: Pick<Services, 'simulated' | 'tools'>;
  readonly #store: WorkerSetups;
  readonly #preferences: PreferencesState;

  readonly #models: Pick<ModelsState, 'worker'>;

  /** Simulated ones first, then tools and the loaded model. */
  readonly all: readonly PoolWorker[] = $derived.by(() => {
    const { worker } = this.#models;
    const { simulated, tools } = this.#builtIn;
    const builtIn = [...simulated, ...tools, ...(worker ? [worker] : [])];
    // What a file brought under the id of a built-in worker stays out: history and the pool go by ids.
    const confirmed = this.setups.filter((setup) => !setup.unconfirmed);
    const own = confirmed.map(toPoolWorker).filter(({ id }) => !builtIn.some((each) => each.id === id));
    return [...builtIn, ...own];
  });
  /** Those that a file brought and the user has not confirmed: nobody calls them, and they do not conduct. */
  readonly unconfirmed: readonly WorkerSetup[] = $derived.by(() => this.setups.filter((setup) => setup.unconfirmed));
  /** Those that may be chosen: with *Private* on only those that stay on this machine. */
  readonly offered: readonly PoolWorker[] = $derived.by(() =>
    this.#preferences.current.isPrivate ? this.all.filter(isLocal) : this.all,
  );
  /** Those that a run may use. */
  readonly pool: readonly PoolWorker[] = $derived.by(() => this.offered.filter((worker) => this.isChosen(worker)));

  constructor(
    builtIn: Pick<Services, 'simulated' | 'tools'>,
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
  }

  /**
   * Until the user has chosen, every worker is in the pool but the loaded model, which is slow and was loaded to conduct, and
   * tools, which only some questions need.
   */
  isChosen({ id, kind }: PoolWorker): boolean {
    return this.#preferences.current.pool?.includes(id) ?? (kind !== 'local' && kind !== 'python');
  }

  /** What cannot be chosen now, because it is not loaded or because of *Private*, stays as it was. */
  choose(id: string, chosen: boolean): void {
    const now = this.#preferences.current.pool ?? this.all.filter((each) => this.isChosen(each)).map((each) => each.id);
    const ids = now.filter((each) => each !== id);
    this.#preferences.change({ pool: chosen ? [...ids, id] : ids });
  }

  /** Leaves only these in the pool. */
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
   * Takes workers of a file into use; they join the pool. Rejects with a `FaultError` if that could not be kept.
   * @param setups as they were shown: what has changed since stays unconfirmed
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

  /** Removes a worker; saved runs keep their own snapshot of it. */
  async remove(id: string): Promise<void> {
    await this.#store.delete(id);
    const { pool } = this.#preferences.current;
    if (pool?.includes(id)) this.choose(id, false);
    await this.load();
  }
}
