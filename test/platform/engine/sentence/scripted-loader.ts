/** @file Sentence models that load, answer and fail under the control of a test. */
import {
  abortError,
  FaultError,
  type Fault,
  type LoadProgress,
  type SentenceModel,
} from '../../../../src/core/contract';
import type { SentenceEngine, SentenceLoader } from '../../../../src/platform/engine/sentence/loader';

export function sentenceModel(name: string): SentenceModel {
  return {
    id: `sentence:test/${name}`,
    label: name,
    hub: { id: `test/${name}`, revision: null },
    download: 1000,
    licence: null,
    why: 'To test.',
  };
}

/** A vector of length 1 whose direction depends on the characters of the text. */
export function vectorOf(text: string): Float32Array {
  const angle = [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
}

export class ScriptedEngine implements SentenceEngine {
  readonly lost: Promise<Fault>;
  readonly requested: string[][] = [];
  /** Answers wait while this is set. `release` sends them. */
  isHeld = false;
  isDisposed = false;
  #waiting: (() => void)[] = [];
  #missing: Fault | null = null;
  #lose: (because: Fault) => void = () => undefined;

  constructor() {
    this.lost = new Promise((resolve) => (this.#lose = resolve));
  }

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    this.requested.push([...texts]);
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#missing) throw new FaultError(this.#missing);
    return texts.map(vectorOf);
  }

  release(): void {
    this.isHeld = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  lose(because: Fault): void {
    this.#missing = because;
    this.#lose(because);
    this.release();
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

export interface ScriptedLoad {
  readonly model: SentenceModel;
  readonly fetches: boolean;
  readonly signal: AbortSignal;
  progress(progress: LoadProgress): void;
  /** Ends this load successfully. @returns the loaded engine */
  finish(): ScriptedEngine;
  fail(because: Fault): void;
}

export class ScriptedLoader implements SentenceLoader {
  readonly loads: ScriptedLoad[] = [];

  missing(): Promise<number> {
    return Promise.resolve(7);
  }

  load(model: SentenceModel, fetches: boolean, onprogress: (progress: LoadProgress) => void, signal: AbortSignal) {
    return new Promise<SentenceEngine>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(abortError()), { once: true });
      this.loads.push({
        model,
        fetches,
        signal,
        progress: onprogress,
        finish() {
          const engine = new ScriptedEngine();
          resolve(engine);
          return engine;
        },
        fail: (because) => reject(new FaultError(because)),
      });
    });
  }

  get last(): ScriptedLoad {
    const load = this.loads.at(-1);
    if (!load) throw new Error('Nothing was loaded.');
    return load;
  }
}
