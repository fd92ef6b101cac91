/**
 * @file Chooses a Conductor automatically while the user has not chosen one. The choice depends on the pool, the loaded model,
 * the internet connection, the Private setting, the attached images and the grades of saved runs.
 */
import { defaultConductor, type DefaultConductor } from '../../core/conductor/default-conductor';
import { localConductorInfo, type GradedRun } from '../../core/contract';
import type { RunServices } from '../services';
import type { ModelsState } from './models.svelte';
import type { PreferencesState } from './preferences.svelte';
import type { WorkersState } from './workers.svelte';

interface Parts {
  readonly preferences: PreferencesState;
  readonly workers: WorkersState;
  readonly models: ModelsState;
}

export class AutomaticConductor {
  readonly #runs: RunServices['runs'];
  readonly #parts: Parts;
  readonly #hasImages: () => boolean;
  #isOnline = $state(navigator.onLine);
  #history: readonly GradedRun[] = $state.raw([]);

  readonly current: DefaultConductor = $derived.by(() => {
    const { preferences, workers, models } = this.#parts;
    return defaultConductor({
      pool: workers.pool,
      local: models.loaded && localConductorInfo(models.loaded),
      isOnline: this.#isOnline,
      isPrivate: preferences.current.isPrivate,
      hasImages: this.#hasImages(),
      history: this.#history,
    });
  });

  /** @param hasImages whether images are attached to the question */
  constructor({ runs }: Pick<RunServices, 'runs'>, parts: Parts, hasImages: () => boolean) {
    this.#runs = runs;
    this.#parts = parts;
    this.#hasImages = hasImages;
    addEventListener('online', () => (this.#isOnline = true));
    addEventListener('offline', () => (this.#isOnline = false));
  }

  /** Reloads the grades of saved runs. If that fails, Podium chooses without grades. */
  async refresh(): Promise<void> {
    this.#history = await this.#runs.history().catch(() => []);
  }
}
