/**
 * @file Manages the sentence model in use, which computes embeddings of questions. The model is downloaded at
 * the user's request, and loaded from this machine when a question needs an embedding. If a request is
 * aborted, a load or a computation that has begun continues, so that the next request can use the result.
 */
import {
  abortError,
  FaultError,
  isAbort,
  toFault,
  unlessAborted,
  type ChangeNotices,
  type Clock,
  type Fault,
  type KeptVectors,
  type ModelCache,
  type Preferences,
  type PreferencesStore,
  type QuestionEmbeddings,
  type SentenceModel,
  type SentenceModels,
  type SentenceModelState,
} from '../../../core/contract';
import { missingFault, stoppedFault } from './sentence-faults';
import { HeldEngine } from './held-engine';
import { vectorsNameOf } from './known-vectors';
import type { SentenceLoader } from './loader';
import { Placing } from './placing';

/** Number of consecutive failures after which a model is not reloaded automatically. */
const MOST_FAILURES = 2;

export interface SentenceModelsOptions {
  readonly clock: Clock;
  readonly models: readonly SentenceModel[];
  readonly loader: SentenceLoader;
  readonly cache: ModelCache;
  readonly vectors: KeptVectors;
  /** `known` returns the preferences as last read or written by this tab. */
  readonly preferences: PreferencesStore & { known(): Preferences };
  /** A channel that is used only for the choice of the model. `notifyAll` notifies other tabs that the choice has changed. */
  readonly notices: Pick<ChangeNotices, 'notifyAll' | 'listenAll'>;
}

/** Restores the stored choice of a model. If files of this model are missing, the state has a fault. Loads no model. */
export async function createSentenceModels(options: SentenceModelsOptions): Promise<SentenceModels> {
  const models = new LocalSentenceModels(options);
  options.notices.listenAll(() => void models.follow());
  await models.follow();
  return models;
}

class LocalSentenceModels implements SentenceModels {
  readonly #options: SentenceModelsOptions;
  readonly #listeners = new Set<(state: SentenceModelState) => void>();
  #state: SentenceModelState = { kind: 'none' };
  /** The model in use, with its known embeddings. */
  #placing: Placing | null = null;
  #chosenFault: Fault | null = null;
  /**
   * The chosen model's id, as this tab last read or wrote it. This version of Podium doesn't necessarily know
   * the model.
   */
  #followed: string | null = null;
  #written: Promise<void> = Promise.resolve();
  readonly #engine: HeldEngine;
  #failures = 0;

