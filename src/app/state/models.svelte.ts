/** @file The local models, shared by all pages: the model that is loaded or loading, and the models that the user can choose. */
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import {
  isAbort,
  localWorker,
  type EngineSpeed,
  type LocalEngine,
  type ModelManifest,
  type ModelState,
  type PoolWorker,
} from '../../core/contract';
import type { LocalModels, OfferedModel } from '../services';
import type { PreferencesState } from './preferences.svelte';

/** The part of a `ModelState` that changes rarely. Leaves out progress and speed, which change many times per second. */
interface Held {
  readonly kind: Exclude<ModelState['kind'], 'idle'>;
  readonly manifest: ModelManifest;
  readonly device: LocalEngine['device'] | null;
}

export class ModelsState {
  readonly #services: LocalModels;
  readonly #preferences: PreferencesState;
  #held: Held | null = $state.raw(null);

  /** The state of the model that is loaded or loading, with progress and speed. */
  state: ModelState = $state.raw({ kind: 'idle' });
  /** The built-in models. Empty until `readAll`. */
  builtIn: readonly ModelManifest[] = $state.raw([]);
  own: readonly ModelManifest[] = $state.raw([]);
  readonly all: readonly ModelManifest[] = $derived.by(() => {
    // Cached files and folders are keyed by model id, so an imported model must not replace a built-in model.
    const own = this.own.filter(({ id }) => !this.builtIn.some((each) => each.id === id));
    return [...own, ...this.builtIn];
  });

  /** The loaded model. A model in the state `lost` counts as loaded, because its next use reloads it. */
  readonly loaded: ModelManifest | null = $derived.by(() => {
    const kind = this.#held?.kind;
    return kind === 'ready' || kind === 'lost' ? (this.#held?.manifest ?? null) : null;
  });
  /** The loaded model as a worker. */
  readonly worker: PoolWorker | null = $derived.by(() => this.loaded && localWorker(this.loaded));
  /** The model that was loaded last, in this session or an earlier one. */
  readonly last: ModelManifest | null = $derived.by(() => this.find(this.#preferences.current.model));
  /**
   * Local models in the list of Conductors: the current model (loaded, loading or failed), the last loaded model, and the
   * model of the chosen Conductor.
   */
  readonly offered: readonly OfferedModel[] = $derived.by(() => {
    const chosen = this.find(/^local:(.*)$/s.exec(modelOf(this.#preferences.current.conductor ?? ''))?.[1] ?? null);
    const shown = [this.#held?.manifest ?? null, this.last, chosen].filter((each) => each !== null);
    const unique = shown.filter((each, index) => shown.findIndex(({ id }) => id === each.id) === index);
    return unique.map((manifest) => this.#offer(manifest));
  });

  constructor(services: LocalModels, preferences: PreferencesState) {
    this.#services = services;
    this.#preferences = preferences;
    this.#apply(services.host.state);
    services.host.subscribe((state) => this.#apply(state));
  }

  /** Reads all manifests if a model was ever loaded or is chosen as the Conductor. Otherwise the Conduct page needs none. */
  async load(): Promise<void> {
    const { model, conductor } = this.#preferences.current;
    if (model !== null || modelOf(conductor ?? '').startsWith('local:')) await this.readAll();
  }

  /** Reads all manifests. Rejects with a `FaultError` on failure. */
  async readAll(): Promise<void> {
    const [desk, own] = await Promise.all([this.#services.desk(), this.#services.own.list()]);
    this.builtIn = desk.builtIn;
    this.own = own;
  }

  find(id: string | null): ModelManifest | null {
    return this.all.find((manifest) => manifest.id === id) ?? null;
  }

  /** Downloads and loads a model, and makes it the Conductor. If loading fails, `state` has the fault. */
  async use(manifest: ModelManifest): Promise<void> {
    try {
      await this.#services.host.load(manifest);
      const { conductor } = this.#preferences.current;
      const own = `local:${manifest.id}`;
      // If the user chose a combination of this model with the policy, the combination stays chosen.
      this.#preferences.change({
        model: manifest.id,
        conductor: conductor !== null && modelOf(conductor) === own ? conductor : own,
      });
    } catch (thrown) {
      if (!isAbort(thrown) && this.state.kind !== 'failed') throw thrown;
    }
  }

  cancel(): Promise<void> {
    return this.#services.host.cancel();
  }

  unload(): Promise<void> {
    return this.#services.host.unload();
  }

  /** Adds or changes one of the user's own models. Rejects with a `FaultError` if storing fails. */
  async saveOwn(manifest: ModelManifest): Promise<void> {
    await this.#services.own.put(manifest);
    this.own = await this.#services.own.list();
  }

  async removeOwn(id: string): Promise<void> {
    await this.#services.own.delete(id);
    this.own = await this.#services.own.list();
  }

  /** Stores the measured speed for the next visit. */
  #remember(id: string, speed: EngineSpeed): void {
    const { speeds } = this.#preferences.current;
    if (speeds[id] !== speed) this.#preferences.change({ speeds: { ...speeds, [id]: speed } });
  }

  #offer(manifest: ModelManifest): OfferedModel {
    const held = this.#held;
    if (held?.manifest.id !== manifest.id || held.kind === 'failed') return { manifest, phase: 'absent', device: null };
    if (held.kind === 'loading') return { manifest, phase: 'loading', device: null };
    return { manifest, phase: 'loaded', device: held.device };
  }

  #apply(state: ModelState): void {
    if (state.kind === 'ready' && state.speed) this.#remember(state.manifest.id, state.speed);
    this.state = state;
    const held = heldBy(state, this.#held);
    if (!isSame(held, this.#held)) this.#held = held;
  }
}

/**
 * If `conductor` combines a model with the policy, returns the id of the Conductor that uses the model alone.
 * Otherwise returns `conductor`.
 */
function modelOf(conductor: string): string {
  return partOfPolicy(conductor)?.model ?? conductor;
}

/** The part of a state that changes rarely. In the state `lost`, `device` keeps its last value. */
function heldBy(state: ModelState, before: Held | null): Held | null {
  if (state.kind === 'idle') return null;
  const { kind, manifest } = state;
  if (kind === 'ready') return { kind, manifest, device: state.device };
  return { kind, manifest, device: kind === 'lost' ? (before?.device ?? null) : null };
}

function isSame(one: Held | null, other: Held | null): boolean {
  return one?.kind === other?.kind && one?.manifest === other?.manifest && one?.device === other?.device;
}
