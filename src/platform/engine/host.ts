/**
 * @file Manages the loaded local model. Only one model is loaded at a time, because a GPU has memory for only one. The host
 * reloads a model that is lost, for example because the GPU failed. It queues calls, because an engine writes one answer at a
 * time.
 */
import {
  abortError,
  fault,
  FaultError,
  isAbort,
  toFault,
  unlessAborted,
  type EngineEvent,
  type EngineInfo,
  type EngineKind,
  type EngineLoader,
  type EngineWaiting,
  type Fault,
  type GenerateRequest,
  type LocalEngine,
  type Locks,
  type ModelHost,
  type ModelManifest,
  type ModelState,
  type WorkerEvent,
} from '../../core/contract';
import { codeFault } from './code-fault';
import type * as Thoughts from './thoughts';
import { Turns } from './turns';
import { unloadedFault } from './unloaded-fault';

export interface ModelHostOptions {
  /** Functions that load the code of the engines, by kind of engine. */
  readonly loaders: Record<EngineKind, () => Promise<EngineLoader>>;
  /** Ensures that only one tab at a time has a model loaded. */
  readonly locks?: Locks;
}

export function createModelHost(options: ModelHostOptions): ModelHost {
  return new Host(options);
}

/** Name of the lock that is held while a model is loaded or loading. */
const LOCK = 'podium-local-model';

const PLAN_FIRST = 1;
const AFTER_PLANS = 0;

type Ready = Extract<ModelState, { kind: 'ready' }>;

interface Call {
  /** Ends the call with a fault, even if the engine doesn't respond. */
  end(because: Fault): void;
}

interface Loading {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

class Host implements ModelHost {
  readonly #options: ModelHostOptions;
  readonly #listeners = new Set<(state: ModelState) => void>();
  readonly #turns = new Turns();
  /**
   * What each model's engine reported about itself when the model was last loaded. The keys are the ids of
   * the manifests.
   */
  readonly #infos = new Map<string, EngineInfo>();
  #state: ModelState = { kind: 'idle' };
  #engine: LocalEngine | null = null;
  /** The code that separates thoughts from answers. It loads with the engine's code, because the first page doesn't need it. */
  #thoughts: typeof Thoughts | null = null;
  #call: Call | null = null;
  #loading: Loading | null = null;
  #release: (() => void) | null = null;
  /**
   * Whether the model was reloaded automatically and has not answered since. If it is lost again, it is not reloaded, and the
   * user sees the fault.
   */
  #isSecondTry = false;
  /** Counts requests to load, cancel and unload, so that a newer request replaces an older one. */
  #wish = 0;

  constructor(options: ModelHostOptions) {
    this.#options = options;
  }

  get state(): ModelState {
    return this.#state;
  }

