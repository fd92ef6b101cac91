/** @file The state of the workers and of the pool (the chosen workers). All pages share this state. */
import {
  isLocal,
  isReal,
  poolKind,
  publishedRecord,
  toPoolWorker,
  type Connection,
  type Connections,
  type KnownModel,
  type PoolKind,
  type PoolWorker,
  type WorkerSetup,
  type WorkerSetups,
} from '../../core/contract';
import type { WorkerServices } from '../services';
import type { ModelsState } from './models.svelte';
import { chosenIds, withJoined, withoutRemoved, withPractice, withWorker, type PoolChoice } from './pool-choice';
import type { PreferencesState } from './preferences.svelte';

export class WorkersState {
  /** The workers that the user added, in order. */
  setups: readonly WorkerSetup[] = $state.raw([]);
  /** The connections of these workers, and connections without workers. */
  connections: readonly Connection[] = $state.raw([]);
  /** Published facts about models. Empty until they are loaded, which happens once the user has a worker. */
  known: readonly KnownModel[] = $state.raw([]);
  readonly #builtIn: Pick<WorkerServices, 'simulated' | 'tools' | 'knownModels' | 'presets'>;
  readonly #store: WorkerSetups;
  readonly #connections: Connections;
  readonly #preferences: PreferencesState;

  readonly #models: Pick<ModelsState, 'worker'>;

  /**
   * All workers, in this order: simulated workers, tools such as Python, the loaded local model, and
   * the user's own workers without the unconfirmed ones.
   */
  readonly all: readonly PoolWorker[] = $derived.by(() => {
    const { worker } = this.#models;
    const { simulated, tools } = this.#builtIn;
    const builtIn = [...simulated, ...tools, ...(worker ? [worker] : [])];
    // A worker from a file may have the id of a built-in worker. The worker from the file is then left out,
    // because the history and the pool refer to workers by id.
    const confirmed = this.setups.filter((setup) => !setup.unconfirmed);
    const own = confirmed
      .map((setup) => toPoolWorker(setup, publishedRecord(this.known, setup)))
      .filter(({ id }) => !builtIn.some((each) => each.id === id));
    return [...builtIn, ...own];
  });
  /** Workers from a file that the user has not confirmed. They are not called and cannot be the Conductor. */
  readonly unconfirmed: readonly WorkerSetup[] = $derived.by(() => this.setups.filter((setup) => setup.unconfirmed));
  /** Workers that the user can choose. With *Private* on, only workers that run in the page. */
  readonly offered: readonly PoolWorker[] = $derived.by(() =>
    this.#preferences.current.isPrivate ? this.all.filter(isLocal) : this.all,
  );
  /** Ids of the workers in the pool. */
  readonly chosen: readonly string[] = $derived.by(() => chosenIds(this.#preferences.current, this));
  /** Workers that a run may use. */
  readonly pool: readonly PoolWorker[] = $derived.by(() => this.offered.filter((worker) => this.isChosen(worker)));

  /** Whether the pool has only simulated workers (practice), only real workers, both (mixed) or neither. */
  readonly kind: PoolKind = $derived.by(() => poolKind(this.pool));
  /** Whether a real worker can be chosen, so that the Practice switch has an effect. */
  readonly hasReal: boolean = $derived.by(() => this.offered.some(isReal));

  constructor(
    services: Pick<WorkerServices, 'simulated' | 'tools' | 'knownModels' | 'setups' | 'connections' | 'presets'>,
    preferences: PreferencesState,
    models: Pick<ModelsState, 'worker'>,
  ) {
    this.#builtIn = services;
    this.#store = services.setups;
    this.#connections = services.connections;
    this.#preferences = preferences;
    this.#models = models;
  }

  async load(): Promise<void> {
    // Listing the workers gives connections to the workers of older versions.
    this.setups = await this.#store.list();
    this.connections = await this.#connections.list();
    // This is not awaited, because workers can be called without the facts about their models.
    if (this.setups.length > 0) void this.loadKnown();
  }

  /**
   * Loads published facts about models. If the load fails, workers have no published facts, and the next
   * call of this method retries.
   */
  async loadKnown(): Promise<void> {
    if (this.known.length === 0) this.known = await this.#builtIn.knownModels().catch(() => []);
  }

  /**
   * Whether a worker is in the pool. The default pool is the user's own workers, or else the simulated
   * workers. The default excludes the loaded local model, because it is slow and was loaded to write
   * plans. The default excludes tools, because few questions need tools.
   */
  isChosen({ id }: PoolWorker): boolean {
    return this.chosen.includes(id);
  }

  /**
   * Adds a worker to the pool, or removes it. The first real worker replaces a practice pool. Chosen workers
   * stay chosen while they are unavailable, such as a local model that is not loaded.
   */
  choose(id: string, chosen: boolean): void {
    this.#change(withWorker(this.#preferences.current, this, id, chosen));
  }

  /** Switches to the practice pool, or back to the real pool. Both pools are stored, so no choice is lost. */
  practise(isPractice: boolean): void {
    this.#change(withPractice(this.#preferences.current, this, isPractice));
  }

  /**
   * Stores a new or changed worker. A worker that is new or newly confirmed joins the pool. Rejects with
   * a `FaultError` if storage fails.
   */
  async save(setup: WorkerSetup): Promise<void> {
    const before = this.setups.find((each) => each.id === setup.id);
    if (!setup.unconfirmed) await this.#confirmConnections([setup]);
    await this.#store.put(setup);
    await this.load();
    if (!setup.unconfirmed && (!before || before.unconfirmed)) this.#join([setup]);
  }

  /**
   * Confirms workers from a file and adds them to the pool. Rejects with a `FaultError` if storage fails.
   * @param setups the setups that the user saw. Setups that have changed since then stay unconfirmed
   */
  async confirm(setups: readonly WorkerSetup[]): Promise<void> {
    const confirmed = setups.filter((setup) => this.setups.includes(setup));
    await this.#confirmConnections(confirmed);
    for (const { unconfirmed: _, ...setup } of confirmed) await this.#store.put(setup);
    await this.load();
    this.#join(confirmed);
  }

  async #confirmConnections(setups: readonly WorkerSetup[]): Promise<void> {
    const { providerOf } = await this.#builtIn.presets();
    const isUsed = (id: string) => setups.some(({ connection }) => connection === id);
    for (const { unconfirmed, provider, ...connection } of this.connections) {
      if (!unconfirmed || !isUsed(connection.id)) continue;
      // The user has confirmed the address. A provider that can't be there has no effect, so its name is dropped.
      const isThere = providerOf({ provider, baseUrl: connection.baseUrl }).id === provider;
      await this.#connections.put(isThere ? { ...connection, provider } : connection);
    }
  }

  /** Stores a new or changed connection, and its address with each of its workers. Rejects with a `FaultError`. */
  async saveConnection(connection: Connection): Promise<void> {
    await this.#connections.put(connection);
    await this.load();
  }

  #join(setups: readonly WorkerSetup[]): void {
    const ids = setups.map(({ id }) => id);
    if (ids.length > 0) this.#change(withJoined(this.#preferences.current, this, ids));
  }

  #change(choice: PoolChoice): void {
    const { pool, otherPool } = choice;
    const { current } = this.#preferences;
    if (pool !== current.pool || otherPool !== current.otherPool) this.#preferences.change({ pool, otherPool });
  }

  /** Deletes a worker. Saved runs keep their own copies of the worker. */
  async remove(id: string): Promise<void> {
    await this.#store.delete(id);
    this.#change(withoutRemoved(this.#preferences.current, this, id));
    await this.load();
  }
}
