/**
 * @file Reuses WebLLM's cache of a prompt for the next prompt. WebLLM clears its cache before each new conversation, so it
 * would read the same instructions again for every plan. Instead of clearing, this file shortens the cache to the tokens with
 * which both prompts begin.
 *
 * WebLLM has no method for this. WebLLM continues a conversation only after a whole answer and only with the same messages. Its
 * checkpoints continue only the request for which they were made. So this file uses two other abilities. The libraries of the
 * models can remove tokens from the end of the cache (they need this for speculative decoding). And WebLLM can read a prompt whose
 * beginning is cached, because it reads the second message of a conversation in this way.
 *
 * Models with a recurrent state, such as Qwen3.5, read every prompt as a whole. Their state after the instructions is overwritten
 * by the tokens that follow, and the libraries can't remove the tokens of a prompt from it. A copy of the state would need a
 * second sequence, but WebLLM creates the state for one sequence only.
 */
import type { LibraryFunction, Pipeline, PromptInput } from './pipeline';

const REMOVE = 'vm.builtin.kv_state_popn';
/** The only sequence in WebLLM's cache. */
const SEQUENCE = 0;

/** Number of tokens of a prompt, and how many of them were in the cache. */
export interface ReadPrompt {
  readonly tokens: number;
  readonly kept: number;
}

export class KeptPrompt {
  readonly #pipeline: Pipeline;
  readonly #remove: LibraryFunction;
  readonly #clear: () => void;
  readonly #input: () => Promise<PromptInput>;
  /** Tokens of the prompt at the beginning of the cache. Generated tokens may follow them in the cache. */
  #prompt: readonly number[] = [];
  /** Number of cached tokens while WebLLM assumes that the cache is empty. `null`: WebLLM's own number is right. */
  #hidden: number | null = null;
  #last: ReadPrompt | null = null;

  /**
   * Replaces two methods of a pipeline, so that prompts reuse the cache.
   * @returns `null` if the end of this model's cache cannot be removed. Then every prompt is read as a whole
   */
  static attach(pipeline: Pipeline): KeptPrompt | null {
    const { kvStateKind, slidingWindowSize, artifact, tvm } = pipeline;
    if (kvStateKind !== 'kv_cache' || slidingWindowSize !== -1 || artifact !== undefined) return null;
    tvm.beginScope();
    try {
      return new KeptPrompt(pipeline, tvm.detachFromCurrentScope(tvm.getGlobalFunc(REMOVE)));
    } catch {
      return null;
    } finally {
      tvm.endScope();
    }
  }

  private constructor(pipeline: Pipeline, remove: LibraryFunction) {
    this.#pipeline = pipeline;
    this.#remove = remove;
    this.#clear = pipeline.resetKVCache.bind(pipeline);
    this.#input = pipeline.getInputData.bind(pipeline);
    pipeline.resetKVCache = () => void (this.#hidden ??= pipeline.filledKVCacheLength);
    pipeline.getInputData = () => this.#read();
  }

  /** The prompt that was read last. `null`: none. */
  get last(): ReadPrompt | null {
    return this.#last;
  }

  /** Shortens the cache to what the prompt can reuse, and returns the rest of the prompt. The rest has at least one token. */
  async #read(): Promise<PromptInput> {
    const pipeline = this.#pipeline;
    // If `#input` throws, because the prompt is too long, `#hidden` stays set for the next prompt.
    const cached = (this.#hidden ??= pipeline.filledKVCacheLength);
    pipeline.filledKVCacheLength = 0;
    const input = await this.#input();
    const tokens = tokensOf(input);
    const kept = tokens ? Math.min(common(this.#prompt, tokens), tokens.length - 1, cached) : 0;
    this.#shorten(cached, kept);
    this.#hidden = null;
    this.#prompt = tokens ?? [];
    pipeline.filledKVCacheLength = kept;
    this.#last = tokens && { tokens: tokens.length, kept };
    return tokens && kept > 0 ? [[tokens.slice(kept)], tokens.length - kept, input[2]] : input;
  }

  #shorten(from: number, to: number): void {
    const { tvm, kvCache } = this.#pipeline;
    if (from === to) return;
    tvm.beginScope();
    try {
      if (to === 0) this.#clear();
      else this.#remove(kvCache, tvm.scalar(SEQUENCE, 'int64'), tvm.scalar(from - to, 'int32'));
    } finally {
      tvm.endScope();
    }
  }
}

/** @returns `null` for a prompt with images */
function tokensOf([parts]: PromptInput): readonly number[] | null {
  const [only] = parts;
  const isText = parts.length === 1 && Array.isArray(only) && only.every((token) => typeof token === 'number');
  return isText ? only : null;
}

/** Number of tokens with which both lists begin. */
function common(one: readonly number[], other: readonly number[]): number {
  const parting = one.findIndex((token, index) => token !== other[index]);
  return parting === -1 ? one.length : parting;
}
