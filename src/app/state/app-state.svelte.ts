/** @file The state that all pages share. It is created once from the services and provided by context. */
import { getContext, setContext } from 'svelte';
import { loadOnce, toFault, type Fault } from '../../core/contract';
import type { LostRuns } from '../../core/contract';
import type { Services } from '../services';
import type { Backups } from './backups.svelte';
import { ConductState } from './conduct.svelte';
import { hasDeletedRuns } from './deleted-runs-memory';
import { KeysState } from './keys.svelte';
import { ModelsState } from './models.svelte';
import { PreferencesState } from './preferences.svelte';
import type { RunFiles } from './run-files.svelte';
import type { TrainingState } from './training.svelte';
import { WorkersState } from './workers.svelte';

export class AppState {
  readonly preferences: PreferencesState;
  readonly models: ModelsState;
  readonly workers: WorkersState;
  readonly keys: KeysState;
  readonly conduct: ConductState;
  /** Lazy-loads the state of backups. It is kept while the user visits other pages, because a backup takes a while. */
  readonly backups = loadOnce(async () => {
    const { Backups } = await import('./backups.svelte');
    return (this.openedBackups = new Backups(this.#services, () => this.reload()));
  }, 'backups');
  /** The state of backups. `null` if it was not loaded. */
  openedBackups: Backups | null = null;
  /** Exports and imports of runs. `null`: no page has needed them yet. See `runFilesOf`. */
  openedRunFiles: RunFiles | null = null;
  /** A file that the user dropped on the page, and that *Evaluate* has not imported yet. */
  dropped: { readonly kind: 'dataset' | 'batch'; readonly file: File } | null = $state.raw(null);
  /** Whether the first read of preferences and workers has ended, even if it failed. */
  isReady = $state(false);
  /** Why a part of storage could not be read. */
  fault: Fault | null = $state.raw(null);
  /** Stored runs that are missing although the user did not delete them. `null`: none are known. */
  lost: LostRuns | null = $state.raw(null);
  readonly #services: Services;
  #training: Promise<TrainingState> | null = null;

  /** @param firstQuestion shown on Conduct if no question was typed in this tab */
  constructor(services: Services, firstQuestion: string) {
    this.#services = services;
    this.preferences = new PreferencesState(services.preferences);
    this.models = new ModelsState(services.models, this.preferences);
    this.workers = new WorkersState(services, this.preferences, this.models);
    this.keys = new KeysState(services, () => this.workers.load());
    this.conduct = new ConductState(services, this, firstQuestion);
    services.notices.listenAll(() => void this.reload());
    services.notices.listenPolicies(() => void this.#reloadPolicies());
  }

  /** Reads everything from storage. If that fails, the page shows `fault` and works with defaults. */
  async load(): Promise<void> {
    try {
      this.lost = await this.#services.lostRuns.find();
      this.fault = null;
      await Promise.all([this.preferences.load(), this.workers.load(), this.keys.load()]);
      await this.models.load();
      this.isReady = true;
      await this.conduct.load();
    } catch (thrown) {
      this.fault = toFault(thrown);
    } finally {
      this.isReady = true;
      this.#services.preloadExecutor();
      void this.#completeDeletion();
    }
  }

  /**
   * Continues deletions that were pending when their tab was closed. The user can still undo them together,
   * until the latest time to undo is over.
   */
  async #completeDeletion(): Promise<void> {
    if (!hasDeletedRuns()) return;
    try {
      const { deletionOf } = await import('./run-deletion.svelte');
      await deletionOf(this.#services.runs).resume();
    } catch {
      // The list of runs tries the deletion again, and shows the fault.
    }
  }

  /** Rereads everything that may have changed when a backup was restored, in this tab or another. */
  async reload(): Promise<void> {
    try {
      await Promise.all([this.preferences.load(), this.workers.load(), this.keys.load()]);
      await this.models.load();
      await (await this.#training)?.policies.load();
      this.lost = await this.#services.lostRuns.find();
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  /** Rereads the policies after another tab has changed the policy in use or the stored policies. */
  async #reloadPolicies(): Promise<void> {
    try {
      await this.preferences.rereadPolicy();
      await (await this.#training)?.policies.load();
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  /** Lazy-loads the state of training. If loading fails, the next call tries again. */
  training(): Promise<TrainingState> {
    this.#training ??= import('./training.svelte')
      .then(({ openTraining }) => openTraining(this.#services, this.preferences))
      .catch((thrown: unknown) => {
        this.#training = null;
        throw thrown;
      });
    return this.#training;
  }

  /** The state of training. `null` if `training` was not called. */
  async openedTraining(): Promise<TrainingState | null> {
    return this.#training;
  }

  /** Hides the warning about lost runs, now and in later visits. */
  async dismissLost(): Promise<void> {
    this.lost = null;
    await this.#services.lostRuns.dismiss().catch(() => undefined);
  }
}

const KEY = Symbol('app state');

export function provideAppState(state: AppState): AppState {
  return setContext(KEY, state);
}

/** Returns the app's state. Call it while a component initializes. */
export function useAppState(): AppState {
  return getContext<AppState>(KEY);
}
