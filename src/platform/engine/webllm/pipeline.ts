/**
 * @file Describes private parts of WebLLM's pipeline: the tokens, the cache and the sampling. A
 * test compares this description with the installed package, and fails if an upgrade changes these
 * parts.
 */
import { isRecord } from '../../../core/contract';
import type { LogitProcessor } from '@mlc-ai/web-llm';
import { tokenTexts, type Vocabulary } from '../token-texts';

/**
 * A function of a model's compiled library. Integers must be passed as TVM scalars (see
 * `Pipeline.tvm.scalar`).
 */
export type LibraryFunction = (...args: readonly unknown[]) => unknown;

/**
 * A prompt. `parts` are its token lists and images. `tokens` is its number of tokens. `imageSize`
 * is a function that measures images.
 */
export type PromptInput = readonly [parts: readonly unknown[], tokens: number, imageSize: unknown];

export interface Pipeline {
  /** Number of tokens in the key-value cache. */
  filledKVCacheLength: number;
  logitProcessor: LogitProcessor | undefined;
  /** Maximum number of prompt tokens that the model reads in one pass. */
  prefillChunkSize: number;
  /** Size of the sliding window in tokens. -1: the model has none. */
  readonly slidingWindowSize: number;
  /** `kv_cache`: the cache contains only keys and values, so tokens can be removed from its end. */
  readonly kvStateKind: string;
  readonly kvCache: unknown;
  /**
   * Present if the library's metadata describes an artifact. Prompts of such a model don't pass
   * through `getInputData`.
   */
  readonly artifact?: unknown;
  readonly token_postproc_method: string;
  readonly tokenizer: {
    getVocabSize(): number;
    idToToken(token: number): string;
    encode(text: string): ArrayLike<number>;
  };
  readonly device: {
    /** Resolves when the GPU has finished its submitted work. */
    sync(): Promise<void>;
  };
  readonly tvm: {
    beginScope(): void;
    endScope(): void;
    detachFromCurrentScope(found: LibraryFunction): LibraryFunction;
    /** Throws if the library has no such function. */
    getGlobalFunc(name: string): LibraryFunction;
    scalar(value: number, type: string): unknown;
  };
  /** Clears the key-value cache. */
  resetKVCache(): void;
  /** The tokens of the conversation that are not in the cache yet. Throws if the context window is too small. */
  getInputData(): Promise<PromptInput>;
  /**
   * Starts to compile the grammar of a call. `undefined` if the call has no grammar, or if the
   * grammar is already compiled.
   */
  prepareGrammarMatcherForSampling(settings?: unknown): Promise<unknown> | undefined;
  /** Submits one pass of the model over `count` tokens to the GPU. */
  embedAndForward(parts: readonly unknown[], count: number): Promise<unknown>;
  sampleFromRawLogits(logits: unknown, settings?: unknown): Promise<number>;
  /** `role_templates`: for each role, the text around its messages, with a placeholder for the message. */
  getConversationObject(): { readonly config: { readonly role_templates?: Readonly<Record<string, string>> } };
}

const NUMBERS = ['filledKVCacheLength', 'prefillChunkSize', 'slidingWindowSize'] as const;
const TEXTS = ['kvStateKind', 'token_postproc_method'] as const;
const METHODS = [
  'resetKVCache',
  'getInputData',
  'prepareGrammarMatcherForSampling',
  'embedAndForward',
  'sampleFromRawLogits',
  'getConversationObject',
] as const;
const PARTS = {
  device: ['sync'],
  tokenizer: ['getVocabSize', 'idToToken', 'encode'],
  tvm: ['beginScope', 'endScope', 'detachFromCurrentScope', 'getGlobalFunc', 'scalar'],
} as const;

/** The pipeline of a loaded model. Throws a `TypeError` if WebLLM has changed. */
export function pipelineOf(engine: object, modelId: string): Pipeline {
  const pipelines: unknown = Reflect.get(engine, 'loadedModelIdToPipeline');
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : null;
  if (!isPipeline(pipeline)) throw new TypeError('This version of WebLLM has a different pipeline.');
  return pipeline;
}

function isPipeline(value: unknown): value is Pipeline {
  if (!isRecord(value)) return false;
  return (
    NUMBERS.every((name) => typeof value[name] === 'number') &&
    TEXTS.every((name) => typeof value[name] === 'string') &&
    METHODS.every((name) => typeof value[name] === 'function') &&
    Object.entries(PARTS).every(([part, methods]) => hasMethods(value[part], methods)) &&
    'kvCache' in value &&
    'logitProcessor' in value
  );
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return isRecord(value) && methods.every((name) => typeof value[name] === 'function');
}

/** The text of each token. */
export function textsOf({ tokenizer, token_postproc_method }: Pipeline): string[] {
  const tokens = Array.from({ length: tokenizer.getVocabSize() }, (_, token) => tokenizer.idToToken(token));
  return tokenTexts({ tokens, encoding: encodingOf(token_postproc_method) });
}

/** The encoding of the tokens' texts. WebLLM uses the same encoding when it enforces a grammar. */
function encodingOf(method: string): Vocabulary['encoding'] {
  return method === 'byte_level' || method === 'byte_fallback' ? method : 'raw';
}

/** The roles whose messages WebLLM inserts into a template. System messages are always inserted into a template. */
export function templatedRoles(pipeline: Pipeline): ReadonlySet<string> {
  return new Set(['system', ...Object.keys(pipeline.getConversationObject().config.role_templates ?? {})]);
}
