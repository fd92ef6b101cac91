/**
 * @file The state of the sentence models on the Models page: the available models, the model in use
 * and the cached files. Sentence models embed questions.
 */
import {
  isAbort,
  toFault,
  type CachedModel,
  type Fault,
  type SentenceModel,
  type SentenceModels,
  type SentenceModelState,
} from '../../core/contract';
import type { ModelServices, StorageServices } from '../services';

type Needed = ModelServices & Pick<StorageServices, 'storage'>;

export class SentenceShelf {
  readonly #services: Needed;
  #listed: readonly SentenceModel[] = $state.raw([]);
  #cached: readonly CachedModel[] = $state.raw([]);

  /**
   * The state of the model that is being downloaded or has failed, or else of the chosen model. `null` until
   * the state is known.
   */
  state: SentenceModelState | null = $state.raw(null);
  /** The chosen model, even if `state` is about another model. `null`: no model is chosen. */
  chosen: SentenceModel | null = $state.raw(null);
  /** Why the chosen model is unavailable. `null`: it is available, or no model is chosen. */
  chosenFault: Fault | null = $state.raw(null);
  /** Size of the shared runtime files that are not cached yet, in bytes. */
  missing = $state(0);
  /** The first fault since the user's last action began. Faults from loading a model are in `state`. */
  fault: Fault | null = $state.raw(null);
  /** The available models, and the chosen model even if it is not available. */
  readonly models: readonly SentenceModel[] = $derived.by(() => {
    const { chosen } = this;
    if (!chosen || this.#listed.some(({ id }) => id === chosen.id)) return this.#listed;
    return [...this.#listed, chosen];
  });

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Reads the state of the sentence models, and subscribes to changes. @returns a function that unsubscribes */
  open(): () => void {
    let close = () => {};
    let isClosed = false;
    void this.#attempt(async () => {
      const service = await this.#services.sentenceModels();
      if (isClosed) return;
      this.#apply(service);
      close = service.subscribe(() => this.#apply(service));
      this.#listed = await service.list();
      await this.#look();
    });
    return () => {
      isClosed = true;
      close();
    };
  }

  /** Reads the cache again. */
  async measure(): Promise<void> {
    await this.#act(() => this.#look());
  }

  cacheOf({ id }: SentenceModel): CachedModel | null {
    return this.#cached.find(({ manifestId, bytes }) => manifestId === id && bytes > 0) ?? null;
  }

  /** Switches to a model, and downloads it if it is not cached. If the load fails, `state` has the fault. */
  async use(model: SentenceModel): Promise<void> {
    // Persistent storage prevents the browser from deleting the cache when space is short. Some browsers ask
    // the user to allow persistent storage. So the page requests it here, right after a click.
    void this.#services.storage.persist();
    await this.#act(async () => {
      try {
        await (await this.#services.sentenceModels()).use(model);
      } catch (thrown) {
        if (!isAbort(thrown) && this.state?.kind !== 'failed') throw thrown;
      }
      await this.#look();
    });
  }

  async stop(): Promise<void> {
    await this.#act(async () => (await this.#services.sentenceModels()).stop());
  }

  /** Deletes a model from the cache. If this model is in use, no model is used from then on. */
  async remove(model: SentenceModel): Promise<void> {
    await this.#act(async () => {
      await (await this.#services.sentenceModels()).remove(model);
      await this.#look();
    });
  }

  #apply({ state, chosen, chosenFault }: Pick<SentenceModels, 'state' | 'chosen' | 'chosenFault'>): void {
    const before = this.state;
    this.state = state;
    this.chosen = chosen;
    this.chosenFault = chosenFault;
    if (before && state.kind !== before.kind) void this.#attempt(() => this.#look());
  }

  async #look(): Promise<void> {
    const { cache } = await this.#services.models.desk();
    this.#cached = await cache.list(this.models);
    this.missing = await (await this.#services.sentenceModels()).missing();
  }

  /** Clears the fault of the previous action, then carries out an action of the user. */
  async #act(work: () => Promise<void>): Promise<void> {
    this.fault = null;
    await this.#attempt(work);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.fault ??= toFault(thrown);
    }
  }
}
