/** @file A fake model loader and fake engines. Tests control when these load, answer and fail. */
import {
  abortError,
  type EngineEvent,
  type EngineLoader,
  type EngineSpeed,
  type Fault,
  type GenerateRequest,
  type LoadProgress,
  type LocalEngine,
  type ModelManifest,
  type PromptProgress,
} from '../../../src/core/contract';

export function manifest(name: string, more: Partial<ModelManifest> = {}): ModelManifest {
  return {
    id: `test:${name}`,
    label: name,
    engine: 'webllm',
    source: { kind: 'prebuilt', id: name },
    download: 1000,
    memory: 2000,
    context: 4096,
    licence: null,
    why: 'To test.',
    needs: [],
    prompt: null,
    showWorkers: 'number',
    ...more,
  };
}

export const SPEED: EngineSpeed = {
  promptTokens: 10,
  decodeTokens: 5,
  prefill: 100,
  decode: 20,
  firstToken: 50,
  grammar: null,
};

/** A promise that the test resolves. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

export class ScriptedEngine implements LocalEngine {
  readonly manifest: ModelManifest;
  readonly device = 'wasm';
  readonly info;
  readonly lost: Promise<Fault>;
  readonly requested: GenerateRequest[] = [];
  /** If set, every call sends one delta and then waits for this gate. */
  hold: Gate | null = null;
  /** The progress that every call reports while it reads its prompt. */
  reads: readonly (PromptProgress | null)[] = [];
  /** If set, every call fails with this fault after it has read its prompt. */
  failCalls: Fault | null = null;
  isDisposed = false;
  lose: (because: Fault) => void = () => {};

  constructor(manifest: ModelManifest) {
    this.manifest = manifest;
    this.info = { engine: 'scripted 1', model: manifest.label, origin: null, enforcesGrammar: false };
    this.lost = new Promise((resolve) => (this.lose = resolve));
  }

  async *generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onread?: (progress: PromptProgress | null) => void,
  ): AsyncGenerator<EngineEvent> {
    this.requested.push(request);
    for (const read of this.reads) onread?.(read);
    if (this.failCalls) {
      yield { type: 'failed', fault: this.failCalls, usage: null, cost: null };
      return;
    }
    yield { type: 'delta', channel: 'content', text: request.messages[0]?.content ?? '' };
    const stopped = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(abortError()), { once: true }),
    );
    stopped.catch(() => undefined);
    if (signal.aborted) throw abortError();
    if (this.hold) await Promise.race([this.hold.passed, stopped]);
    yield { type: 'finished', usage: null, cost: null, finishReason: 'stop', speed: SPEED };
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
  }
}

/** Loads a `ScriptedEngine` for each requested model. `hold` delays loads, and `fail` makes the next load throw. */
export class ScriptedLoader implements EngineLoader {
  readonly loaded: ScriptedEngine[] = [];
  hold: Gate | null = null;
  /** If set, delays the calls of all engines that are loaded from then on. */
  holdCalls: Gate | null = null;
  fail: Error | null = null;

  async load(
    manifest: ModelManifest,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LocalEngine> {
    onprogress({ phase: 'fetching', loaded: 500, total: 1000, speed: null, cached: false });
    const stopped = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(abortError()), { once: true }),
    );
    stopped.catch(() => undefined);
    if (this.hold) await Promise.race([this.hold.passed, stopped]);
    const { fail } = this;
    this.fail = null;
    if (fail) throw fail;
    const engine = new ScriptedEngine(manifest);
    engine.hold = this.holdCalls;
    this.loaded.push(engine);
    return engine;
  }

  get newest(): ScriptedEngine {
    const engine = this.loaded.at(-1);
    if (!engine) throw new Error('Nothing was loaded.');
    return engine;
  }
}
