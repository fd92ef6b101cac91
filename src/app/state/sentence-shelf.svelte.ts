/** @file What the Models page knows of sentence models: which can be had, which is in use, and what is kept of each. */
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

  /** `null` until it is known. */
  state: SentenceModelState | null = $state.raw(null);
  /** The one that is chosen, whatever becomes of another that was asked for. */
  chosen: SentenceModel | null = $state.raw(null);
  /** Why the chosen one is not to be had now. */
  chosenFault: Fault | null = $state.raw(null);
  /** Bytes that any of them needs and that are not here yet. */
  missing = $state(0);
  /** Why something could not be found out or done, beside what `state` says. */
  fault: Fault | null = $state.raw(null);
  /** Those that can be had, and the chosen one wherever it came from. */
  readonly models: readonly SentenceModel[] = $derived.by(() => {
    const { chosen } = this;
    if (!chosen || this.#listed.some(({ id }) => id === chosen.id)) return this.#listed;
    return [...this.#listed, chosen];
  });

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Reads what the page shows and follows what happens. @returns how to stop following */
  open(): () => void {
    let close = () => {};
    let isClosed = false;
    void this.#say(async () => {
      const service = await this.#services.sentenceModels();
      if (isClosed) return;
      this.#take(service);
      close = service.subscribe(() => this.#take(service));
      this.#listed = await service.list();
      await this.#look();
    });
    return () => {
      isClosed = true;
      close();
    };
  }

  /** Looks again at what is kept. */
  async measure(): Promise<void> {
    await this.#say(() => this.#look());
  }

  cacheOf({ id }: SentenceModel): CachedModel | null {
    return this.#cached.find(({ manifestId, bytes }) => manifestId === id && bytes > 0) ?? null;
  }

  /** Fetches a model where it is not kept yet, and uses it. What goes wrong is in `state`. */
  async use(model: SentenceModel): Promise<void> {
    // A browser short of space drops what nobody asked it to keep; some ask the user, so it is done when the user acts.
    void this.#services.storage.persist();
    await this.#say(async () => {
      try {
        await (await this.#services.sentenceModels()).use(model);
      } catch (thrown) {
        if (!isAbort(thrown) && this.state?.kind !== 'failed') throw thrown;
      }
      await this.#look();
    });
  }

  async stop(): Promise<void> {
    await this.#say(async () => (await this.#services.sentenceModels()).stop());
  }

  /** Deletes what is kept of a model; if it is the one in use, none is used from now on. */
  async remove(model: SentenceModel): Promise<void> {
    await this.#say(async () => {
      await (await this.#services.sentenceModels()).remove(model);
      await this.#look();
    });
  }

  #take({ state, chosen, chosenFault }: Pick<SentenceModels, 'state' | 'chosen' | 'chosenFault'>): void {
    const before = this.state;
    this.state = state;
    this.chosen = chosen;
    this.chosenFault = chosenFault;
    if (before && state.kind !== before.kind) void this.measure();
  }

  async #look(): Promise<void> {
    const { cache } = await this.#services.models.desk();
    this.#cached = await cache.list(this.models);
    this.missing = await (await this.#services.sentenceModels()).missing();
  }

  async #say(work: () => Promise<void>): Promise<void> {
    try {
      this.fault = null;
      await work();
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }
}
