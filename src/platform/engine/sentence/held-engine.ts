/**
 * @file Manages up to three sentence models: the loaded model, a model that the user is downloading (`fetching`), and a model
 * that is being loaded from stored files (`reading`). The loaded model stays in use until another is ready. An idle model is
 * unloaded to free memory.
 */
import { abortError, type Clock, type Fault, type LoadProgress, type SentenceModel } from '../../../core/contract';
import type { SentenceEngine, SentenceLoader } from './loader';

/** Time in ms without a request after which the model is unloaded. */
const IDLE = 10 * 60_000;

export interface HeldEngineOptions {
  readonly clock: Clock;
  readonly loader: SentenceLoader;
  /**
   * Receives the progress of a load, and `null` when the load begins. During a download, the progress of
   * loads from stored files is not reported.
   */
  readonly onprogress: (model: SentenceModel, progress: LoadProgress | null) => void;
  /** Whether a model that was loaded from stored files may still be used. */
  readonly isWanted: (model: SentenceModel) => boolean;
  /** Called when a model was loaded from stored files, unless another model is being downloaded. */
  readonly onread: (model: SentenceModel) => void;
  /** Called when files of the model were downloaded. The model is not used before the returned promise resolves. */
  readonly onfetched: (model: SentenceModel) => Promise<void>;
  /** Called when the Web Worker of the loaded model has failed. */
  readonly onlost: (model: SentenceModel, because: Fault) => void;
}

interface Loading {
  readonly model: SentenceModel;
  readonly stop: AbortController;
  readonly engine: Promise<SentenceEngine>;
}

type Place = 'fetching' | 'reading';

export class HeldEngine {
  readonly #options: HeldEngineOptions;
  #held: { readonly model: SentenceModel; readonly engine: SentenceEngine } | null = null;
  readonly #loading: Record<Place, Loading | null> = { fetching: null, reading: null };
  #idle = new AbortController();

  constructor(options: HeldEngineOptions) {
    this.#options = options;
  }

  /** The model that the user is downloading. */
  get fetching(): SentenceModel | null {
    return this.#loading.fetching?.model ?? null;
  }

  /** The model that is being loaded from stored files. */
  get reading(): SentenceModel | null {
    return this.#loading.reading?.model ?? null;
  }

  /** Whether the model is loaded. */
  has(model: SentenceModel): boolean {
    return this.#held?.model.id === model.id;
  }

  /**
   * The engine of the model. If the model is neither loaded nor loading, it is loaded from stored files. Rejects with a
   * `FaultError`, or with an `AbortError` if the load is stopped.
   */
  for(model: SentenceModel): Promise<SentenceEngine> {
    this.#wait();
    if (this.#held?.model.id === model.id) return Promise.resolve(this.#held.engine);
    const { fetching, reading } = this.#loading;
    const onItsWay = [fetching, reading].find((each) => each?.model.id === model.id);
    return onItsWay ? onItsWay.engine : this.#begin(model, false, null);
  }

  /**
   * Downloads and loads a model, which then replaces the loaded model. Stops an earlier download. Rejects with a `FaultError`, or
   * with an `AbortError` if the download is stopped.
   * @param first runs before the download. If it rejects, nothing is downloaded
   */
  fetch(model: SentenceModel, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    if (this.reading?.id === model.id) this.stop('reading');
    return this.#begin(model, true, first);
  }

  /** Stops the download (`fetching`) or the load from stored files (`reading`). */
  stop(place: Place): void {
    const loading = this.#loading[place];
    this.#loading[place] = null;
    loading?.stop.abort();
  }

  /**
   * Unloads the loaded model and stops the load from stored files. Leaves out the model `except`. A download continues.
   */
  unloadExcept(except: SentenceModel | null): void {
    if (this.reading?.id !== except?.id) this.stop('reading');
    if (this.#held?.model.id !== except?.id) this.#drop();
  }

  #begin(model: SentenceModel, fetches: boolean, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    const place = fetches ? 'fetching' : 'reading';
    this.stop(place);
    const stop = new AbortController();
    let hasFetched = false;
    const report = (progress: LoadProgress | null) => {
      if (progress?.cached === false) hasFetched = true;
      const isBehind = !fetches && this.#loading.fetching !== null;
      if (this.#loading[place] === loading && !isBehind) this.#options.onprogress(model, progress);
    };
    const load = () => {
      if (stop.signal.aborted) throw abortError();
      return this.#options.loader.load(model, fetches, report, stop.signal);
    };
    const engine = (first ? first().then(load) : load()).then(
      async (loaded) => {
        if (hasFetched && this.#loading[place] === loading) await this.#options.onfetched(model);
        const isReplaced = this.#loading[place] !== loading;
        if (!isReplaced) this.#loading[place] = null;
        if (isReplaced || !(fetches || this.#options.isWanted(model))) {
          loaded.dispose();
          throw abortError();
        }
        this.#use(model, loaded);
        if (!fetches && this.#loading.fetching === null) this.#options.onread(model);
        return loaded;
      },
      (thrown: unknown) => {
        if (this.#loading[place] === loading) this.#loading[place] = null;
        throw thrown;
      },
    );
    const loading: Loading = { model, stop, engine };
    this.#loading[place] = loading;
    report(null);
    return engine;
  }

  #use(model: SentenceModel, engine: SentenceEngine): void {
    this.#drop();
    this.#held = { model, engine };
    this.#wait();
    void engine.lost.then((because) => {
      if (this.#held?.engine !== engine) return;
      this.#held = null;
      this.#options.onlost(model, because);
    });
  }

  #drop(): void {
    this.#held?.engine.dispose();
    this.#held = null;
  }

  #wait(): void {
    this.#idle.abort();
    this.#idle = new AbortController();
    void this.#options.clock.sleep(IDLE, this.#idle.signal).then(
      () => this.#drop(),
      () => undefined,
    );
  }
}
