/**
 * @file Holds the engine of one sentence model, which is loading or loaded. Another model replaces it. An idle engine is disposed
 * of, to free memory.
 */
import { abortError, type Clock, type Fault, type LoadProgress, type SentenceModel } from '../../../core/contract';
import type { SentenceEngine, SentenceLoader } from './loader';

/** Time in ms without a request after which the model is unloaded. */
const IDLE = 10 * 60_000;

export interface HeldEngineOptions {
  readonly clock: Clock;
  readonly loader: SentenceLoader;
  /** Receives the progress of a load, and `null` when the load begins. */
  readonly onprogress: (model: SentenceModel, progress: LoadProgress | null) => void;
  /** Called when a model was loaded from stored files. */
  readonly onread: () => void;
  /** Called when files of the model were downloaded. The model is not used before the returned promise resolves. */
  readonly onfetched: (model: SentenceModel) => Promise<void>;
  /** Called when the Web Worker of the loaded model has failed. */
  readonly onlost: (model: SentenceModel, because: Fault) => void;
}

interface Held {
  readonly model: SentenceModel;
  /** Whether the user requested this load, so that missing files may be downloaded. */
  readonly fetches: boolean;
  readonly stop: AbortController;
  readonly engine: Promise<SentenceEngine>;
  /** `null` while the model is loading. */
  loaded: SentenceEngine | null;
}

export class HeldEngine {
  readonly #options: HeldEngineOptions;
  #held: Held | null = null;
  #idle = new AbortController();

  constructor(options: HeldEngineOptions) {
    this.#options = options;
  }

  /** The model that the user is downloading. */
  get fetching(): SentenceModel | null {
    return this.#held?.fetches && !this.#held.loaded ? this.#held.model : null;
  }

  /** The model that is being loaded from stored files. */
  get reading(): SentenceModel | null {
    return this.#held && !this.#held.fetches && !this.#held.loaded ? this.#held.model : null;
  }

  /** Whether the model is loaded. */
  has(model: SentenceModel): boolean {
    return this.#held?.model.id === model.id && this.#held.loaded !== null;
  }

  /**
   * The engine of the model. If the model is neither loaded nor loading, it is loaded from stored files. Rejects with a
   * `FaultError`, or with an `AbortError` if the load is stopped or another model is being downloaded.
   */
  for(model: SentenceModel): Promise<SentenceEngine> {
    if (this.fetching && this.fetching.id !== model.id) return Promise.reject(abortError());
    this.#wait();
    return this.#held?.model.id === model.id ? this.#held.engine : this.#begin(model, false, null);
  }

  /**
   * Downloads and loads a model. Rejects with a `FaultError`, or with an `AbortError` if the download is stopped.
   * @param first runs before the download. If it rejects, nothing is downloaded
   */
  fetch(model: SentenceModel, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    return this.#begin(model, true, first);
  }

  /** Stops the load, or unloads the model. */
  stop(): void {
    const held = this.#held;
    this.#held = null;
    held?.stop.abort();
    held?.loaded?.dispose();
  }

  #begin(model: SentenceModel, fetches: boolean, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    this.stop();
    const stop = new AbortController();
    let hasFetched = false;
    const report = (progress: LoadProgress | null) => {
      if (progress?.cached === false) hasFetched = true;
      if (this.#held === held) this.#options.onprogress(model, progress);
    };
    const load = () => {
      if (stop.signal.aborted) throw abortError();
      return this.#options.loader.load(model, fetches, report, stop.signal);
    };
    const engine = (first ? first().then(load) : load()).then(
      async (loaded) => {
        if (hasFetched && this.#held === held) await this.#options.onfetched(model);
        if (this.#held !== held) {
          loaded.dispose();
          throw abortError();
        }
        this.#use(held, loaded);
        return loaded;
      },
      (thrown: unknown) => {
        if (this.#held === held) this.#held = null;
        throw thrown;
      },
    );
    const held: Held = { model, fetches, stop, engine, loaded: null };
    this.#held = held;
    report(null);
    return engine;
  }

  #use(held: Held, engine: SentenceEngine): void {
    held.loaded = engine;
    this.#wait();
    void engine.lost.then((because) => {
      if (this.#held !== held) return;
      this.#held = null;
      this.#options.onlost(held.model, because);
    });
    if (!held.fetches) this.#options.onread();
  }

  #wait(): void {
    this.#idle.abort();
    this.#idle = new AbortController();
    void this.#options.clock.sleep(IDLE, this.#idle.signal).then(
      () => {
        if (this.#held?.loaded) this.stop();
      },
      () => undefined,
    );
  }
}