  constructor(options: SentenceModelsOptions) {
    this.#options = options;
    const { clock, loader } = options;
    this.#engine = new HeldEngine({
      clock,
      loader,
      onprogress: (model, progress) => this.#show({ kind: 'loading', model, progress }),
      onread: () => {
        this.#chosenFault = null;
        this.#showCurrent();
      },
      onfetched: (model) => this.#renew(model),
      onlost: (model, because) => void this.#fail(model, because),
    });
  }

  get state(): SentenceModelState {
    return this.#state;
  }

  get chosen(): SentenceModel | null {
    return this.#placing?.model ?? null;
  }

  get chosenFault(): Fault | null {
    return this.#chosenFault;
  }

  subscribe(listener: (state: SentenceModelState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  list(): Promise<readonly SentenceModel[]> {
    return Promise.resolve(this.#options.models);
  }

  missing(): Promise<number> {
    return this.#options.loader.missing();
  }

  async use(model: SentenceModel): Promise<void> {
    this.#failures = 0;
    // Damaged files are deleted first. Otherwise the download would keep them, and loading would fail again.
    const isDamaged = this.#faultOf(model)?.code === 'broken-reply';
    const first = isDamaged ? () => this.#options.cache.delete(model).catch(() => undefined) : null;
    try {
      // The download replaces the model in memory, so requests to it end here. They are not failures of that model.
      if (!this.#isChosen(model)) this.forget();
      if (!this.#engine.has(model)) await this.#engine.fetch(model, first);
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      throw new FaultError(this.#fail(model, toFault(thrown)));
    }
    this.#chosenFault = null;
    this.#choose(model);
    await this.#remember(model.id);
  }

  stop(): void {
    const { fetching, reading } = this.#engine;
    if (!fetching && !reading) return;
    this.#engine.stop();
    if (reading) this.#chosenFault = stoppedFault(reading);
    this.#showCurrent();
    void this.#look();
  }

  async remove(model: SentenceModel): Promise<void> {
    const isChosen = this.#isChosen(model);
    if (this.#engine.fetching?.id === model.id) this.#engine.stop();
    if (isChosen) this.#choose(null);
    if (this.#state.kind !== 'none' && this.#state.model.id === model.id) this.#showCurrent();
    const { cache, vectors } = this.#options;
    const parts = await Promise.allSettled([
      isChosen ? this.#remember(null) : Promise.resolve(),
      cache.delete(model),
      vectors.deleteOf(vectorsNameOf(model)),
    ]);
    const failed = parts.find((part) => part.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async embed(
    questions: readonly string[],
    signal: AbortSignal,
    areUnstored = false,
  ): Promise<QuestionEmbeddings | null> {
    if (signal.aborted) throw abortError();
    if (this.#options.preferences.known().sentenceModel !== this.#followed) {
      await unlessAborted(this.follow(), signal);
    }
    const placing = this.#placing;
    if (!placing || !this.#isWorthATry()) return null;
    // One model is in memory at a time.
    const { fetching } = this.#engine;
    if (fetching && fetching.id !== placing.model.id) return null;
    const placed = placing.place(questions, signal, areUnstored).then(
      (embeddings) => {
        this.#failures = 0;
        return embeddings;
      },
      (thrown: unknown) => {
        if (!isAbort(thrown) && placing === this.#placing) {
          this.#failures++;
          this.#fail(placing.model, toFault(thrown));
        }
        return null;
      },
    );
    return unlessAborted(placed, signal);
  }

  forget(): void {
    const model = this.#placing?.model;
    this.#placing?.end();
    this.#placing = model ? this.#placingWith(model) : null;
  }

  /** Applies the choice in the preferences. Another tab or a restored backup may have changed the choice. */
  async follow(): Promise<void> {
    const { preferences, models } = this.#options;
    try {
      await this.#written.catch(() => undefined);
      const { sentenceModel } = await preferences.read();
      if (sentenceModel === this.#followed) return await this.#recover();
      this.#followed = sentenceModel;
      this.#choose(models.find(({ id }) => id === sentenceModel) ?? null);
    } catch {
      // If storage fails, the choice does not change.
      return;
    }
    await this.#look();
  }

  /** Reports missing files of the model in use. The browser may have deleted them, and backups don't contain them. */
  async #look(): Promise<void> {
    const model = this.#placing?.model;
    if (!model || this.#isLoaded(model)) return;
    // If the cache is unavailable, the failure is reported when the model is loaded.
    const [kept] = await this.#options.cache.list([model]).catch(() => [{ complete: true }]);
    if (kept?.complete || this.#placing?.model !== model || this.#isLoaded(model)) return;
    this.#fail(model, missingFault(model));
  }

  /** Clears the fault about missing files if another tab has downloaded them again. */
  async #recover(): Promise<void> {
    const missing = this.#chosenFault;
    const model = this.chosen;
    if (!model || missing?.code !== 'not-found') return;
    const [kept] = await this.#options.cache.list([model]);
    if (!kept?.complete || this.#chosenFault !== missing) return;
    this.#chosenFault = null;
    if (this.#engine.fetching === null) this.#showCurrent();
  }

  #isChosen(model: SentenceModel): boolean {
    return this.chosen?.id === model.id;
  }

  /** Whether the model is loaded or loading. */
  #isLoaded(model: SentenceModel): boolean {
    const { fetching, reading } = this.#engine;
    return [fetching, reading].some((each) => each?.id === model.id) || this.#engine.has(model);
  }

  #faultOf(model: SentenceModel): Fault | null {
    if (this.#isChosen(model)) return this.#chosenFault;
    return this.#state.kind === 'failed' && this.#state.model.id === model.id ? this.#state.fault : null;
  }

  /**
   * Whether the model may be loaded automatically. False after repeated failures or a fault that is not
   * retryable.
   */
  #isWorthATry(): boolean {
    if (!this.#chosenFault) return true;
    return this.#chosenFault.retryable && this.#failures < MOST_FAILURES;
  }

  /** Sets the model in use, whether it is loaded or not. */
  #choose(model: SentenceModel | null): void {
    if (model?.id !== this.#placing?.model.id) {
      this.#chosenFault = null;
      this.#placing?.end();
      this.#placing = model && this.#placingWith(model);
    }
    if (this.#engine.fetching) return;
    if (!model || !this.#isLoaded(model)) this.#engine.stop();
    this.#showCurrent();
  }

  /** Deletes the model’s stored embeddings after a download, because the new files may compute different embeddings. */
  async #renew(model: SentenceModel): Promise<void> {
    if (this.#isChosen(model)) {
      this.#placing?.end();
      this.#placing = this.#placingWith(model);
    }
    // If storage fails, the embeddings can't be deleted. But then they can't be read either, so the error is
    // ignored.
    await this.#options.vectors.deleteOf(vectorsNameOf(model)).catch(() => undefined);
  }

  #placingWith(model: SentenceModel): Placing {
    const { vectors } = this.#options;
    return new Placing({ model, vectors, engine: () => this.#engine.for(model) });
  }

  #fail(model: SentenceModel, because: Fault): Fault {
    if (this.#isChosen(model)) {
      this.#chosenFault = because;
      // A model that returned invalid output is not used again before it is reloaded.
      if (because.code === 'broken-reply' && !this.#engine.fetching) this.#engine.stop();
    }
    if (this.#engine.fetching === null) this.#show({ kind: 'failed', model, fault: because });
    return because;
  }

  #remember(id: string | null): Promise<void> {
    const { preferences, notices } = this.#options;
    this.#followed = id;
    this.#written = preferences.write({ sentenceModel: id }).then(() => notices.notifyAll());
    return this.#written;
  }

  /** Shows the state of the model in use. Call it only when no model is downloading. */
  #showCurrent(): void {
    const { chosen: model, chosenFault } = this;
    const { reading } = this.#engine;
    if (!model) this.#show({ kind: 'none' });
    else if (reading) this.#show({ kind: 'loading', model: reading, progress: null });
    else this.#show(chosenFault ? { kind: 'failed', model, fault: chosenFault } : { kind: 'ready', model });
  }

  #show(state: SentenceModelState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
