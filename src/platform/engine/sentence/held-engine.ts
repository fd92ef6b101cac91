/**
 * @file The one sentence model that is loaded, one that the user has asked for and that is on its way, and one that is read from
 * this machine by itself: while another is fetched the one in use goes on answering. One that nobody has asked for long is let
 * go, since it holds memory, and is read from this machine again when it is needed.
 */
import { abortError, type Clock, type Fault, type LoadProgress, type SentenceModel } from '../../../core/contract';
import type { SentenceEngine, SentenceLoader } from './loader';

/** ms */
const IDLE = 10 * 60_000;

export interface HeldEngineOptions {
  readonly clock: Clock;
  readonly loader: SentenceLoader;
  /** Told how far a load is; nothing of one that goes on behind a fetch. */
  readonly onprogress: (model: SentenceModel, progress: LoadProgress | null) => void;
  /** Whether a model that was read by itself may still be used. */
  readonly isWanted: (model: SentenceModel) => boolean;
  /** A model that was read by itself can be asked. */
  readonly onread: (model: SentenceModel) => void;
  /** Files of the model have come anew, and it is not used before this is done. */
  readonly onfetched: (model: SentenceModel) => Promise<void>;
  /** The loaded one is lost. What a load fails with is its caller's to know. */
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

  /** The one that the user has asked for. */
  get fetching(): SentenceModel | null {
    return this.#loading.fetching?.model ?? null;
  }

  /** The one that is read from this machine by itself. */
  get reading(): SentenceModel | null {
    return this.#loading.reading?.model ?? null;
  }

  /** Whether the model can be asked at once. */
  has(model: SentenceModel): boolean {
    return this.#held?.model.id === model.id;
  }

  /** The model, loaded from this machine if it is not. Throws a `FaultError`, or an `AbortError` when it is stopped. */
  for(model: SentenceModel): Promise<SentenceEngine> {
    this.#wait();
    if (this.#held?.model.id === model.id) return Promise.resolve(this.#held.engine);
    const { fetching, reading } = this.#loading;
    const onItsWay = [fetching, reading].find((each) => each?.model.id === model.id);
    return onItsWay ? onItsWay.engine : this.#begin(model, false, null);
  }

  /**
   * Fetches a model and loads it in place of the one before, which answers until then. Ends the fetch before. Throws a
   * `FaultError`, or an `AbortError` when it is stopped.
   * @param first to be done before, and part of it
   */
  fetch(model: SentenceModel, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    if (this.reading?.id === model.id) this.stop('reading');
    return this.#begin(model, true, first);
  }

  /** Ends what is on its way there. */
  stop(place: Place): void {
    const loading = this.#loading[place];
    this.#loading[place] = null;
    loading?.stop.abort();
  }

  /** Ends what is loaded or read by itself, unless it is this model. */
  letGo(except: SentenceModel | null): void {
    if (this.reading?.id !== except?.id) this.stop('reading');
    if (this.#held?.model.id !== except?.id) this.#drop();
  }

  #begin(model: SentenceModel, fetches: boolean, first: (() => Promise<void>) | null): Promise<SentenceEngine> {
    const place = fetches ? 'fetching' : 'reading';
    this.stop(place);
    const stop = new AbortController();
    let hasFetched = false;
    const tell = (progress: LoadProgress | null) => {
      if (progress?.cached === false) hasFetched = true;
      const isBehind = !fetches && this.#loading.fetching !== null;
      if (this.#loading[place] === loading && !isBehind) this.#options.onprogress(model, progress);
    };
    const load = () => {
      if (stop.signal.aborted) throw abortError();
      return this.#options.loader.load(model, fetches, tell, stop.signal);
    };
    const engine = (first ? first().then(load) : load()).then(
      async (loaded) => {
        if (hasFetched && this.#loading[place] === loading) await this.#options.onfetched(model);
        const isLeft = this.#loading[place] !== loading;
        if (!isLeft) this.#loading[place] = null;
        if (isLeft || !(fetches || this.#options.isWanted(model))) {
          loaded.dispose();
          throw abortError();
        }
        this.#welcome(model, loaded);
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
    tell(null);
    return engine;
  }

  #welcome(model: SentenceModel, engine: SentenceEngine): void {
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
