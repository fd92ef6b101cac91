/** @file The state that all pages share, made once from the services and handed down by context. */
import { getContext, setContext } from 'svelte';
import { toFault, type Fault } from '../../core/contract';
import type { Services } from '../services';
import { ConductState } from './conduct.svelte';
import { KeysState } from './keys.svelte';
import { ModelsState } from './models.svelte';
import { PreferencesState } from './preferences.svelte';
import { WorkersState } from './workers.svelte';

export class AppState {
  readonly preferences: PreferencesState;
  readonly models: ModelsState;
  readonly workers: WorkersState;
  readonly keys: KeysState;
  readonly conduct: ConductState;
  /** Preferences and workers have been read. */
  isReady = $state(false);
  /** Why something that was kept could not be read. */
  fault: Fault | null = $state.raw(null);

  /** @param firstQuestion stands on Conduct when nothing was ever typed */
  constructor(services: Services, firstQuestion: string) {
    this.preferences = new PreferencesState(services.preferences);
    this.models = new ModelsState(services.models, this.preferences);
    this.workers = new WorkersState(services, services.setups, this.preferences, this.models);
    this.keys = new KeysState(services);
    this.conduct = new ConductState(services, this, firstQuestion);
  }

  /** Reads what was kept. Where that fails the page works with its defaults and says so. */
  async load(): Promise<void> {
    try {
      await Promise.all([this.preferences.load(), this.workers.load(), this.keys.load()]);
      await this.models.load();
      this.isReady = true;
      await this.conduct.load();
    } catch (thrown) {
      this.fault = toFault(thrown);
    } finally {
      this.isReady = true;
    }
  }
}

const KEY = Symbol('app state');

export function provideAppState(state: AppState): AppState {
  return setContext(KEY, state);
}

/** Call while a component initialises. */
export function useAppState(): AppState {
  return getContext<AppState>(KEY);
}
