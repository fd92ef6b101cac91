/**
 * @file Models that run on the user's own machine: what a manifest says of one, whether it fits, how it is loaded, and what
 * is kept of it. Implemented by platform/engine.
 */
import type { EngineEvent, GenerateRequest, TextEngine } from './engine';
import type { Fault } from '../fault';

export type EngineKind = 'webllm' | 'transformers';

/** Digests in the form of Subresource Integrity (`sha256-…`). What is given is verified; what is not is not. */
export interface ModelIntegrity {
  readonly config?: string;
  readonly library?: string;
  /** By file name. */
  readonly tokenizer?: Readonly<Record<string, string>>;
}

/** Where a model's files come from. */
export type ModelSource =
  /** A model of the engine's own list. */
  | { readonly kind: 'prebuilt'; readonly id: string }
  /** MLC weights by URL, and the compiled library that runs them. */
  | {
      readonly kind: 'mlc';
      readonly weights: string;
      readonly library: string;
      readonly revision: string | null;
      readonly integrity?: ModelIntegrity;
    }
  /** A hub model by id, `owner/name`. `host`: another server that offers files as the hub does; absent: the hub itself. */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null; readonly host?: string }
  /** A folder the user picked; its files are read from there and never leave the machine. */
  | { readonly kind: 'folder'; readonly name: string };

/** What can conduct (or work) on this machine. `models/*.json` are held against a schema. Sizes are bytes. */
export interface ModelManifest {
  /** Stable: `webllm:Qwen2.5-7B-Instruct-q4f16_1-MLC`, `own:<uuid>`, … */
  readonly id: string;
  readonly label: string;
  readonly engine: EngineKind;
  readonly source: ModelSource;
  /** The same model for GPUs without `shader-f16`, by manifest id. */
  readonly withoutHalf?: string;
  readonly download: number | null;
  /** GPU memory at the context below. */
  readonly memory: number | null;
  /** Tokens. */
  readonly context: number;
  readonly licence: { readonly name: string; readonly url: string } | null;
  /** One plain sentence: why one would choose it. */
  readonly why: string;
  /** GPU features it cannot do without. */
  readonly needs: readonly 'shader-f16'[];
  /** The prompt it was trained with, if not ours; see core/conductor/prompt-template. */
  readonly prompt: { readonly fixed: string; readonly question: string } | null;
  readonly showWorkers: 'number' | 'name';
}

/** What this machine's GPU is. `null` where the browser has none to offer. */
export interface GpuProbe {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** Runs on the processor. */
  readonly software: boolean;
  readonly half: boolean;
  /** Largest buffer, bytes. */
  readonly maxBuffer: number;
  readonly maxStorageBinding: number;
}

export interface MachineProbe {
  readonly gpu: GpuProbe | null;
  /** Why there is none, in a sentence. */
  readonly gpuProblem: string | null;
  readonly isPhone: boolean;
  /** GB as the browser tells, rounded and capped by it; `null` if it does not. */
  readonly memory: number | null;
  /** Bytes this site may still store; `null` if not told. */
  readonly freeStorage: number | null;
}

/** Said before a download, instead of a crash after it. */
export interface FitVerdict {
  readonly fit: 'well' | 'tight' | 'no';
  /** Plain sentences, the weightiest first. */
  readonly reasons: readonly string[];
  /** What would run instead, by manifest id; `null` if it runs or nothing would. */
  readonly instead: string | null;
}

export interface LoadProgress {
  readonly phase: 'fetching' | 'loading' | 'compiling' | 'warming';
  /** Bytes so far and in all, where known. */
  readonly loaded: number | null;
  readonly total: number | null;
  /** Bytes a second over the last seconds; `null` until known. */
  readonly speed: number | null;
  /** From the cache, not the network. */
  readonly cached: boolean;
}

/** A model that is loaded and holds the GPU (or the processor) until it is disposed of. */
export interface LocalEngine extends TextEngine {
  readonly manifest: ModelManifest;
  readonly device: 'webgpu' | 'wasm';
  /** Resolves with why, if the engine is lost: the device, its worker, or an answer that never came. */
  readonly lost: Promise<Fault>;
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<EngineEvent>;
  dispose(): Promise<void>;
}

export interface EngineLoader {
  /** Throws a `FaultError` with a sentence, or an `AbortError`. Loading again goes on where it stopped. */
  load(
    manifest: ModelManifest,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LocalEngine>;
}

export interface CachedModel {
  readonly manifestId: string;
  readonly bytes: number;
  /** All of its files are there. */
  readonly complete: boolean;
}

/** What is kept of models, sentence models included, by the receipts that were written under their ids. */
export interface ModelCache {
  list(models: readonly Pick<ModelManifest, 'id'>[]): Promise<readonly CachedModel[]>;
  delete(model: Pick<ModelManifest, 'id'>): Promise<void>;
}
