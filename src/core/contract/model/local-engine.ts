/**
 * @file Interfaces for local models: their manifests, whether they fit this machine, how they are loaded, and their cache.
 * platform/engine implements these interfaces.
 */
import type { EngineEvent, GenerateRequest, TextEngine } from './engine';
import type { Fault } from '../fault';
import type { ConductorPrompt } from '../workflow/conductor-prompt';

/** `browser`: the browser's own model. */
export type EngineKind = 'webllm' | 'transformers' | 'browser';

/** Whether the browser's own model can be used, as the browser reports it. */
export type BrowserModelAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** Digests of a model's files, in the form of Subresource Integrity (`sha256-…`). Only files with a digest are verified. */
export interface ModelIntegrity {
  readonly config?: string;
  readonly library?: string;
  /** Digests of the tokenizer's files, by file name. */
  readonly tokenizer?: Readonly<Record<string, string>>;
}

/** The source of a model's files. */
export type ModelSource =
  /** A model from the engine's own list. */
  | { readonly kind: 'prebuilt'; readonly id: string }
  /** MLC weights by URL, and the compiled library that runs them. */
  | {
      readonly kind: 'mlc';
      readonly weights: string;
      readonly library: string;
      readonly revision: string | null;
      readonly integrity?: ModelIntegrity;
    }
  /**
   * A hub model by id, `owner/name`. `host`: another server with the same layout as the hub. Absent: the hub itself.
   */
  | { readonly kind: 'hub'; readonly id: string; readonly revision: string | null; readonly host?: string }
  /** A folder that the user picked. Its files are read from there and never leave the machine. */
  | { readonly kind: 'folder'; readonly name: string };

/**
 * A local model, for use as the Conductor or as a worker. The manifests in `models/*.json` are validated against a schema. Sizes
 * are in bytes.
 */
export interface ModelManifest {
  /** Never changes. Examples: `webllm:Qwen2.5-7B-Instruct-q4f16_1-MLC`, `own:<uuid>`. */
  readonly id: string;
  readonly label: string;
  readonly engine: EngineKind;
  readonly source: ModelSource;
  /** Manifest id of this model's variant for GPUs without half precision (`shader-f16`). */
  readonly withoutHalf?: string;
  readonly download: number | null;
  /** Size of the largest tensor of the weights. Absent: unknown. */
  readonly largestTensor?: number | undefined;
  /** GPU memory that the model needs at the context length `context`. */
  readonly memory: number | null;
  /** Context length in tokens. */
  readonly context: number;
  readonly licence: { readonly name: string; readonly url: string } | null;
  /** One plain sentence: when to choose this model. */
  readonly why: string;
  /** Required GPU features. */
  readonly needs: readonly 'shader-f16'[];
  /** The prompt that the model was trained with, if it differs from Podium's. See core/conductor/prompt-template. */
  readonly prompt: { readonly fixed: string; readonly question: string } | null;
  readonly showWorkers: 'number' | 'name';
}

/**
 * The parts of the Conductor's prompt that a model was trained with. They take precedence over the prompt
 * that the user wrote for all Conductors.
 */
export function trainedPrompt({ prompt, showWorkers }: Pick<ModelManifest, 'prompt' | 'showWorkers'>): ConductorPrompt {
  return { ...(prompt ? { template: prompt } : {}), ...(showWorkers === 'number' ? { showWorkers } : {}) };
}

/** The properties of this machine's GPU. */
export interface GpuProbe {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** Whether the GPU is emulated on the CPU. */
  readonly software: boolean;
  /** Whether the GPU supports half precision (`shader-f16`). */
  readonly half: boolean;
  /** Largest buffer, in bytes. */
  readonly maxBuffer: number;
  /** Largest part of a buffer that a shader can use, in bytes. */
  readonly maxStorageBinding: number;
  /** Memory that the threads of a workgroup share, in bytes. */
  readonly maxWorkgroupStorage: number;
  /** Storage buffers that one shader can use. */
  readonly maxStorageBuffers: number;
}

export interface MachineProbe {
  readonly gpu: GpuProbe | null;
  /** Why there is no GPU, in a sentence. `null` if there is a GPU. */
  readonly gpuProblem: string | null;
  readonly isPhone: boolean;
  /** Memory in GB as reported by the browser, which rounds and caps it. `null` if unknown. */
  readonly memory: number | null;
  /** Bytes that this site may still store. `null` if unknown. */
  readonly freeStorage: number | null;
  /** Absent: the browser has no built-in model. */
  readonly browserModel?: BrowserModelAvailability;
}

/** Whether a model fits this machine. */
export interface FitVerdict {
  readonly fit: 'well' | 'tight' | 'no';
  /** Plain sentences, most important first. */
  readonly reasons: readonly string[];
  /** Manifest id of a model that would run instead. `null` if this model runs, or if no model would run. */
  readonly instead: string | null;
}

export interface LoadProgress {
  readonly phase: 'fetching' | 'loading' | 'compiling' | 'warming';
  /** Loaded bytes. `null`: unknown. */
  readonly loaded: number | null;
  /** Total bytes. `null`: unknown. */
  readonly total: number | null;
  /** Bytes per second over the last few seconds. `null` until known. */
  readonly speed: number | null;
  /** Whether the files come from the cache. */
  readonly cached: boolean;
  /** Whether `loaded` is a share from 0 to 1 instead of bytes. Then `total` is 1. Absent: no. */
  readonly isShare?: boolean;
}

/**
 * How many tokens of the prompt a model has read. Cached tokens count as read, but the first report may omit
 * them.
 */
export interface PromptProgress {
  readonly read: number;
  readonly total: number;
}

/** A loaded model. It occupies memory of the GPU (or the CPU) until `dispose` is called. */
export interface LocalEngine extends TextEngine {
  readonly manifest: ModelManifest;
  /** `browser`: the browser decides. */
  readonly device: 'webgpu' | 'wasm' | 'browser';
  /** Resolves with the reason if the engine is lost: its device or its Web Worker failed, or an answer never came. */
  readonly lost: Promise<Fault>;
  /**
   * @param onread called with `null` when the engine begins, then with the number of prompt tokens read so far.
   * Some engines never call `onread`
   */
  generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onread?: (progress: PromptProgress | null) => void,
  ): AsyncIterable<EngineEvent>;
  dispose(): Promise<void>;
}

export interface EngineLoader {
  /** Rejects with a `FaultError`, or with an `AbortError` on abort. A new call resumes the download where it stopped. */
  load(
    manifest: ModelManifest,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<LocalEngine>;
}

export interface CachedModel {
  readonly manifestId: string;
  readonly bytes: number;
  /** Bytes of files that no earlier model has, so that the sum over all models counts each file once. Absent: `bytes`. */
  readonly ownBytes?: number;
  /** Bytes of all files. A file of unknown size is counted only after it is cached. */
  readonly total: number;
  readonly complete: boolean;
}

/** The cache of local models, including sentence models. For each model id, the cache stores a list of the model's files. */
export interface ModelCache {
  list(models: readonly Pick<ModelManifest, 'id'>[]): Promise<readonly CachedModel[]>;
  delete(model: Pick<ModelManifest, 'id'>): Promise<void>;
}
