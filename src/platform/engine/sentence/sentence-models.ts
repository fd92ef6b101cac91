/**
 * @file The one place for a sentence model: which is in use, and what becomes of it. It is fetched when a user says so, and
 * read from this machine whenever a question is to be placed. The work goes on where nobody waits for it any more, and the next
 * one to ask finds it done.
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
import { goneFault } from './faults';
import { HeldEngine } from './held-engine';
import type { SentenceLoader } from './loader';
import { Placing, type Yardstick } from './placing';

/** Failures in a row after which a model is not loaded again by itself. */
const MOST_FAILURES = 2;

export interface SentenceModelsOptions extends Yardstick {
  readonly clock: Clock;
  readonly models: readonly SentenceModel[];
  readonly loader: SentenceLoader;
  readonly cache: ModelCache;
  readonly vectors: KeptVectors;
  /** `known`: as they were last read or written here. */
  readonly preferences: PreferencesStore & { known(): Preferences };
  /** A channel of its own: `tellAll` tells other tabs that the choice has changed. */
  readonly notices: Pick<ChangeNotices, 'tellAll' | 'listenAll'>;
}

/** With the remembered choice, if its files are still here. Nothing is loaded yet. */
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
  /** The model in use, with what it said so far. */
  #placing: Placing | null = null;
  readonly #engine: HeldEngine;
  #failures = 0;

  constructor(options: SentenceModelsOptions) {
    this.#options = options;
    const { clock, loader } = options;
    this.#engine = new HeldEngine({ clock, loader, onstate: (state) => this.#show(state) });
  }

  get state(): SentenceModelState {
    return this.#state;
  }

  get chosen(): SentenceModel | null {
    return this.#placing?.model ?? null;
  }

  subscribe(listener: (state: SentenceModelState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  list(): Promise<readonly SentenceModel[]> {
    return Promise.resolve(this.#options.models);
  }

  async use(model: SentenceModel): Promise<void> {
    this.#failures = 0;
    try {
      if (!this.#engine.has(model)) await this.#engine.load(model, true);
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      throw new FaultError(await this.#fail(model, thrown));
    }
    this.#choose(model);
    await this.#remember(model.id);
  }

  stop(): void {
    if (!this.#engine.stop()) return;
    this.#rest();
    void this.#look();
  }

  async remove(model: SentenceModel): Promise<void> {
    const isOf = (other: SentenceModel | null) => other?.id === model.id;
    const isChosen = isOf(this.chosen);
    if (isChosen) this.#choose(null);
    if (isOf(this.#engine.loading)) this.stop();
    else if (this.#state.kind === 'failed' && isOf(this.#state.model)) this.#rest();
    if (isChosen) await this.#remember(null);
    await this.#options.cache.delete(model);
    await this.#options.vectors.deleteAll();
  }

  async embed(questions: readonly string[], signal: AbortSignal): Promise<QuestionEmbeddings | null> {
    if (signal.aborted) throw abortError();
    if (this.#options.preferences.known().sentenceModel !== (this.#placing?.model.id ?? null)) {
      await unlessAborted(this.follow(), signal);
    }
    const placing = this.#placing;
    if (!placing || !this.#isWorthATry(placing.model)) return null;
    const placed = placing.place(questions, signal).then(
      (embeddings) => {
        this.#failures = 0;
        return embeddings;
      },
      (thrown: unknown) => {
        if (!isAbort(thrown) && placing === this.#placing) {
          this.#failures++;
          void this.#fail(placing.model, thrown);
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

  /** Takes over the choice that stands in the preferences: as it was left, or as another tab or a backup has it. */
  async follow(): Promise<void> {
    const { preferences, models } = this.#options;
    try {
      const { sentenceModel } = await preferences.read();
      if (sentenceModel === (this.#placing?.model.id ?? null)) return;
      this.#choose(models.find(({ id }) => id === sentenceModel) ?? null);
    } catch {
      // Where storage refuses, it stays as it is.
      return;
    }
    await this.#look();
  }

  /** Says so where the files of the model in use are gone: the browser may delete them, and a backup does not hold them. */
  async #look(): Promise<void> {
    const model = this.#placing?.model;
    if (!model || this.#isLoaded(model)) return;
    // Where the cache cannot be asked, loading will tell.
    const [kept] = await this.#options.cache.list([model]).catch(() => [{ complete: true }]);
    if (kept?.complete || this.#placing?.model !== model || this.#isLoaded(model)) return;
    this.#show({ kind: 'failed', model, fault: goneFault(model) });
  }

  #isLoaded(model: SentenceModel): boolean {
    return this.#engine.loading !== null || this.#engine.has(model);
  }

  /** What fails the same way again is not tried again by itself. */
  #isWorthATry(model: SentenceModel): boolean {
    const { state } = this;
    if (state.kind !== 'failed' || state.model.id !== model.id) return true;
    return state.fault.retryable && this.#failures < MOST_FAILURES;
  }

  /** Puts a model into use, loaded or not, or none. */
  #choose(model: SentenceModel | null): void {
    if (model?.id !== this.#placing?.model.id) {
      this.#placing?.end();
      this.#placing = model && this.#placingWith(model);
    }
    this.#engine.letGo(model);
    if (this.#engine.loading === null) this.#rest();
  }

  #placingWith(model: SentenceModel): Placing {
    const { reference, kernelWidthOf, vectors } = this.#options;
    return new Placing({ model, reference, kernelWidthOf, vectors, engine: () => this.#engine.for(model) });
  }

  async #fail(model: SentenceModel, thrown: unknown): Promise<Fault> {
    const because = toFault(thrown);
    // The next fetch begins anew, or it would find the same damage.
    if (because.code === 'broken-reply') await this.#options.cache.delete(model).catch(() => undefined);
    if (this.#engine.loading === null) this.#show({ kind: 'failed', model, fault: because });
    return because;
  }

  async #remember(id: string | null): Promise<void> {
    await this.#options.preferences.write({ sentenceModel: id });
    this.#options.notices.tellAll();
  }

  /** Nothing is under way. */
  #rest(): void {
    const model = this.#placing?.model;
    this.#show(model ? { kind: 'ready', model } : { kind: 'none' });
  }

  #show(state: SentenceModelState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