  subscribe(listener: (state: ModelState) => void): () => void {
    const own = (state: ModelState) => listener(state);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  async load(manifest: ModelManifest): Promise<void> {
    if (this.#state.kind === 'ready' && this.#state.manifest.id === manifest.id) return;
    const wish = ++this.#wish;
    await this.#disposeLoaded(replacedFault(this.#engine, manifest));
    if (wish !== this.#wish) throw abortError();
    this.#isSecondTry = false;
    await this.#begin(manifest);
  }

  async cancel(): Promise<void> {
    if (!this.#loading) return;
    this.#wish++;
    await this.#disposeLoaded(null);
  }

  async unload(): Promise<void> {
    const wish = ++this.#wish;
    await this.#disposeLoaded(this.#engine && unloadedFault(this.#engine.manifest));
    if (wish === this.#wish) this.#show({ kind: 'idle' });
  }

  engineFor(manifest: ModelManifest): ReturnType<ModelHost['engineFor']> {
    const run = (request: GenerateRequest, signal: AbortSignal) => this.#run(manifest, request, PLAN_FIRST, signal);
    const contextWindow = manifest.context;
    // If the model was loaded before, its engine has reported the real values. They replace the values of the manifest.
    const info = () => ({ contextWindow, ...(this.#infos.get(manifest.id) ?? unknownInfo(manifest)) });
    return {
      get info() {
        return info();
      },
      generate: run,
    };
  }

  client(): ReturnType<ModelHost['client']> {
    return {
      run: (messages, { worker, temperature, maxTokens, seed }, signal) =>
        this.#answer(worker, { messages, grammar: null, temperature, maxTokens, seed }, signal),
    };
  }

  async *#answer(
    worker: { readonly id: string; readonly name: string },
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<WorkerEvent> {
    const { state } = this;
    if (state.kind === 'idle' || `local:${state.manifest.id}` !== worker.id) {
      yield { type: 'failed', fault: notLoaded(worker.name), usage: null, cost: null };
      return;
    }
    for await (const event of this.#run(state.manifest, request, AFTER_PLANS, signal)) {
      // Local models are free, even if the engine did not count the tokens.
      yield event.type === 'delta' || event.type === 'waiting' ? event : { ...event, cost: 0 };
    }
  }

  /**
   * Waits until no other call uses the engine, and then generates one answer. If the call has to wait, reports the beginning and
   * the end of the wait. Throws only an `AbortError`.
   */
  async *#run(
    manifest: ModelManifest,
    request: GenerateRequest,
    priority: number,
    signal: AbortSignal,
  ): AsyncGenerator<EngineEvent | EngineWaiting> {
    const mustWait = this.#turns.isTaken;
    if (mustWait) yield { type: 'waiting', for: 'place', delay: null };
    const release = await this.#turns.acquire(signal, priority);
    try {
      if (mustWait) yield { type: 'waiting', for: null, delay: null };
      const engine = await this.#engineNow(manifest, signal);
      yield* this.#generate(engine, request, signal);
    } catch (thrown) {
      if (isAbort(thrown) && signal.aborted) throw thrown;
      const failure = isAbort(thrown) ? unloadedFault(manifest) : toFault(thrown);
      yield { type: 'failed', fault: failure, usage: null, cost: null };
    } finally {
      release();
    }
  }

  /**
   * Returns the engine of the requested model, and reloads the model first if it was lost. Throws a `FaultError` if the model is
   * not loaded or reloading fails, and an `AbortError` if the call or the reload is canceled.
   */
  async #engineNow(manifest: ModelManifest, signal: AbortSignal): Promise<LocalEngine> {
    const { state } = this;
    if (state.kind === 'lost' && state.manifest.id === manifest.id) {
      this.#isSecondTry = true;
      const stop = () => void this.cancel();
      signal.addEventListener('abort', stop, { once: true });
      await this.#begin(manifest).finally(() => signal.removeEventListener('abort', stop));
    }
    if (signal.aborted) throw abortError();
    if (this.#engine?.manifest.id !== manifest.id) throw new FaultError(notLoaded(manifest.label));
    return this.#engine;
  }

  async *#generate(engine: LocalEngine, request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineEvent> {
    const stop = new AbortController();
    const cancelled = new Promise<Fault>((end) => (this.#call = { end }));
    const onread = (reading: Ready['reading']) => this.#update(engine, { reading });
    const answer = engine.generate(request, AbortSignal.any([signal, stop.signal]), onread)[Symbol.asyncIterator]();
    const thoughts = request.grammar === null ? this.#thoughts : null;
    const splitter = thoughts?.createSplitter() ?? null;
    const part = (event: EngineEvent) => thoughts?.partThoughts(event, splitter) ?? [event];
    try {
      for (;;) {
        const next = await Promise.race([answer.next(), cancelled]);
        if ('code' in next) {
          yield* part({ type: 'failed', fault: next, usage: null, cost: null });
          return;
        }
        if (next.done) return;
        if (next.value.type === 'finished') {
          this.#isSecondTry = false;
          if (next.value.speed) this.#update(engine, { speed: next.value.speed });
        }
        yield* part(next.value);
        if (next.value.type !== 'delta') return;
      }
    } finally {
      this.#call = null;
      stop.abort();
      // An engine that was lost or unloaded may never finish its answer, so the host does not wait for it. Any other engine must
      // have stopped before the next call begins.
      const closing = Promise.resolve(answer.return?.()).catch(() => undefined);
      await Promise.race([closing, cancelled]);
      // Clears the progress of reading the prompt, so that the next call does not show it.
      onread(null);
    }
  }

  #update(engine: LocalEngine, figures: Partial<Pick<Ready, 'speed' | 'reading'>>): void {
    const { state } = this;
    if (state.kind === 'ready' && engine === this.#engine) this.#show({ ...state, ...figures });
  }

  /** Loads a model. Call it only when no other model is loaded or loading. */
  async #begin(manifest: ModelManifest): Promise<void> {
    const stop = new AbortController();
    const loading = this.#load(manifest, stop.signal);
    const own: Loading = { stop, ended: loading.catch(() => undefined) };
    this.#loading = own;
    try {
      await loading;
    } finally {
      if (this.#loading === own) this.#loading = null;
    }
  }

  async #load(manifest: ModelManifest, signal: AbortSignal): Promise<void> {
    const before = this.#state;
    this.#show({ kind: 'loading', manifest, progress: null });
    try {
      await this.#acquireLock();
      // Canceling doesn't wait for the engine's code, which may take long to load.
      const code = Promise.all([this.#options.loaders[manifest.engine](), import('./thoughts')]).catch(
        (thrown: unknown) => {
          throw thrown instanceof FaultError ? thrown : new FaultError(codeFault(manifest, navigator.onLine, thrown));
        },
      );
      const [loader, thoughts] = await unlessAborted(code, signal);
      this.#thoughts = thoughts;
      const onprogress = (progress: Extract<ModelState, { kind: 'loading' }>['progress']) => {
        if (!signal.aborted) this.#show({ kind: 'loading', manifest, progress });
      };
      const engine = await loader.load(manifest, onprogress, signal);
      if (signal.aborted) {
        await engine.dispose();
        throw abortError();
      }
      this.#use(engine);
    } catch (thrown) {
      this.#releaseLock();
      if (isAbort(thrown)) {
        this.#show(before.kind === 'lost' ? before : { kind: 'idle' });
        throw thrown;
      }
      const failure = toFault(thrown);
      this.#show({ kind: 'failed', manifest, fault: failure });
      throw new FaultError(failure);
    }
  }

  #use(engine: LocalEngine): void {
    this.#engine = engine;
    this.#infos.set(engine.manifest.id, engine.info);
    this.#show({ kind: 'ready', manifest: engine.manifest, device: engine.device, speed: null });
    void engine.lost.then((because) => {
      if (this.#engine !== engine) return;
      this.#engine = null;
      // If another try can't help, the model is not reloaded: it would fail again and again.
      const kind = this.#isSecondTry || !because.retryable ? 'failed' : 'lost';
      this.#call?.end(because);
      void engine.dispose().catch(() => undefined);
      if (kind === 'failed') this.#releaseLock();
      this.#show({ kind, manifest: engine.manifest, fault: because });
    });
  }

  /**
   * Stops loading, and disposes of the loaded model.
   * @param because the fault with which a call in progress ends. `null`: no model is loaded, so there is no
   * call
   */
  async #disposeLoaded(because: Fault | null): Promise<void> {
    const loading = this.#loading;
    loading?.stop.abort();
    await loading?.ended;
    const engine = this.#engine;
    this.#engine = null;
    if (because) this.#call?.end(because);
    await engine?.dispose().catch(() => undefined);
    this.#releaseLock();
  }

  async #acquireLock(): Promise<void> {
    const { locks } = this.#options;
    if (!locks || this.#release) return;
    this.#release = await locks.acquire(LOCK);
    if (!this.#release) throw new FaultError(fault('overloaded', OTHER_TAB, { retryable: true }));
  }

  #releaseLock(): void {
    this.#release?.();
    this.#release = null;
  }

  #show(state: ModelState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

const OTHER_TAB =
  'Another tab of Podium has loaded a model. Only one model fits at a time. Unload the model there or close that tab, then try again.';

/**
 * The info of an engine whose model was never loaded. Only the engine of the browser's own model enforces no
 * grammar.
 */
function unknownInfo({ engine, label }: ModelManifest): EngineInfo {
  return { engine, model: label, origin: null, enforcesGrammar: engine !== 'browser' };
}

function notLoaded(name: string): Fault {
  return fault('worker-missing', `${name} is not loaded. Load it on Models first.`);
}

function replacedFault(engine: LocalEngine | null, next: ModelManifest): Fault | null {
  if (!engine) return null;
  const message = `${engine.manifest.label} was unloaded during the call, because ${next.label} is loaded instead. Try again.`;
  return fault('interrupted', message, { retryable: true });
}
