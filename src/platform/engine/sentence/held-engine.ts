/**
 * @file The one sentence model that is loaded or on its way. Never two loads at once; one that nobody has asked for long is let
 * go, since it holds memory, and is read from this machine again when it is needed.
 */
import {
  abortError,
  type Clock,
  type LoadProgress,
  type SentenceModel,
  type SentenceModelState,
} from '../../../core/contract';
import type { SentenceEngine, SentenceLoader } from './loader';

/** ms */
const IDLE = 10 * 60_000;

export interface HeldEngineOptions {
  readonly clock: Clock;
  readonly loader: SentenceLoader;
  /** Told what becomes of a model; nothing of a load that fails or is stopped, which its caller learns. */
  readonly onstate: (state: SentenceModelState) => void;
}

interface Loading {
  readonly model: SentenceModel;
  readonly stop: AbortController;
  readonly engine: Promise<SentenceEngine>;
}

export class HeldEngine {
  readonly #options: HeldEngineOptions;
  #held: { readonly model: SentenceModel; readonly engine: SentenceEngine } | null = null;
  #loading: Loading | null = null;
  #idle = new AbortController();

  constructor(options: HeldEngineOptions) {
    this.#options = options;
  }

  /** The one on its way. */
  get loading(): SentenceModel | null {
    return this.#loading?.model ?? null;
  }

  /** Whether the model can be asked at once. */
  has(model: SentenceModel): boolean {
    return this.#held?.model.id === model.id;
  }

  /** The model, loaded from this machine if it is not. Throws as `load` does, and an `AbortError` while another is on its way. */
  async for(model: SentenceModel): Promise<SentenceEngine> {
    this.#wait();
    if (this.#held?.model.id === model.id) return this.#held.engine;
    if (this.#loading?.model.id === model.id) return this.#loading.engine;
    if (this.#loading) throw abortError();
    return this.load(model, false);
  }

  /**
   * Loads a model in place of the one before, which answers until then. Ends what is on its way. Throws a `FaultError`, or an
   * `AbortError` when it is stopped.
   */
  load(model: SentenceModel, fetches: boolean): Promise<SentenceEngine> {
    this.#loading?.stop.abort();
    const stop = new AbortController();
    const { loader, onstate } = this.#options;
    const onprogress = (progress: LoadProgress) => {
      if (this.#loading === loading) onstate({ kind: 'loading', model, progress });
    };
    const engine = loader.load(model, fetches, onprogress, stop.signal).then(
      (loaded) => {
        if (this.#loading !== loading) {
          loaded.dispose();
          throw abortError();
        }
        this.#loading = null;
        this.#welcome(model, loaded);
        return loaded;
      },
      (thrown: unknown) => {
        if (this.#loading === loading) this.#loading = null;
        throw thrown;
      },
    );
    const loading: Loading = { model, stop, engine };
    this.#loading = loading;
    onstate({ kind: 'loading', model, progress: null });
    return engine;
  }

  /** @returns whether anything was on its way */
  stop(): boolean {
    const loading = this.#loading;
    this.#loading = null;
    loading?.stop.abort();
    return loading !== null;
  }

  /** Ends what is loaded, unless it is this model. */
  letGo(except: SentenceModel | null): void {
    if (!this.#held || this.#held.model.id === except?.id) return;
    this.#held.engine.dispose();
    this.#held = null;
  }

  #welcome(model: SentenceModel, engine: SentenceEngine): void {
    const { onstate } = this.#options;
    this.letGo(null);
    this.#held = { model, engine };
    this.#wait();
    onstate({ kind: 'ready', model });
    void engine.lost.then((because) => {
      if (this.#held?.engine !== engine) return;
      this.#held = null;
      onstate({ kind: 'failed', model, fault: because });
    });
  }

  #wait(): void {
    this.#idle.abort();
    this.#idle = new AbortController();
    void this.#options.clock.sleep(IDLE, this.#idle.signal).then(
      () => this.letGo(null),
      () => undefined,
    );
  }
}
