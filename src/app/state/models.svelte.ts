/** @file Local models as state that every page shares: which one is loaded or on its way, and which may be chosen. */
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

/** What of the host's state others depend on. Progress and speed change many times a second, this does not. */
interface Held {
  readonly kind: Exclude<ModelState['kind'], 'idle'>;
  readonly manifest: ModelManifest;
  readonly device: LocalEngine['device'] | null;
}

export class ModelsState {
  readonly #services: LocalModels;
  readonly #preferences: PreferencesState;
  #held: Held | null = $state.raw(null);

  /** What the one place for a model is doing, with progress and speed. */
  state: ModelState = $state.raw({ kind: 'idle' });
  /** Empty until `readAll`. */
  builtIn: readonly ModelManifest[] = $state.raw([]);
  own: readonly ModelManifest[] = $state.raw([]);
  readonly all: readonly ModelManifest[] = $derived.by(() => {
    // Cache and folders go by ids, so a model from a file does not take the place of a built-in one.
    const own = this.own.filter(({ id }) => !this.builtIn.some((each) => each.id === id));
    return [...own, ...this.builtIn];
  });

  /** The one that can be asked now. */
  readonly loaded: ModelManifest | null = $derived.by(() => {
    const kind = this.#held?.kind;
    return kind === 'ready' || kind === 'lost' ? (this.#held?.manifest ?? null) : null;
  });
  /** It as a worker. */
  readonly worker: PoolWorker | null = $derived.by(() => this.loaded && localWorker(this.loaded));
  /** The one that was loaded last, here or in an earlier session. */
  readonly last: ModelManifest | null = $derived.by(() => this.find(this.#preferences.current.model));
  /** Those that the list of Conductors shows: the one that is here, the one that was last, the one that is chosen. */
  readonly offered: readonly OfferedModel[] = $derived.by(() => {
    const chosen = this.find(/^local:(.*)$/s.exec(modelOf(this.#preferences.current.conductor))?.[1] ?? null);
    const shown = [this.#held?.manifest ?? null, this.last, chosen].filter((each) => each !== null);
    const unique = shown.filter((each, index) => shown.findIndex(({ id }) => id === each.id) === index);
    return unique.map((manifest) => this.#offer(manifest));
  });

  constructor(services: LocalModels, preferences: PreferencesState) {
    this.#services = services;
    this.#preferences = preferences;
    this.#take(services.host.state);
    services.host.subscribe((state) => this.#take(state));
  }

  /** Reads what Conduct needs: nothing for those who never loaded a model. */
  async load(): Promise<void> {
    const { model, conductor } = this.#preferences.current;
    if (model !== null || modelOf(conductor).startsWith('local:')) await this.readAll();
  }

  /** Reads every manifest. Rejects with a `FaultError`. */
  async readAll(): Promise<void> {
    const [desk, own] = await Promise.all([this.#services.desk(), this.#services.own.list()]);
    this.builtIn = desk.builtIn;
    this.own = own;
  }

  find(id: string | null): ModelManifest | null {
    return this.all.find((manifest) => manifest.id === id) ?? null;
  }

  /** Downloads and loads a model, and lets it conduct. What goes wrong is in `state`. */
  async use(manifest: ModelManifest): Promise<void> {
    try {
      await this.#services.host.load(manifest);
      const { conductor } = this.#preferences.current;
      const own = `local:${manifest.id}`;
      // What was chosen for it together with the policy stays chosen.
      this.#preferences.change({ model: manifest.id, conductor: modelOf(conductor) === own ? conductor : own });
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

  /** Adds or changes a model of the user's. Rejects with a `FaultError` if it could not be kept. */
  async saveOwn(manifest: ModelManifest): Promise<void> {
    await this.#services.own.put(manifest);
    this.own = await this.#services.own.list();
  }

  async removeOwn(id: string): Promise<void> {
    await this.#services.own.delete(id);
    this.own = await this.#services.own.list();
  }

  /** What was measured stays, so that the next visit can choose by it. */
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

  #take(state: ModelState): void {
    if (state.kind === 'ready' && state.speed) this.#remember(state.manifest.id, state.speed);
    this.state = state;
    const held = heldBy(state, this.#held);
    if (!isSame(held, this.#held)) this.#held = held;
  }
}

/** The id of the model's own Conductor, where the policy does a part of it. */
function modelOf(conductor: string): string {
  return partOfPolicy(conductor)?.model ?? conductor;
}

/** A model that was lost ran where it will run again. */
function heldBy(state: ModelState, before: Held | null): Held | null {
  if (state.kind === 'idle') return null;
  const { kind, manifest } = state;
  if (kind === 'ready') return { kind, manifest, device: state.device };
  return { kind, manifest, device: kind === 'lost' ? (before?.device ?? null) : null };
}

function isSame(one: Held | null, other: Held | null): boolean {
  return one?.kind === other?.kind && one?.manifest === other?.manifest && one?.device === other?.device;
}
