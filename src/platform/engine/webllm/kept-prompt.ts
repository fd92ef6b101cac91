/**
 * @file Reuses WebLLM's key-value cache of a prompt for the next prompt. WebLLM clears its cache before each
 * new conversation. Without this file, WebLLM would read the same instructions again for every plan. This
 * file keeps the tokens that both prompts begin with, and removes only the tokens after them.
 *
 * WebLLM has no method for this. It continues a conversation only after a complete answer and only with the
 * same messages. Its checkpoints can continue only the request that created them. Therefore this file relies
 * on two other features:
 * - The models' libraries can remove tokens from the end of the cache. They provide this function for
 *   speculative decoding.
 * - WebLLM can read a prompt whose beginning is cached. It does so for the second message of a
 *   conversation.
 *
 * Models with a recurrent state, such as Qwen3.5, read every prompt completely. Each token overwrites the
 * state, and the libraries can't go back to the state that the model had at the end of the instructions. A
 * copy of that state would need a second sequence, but WebLLM creates the state for only one sequence.
 */
import type { LibraryFunction, Pipeline, PromptInput } from './pipeline';

const REMOVE = 'vm.builtin.kv_state_popn';
/** The only sequence in WebLLM's cache. */
const SEQUENCE = 0;

/** Number of tokens of a prompt, and how many of them were already in the cache. */
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
  /**
   * Number of tokens in the cache while WebLLM wrongly assumes that the cache is empty. `null` at all other
   * times.
   */
  #hidden: number | null = null;
  #last: ReadPrompt | null = null;

  /**
   * Replaces two methods of a pipeline, so that prompts reuse the cache.
   * @returns `null` if tokens can't be removed from this model's cache. Then every prompt is read
   * completely
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

  /** The last prompt that was read. `null` if there is none, or if it contains images. */
  get last(): ReadPrompt | null {
    return this.#last;
  }

  /**
   * Shortens the cache to the tokens that the prompt can reuse. Returns the other tokens of the
   * prompt, at least one.
   */
  async #read(): Promise<PromptInput> {
    const pipeline = this.#pipeline;
    // If the prompt is too long, `#input` throws, and `#hidden` stays set for the next prompt.
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

/** The tokens of a prompt. `null` for a prompt with images. */
function tokensOf([parts]: PromptInput): readonly number[] | null {
  const [only] = parts;
  const isText = parts.length === 1 && Array.isArray(only) && only.every((token) => typeof token === 'number');
  return isText ? only : null;
}

/** Length of the longest common prefix of two token lists. */
function common(one: readonly number[], other: readonly number[]): number {
  const parting = one.findIndex((token, index) => token !== other[index]);
  return parting === -1 ? one.length : parting;
}
