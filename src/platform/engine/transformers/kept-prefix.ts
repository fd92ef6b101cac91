/**
 * @file Caches the fixed prefix of prompts. A Conductor's instructions and examples make up most of its prompt, and are the
 * same for every question. The attention keys and values of these tokens are computed once, and reused for each prompt that
 * begins with these tokens.
 */
import { DynamicCache, Tensor, type PreTrainedModel, type PreTrainedTokenizer } from '@huggingface/transformers';
import type { Message } from '../../../core/contract';

/** Shortest prefix that is cached, in tokens. */
const SHORTEST = 32;

interface Kept {
  readonly tokens: readonly bigint[];
  /** `null`: this model's prefix cannot be cached. */
  readonly entries: Readonly<Record<string, Tensor>> | null;
}

/** A prompt with a cached prefix. */
export interface Begun {
  /** A new cache with the prefix. The library modifies it. */
  readonly cache: DynamicCache;
  /** Number of tokens of the prefix. */
  readonly tokens: number;
  /** Number of tokens that needed no computation for this prompt: the whole prefix, or 0 if it was not cached before. */
  readonly reused: number;
  /** Releases the GPU memory that only this answer used. */
  dispose(): Promise<void>;
}

/** Caches the latest prefix for one model. */
export class KeptPrefix {
  readonly #model: PreTrainedModel;
  readonly #tokenizer: PreTrainedTokenizer;
  #instructions: { readonly text: string; readonly tokens: readonly bigint[] } | null = null;
  #kept: Kept | null = null;

  constructor(model: PreTrainedModel, tokenizer: PreTrainedTokenizer) {
    this.#model = model;
    this.#tokenizer = tokenizer;
  }

  /**
   * Computes the attention keys and values of a prompt's prefix, or reuses them if they are cached.
   * @returns `null` if the instructions are missing or too short, if the prompt does not begin with them, or if the model's
   *   prefix cannot be cached
   */
  async begin(messages: readonly Message[], prompt: Tensor): Promise<Begun | null> {
    const [first] = messages;
    if (first?.role !== 'system' || messages.length < 2) return null;
    if (this.#instructions?.text !== first.content) {
      this.#instructions = { text: first.content, tokens: this.#beginningOf(first) };
    }
    const { tokens } = this.#instructions;
    if (tokens.length < SHORTEST || common(tokens, idsOf(prompt)) < tokens.length) return null;
    const isKnown = this.#kept?.tokens === tokens;
    if (!isKnown) this.#kept = await this.#read(tokens);
    return this.#kept?.entries ? begunWith(this.#kept.tokens, this.#kept.entries, isKnown) : null;
  }

  /**
   * The tokens at the start of every conversation with these instructions: the common beginning of two sample
   * conversations.
   */
  #beginningOf(instructions: Message): readonly bigint[] {
    const [one, other] = ['A', '1'].map((content) =>
      this.#tokenizer.apply_chat_template([instructions, { role: 'user', content }], {
        add_generation_prompt: true,
        return_dict: false,
      }),
    );
    if (!(one instanceof Tensor) || !(other instanceof Tensor)) return [];
    const tokens = idsOf(one);
    return tokens.slice(0, common(tokens, idsOf(other)));
  }

  async #read(tokens: readonly bigint[]): Promise<Kept> {
    const old = Object.values(this.#kept?.entries ?? {});
    this.#kept = null;
    await release(old);
    const ones = BigInt64Array.from(tokens, () => 1n);
    const dims = [1, tokens.length];
    // `generate` writes at least one token. This token is not part of the prefix, so it is discarded.
    const read: unknown = await this.#model.generate({
      inputs: new Tensor('int64', BigInt64Array.from(tokens), dims),
      attention_mask: new Tensor('int64', ones, dims),
      max_new_tokens: 1,
      do_sample: false,
      return_dict_in_generate: true,
    });
    return { tokens, entries: entriesOf(read, tokens.length) };
  }
}

function begunWith(tokens: readonly bigint[], entries: Readonly<Record<string, Tensor>>, isKnown: boolean): Begun {
  const cache = new DynamicCache({ ...entries });
  const kept = new Set(Object.values(entries));
  // The library's own method would dispose of the tensors that it replaces. The cached tensors are needed for the next answer.
  Object.defineProperty(cache, 'update', {
    value: (replaced: Readonly<Record<string, Tensor>>) => {
      void release(
        Object.keys(replaced)
          .flatMap((name) => cache[name] ?? [])
          .filter((tensor) => !kept.has(tensor)),
      );
      Object.assign(cache, replaced);
    },
  });
  return {
    cache,
    tokens: tokens.length,
    reused: isKnown ? tokens.length : 0,
    dispose: () => release(Object.values(cache).filter((tensor) => !kept.has(tensor))),
  };
}

/**
 * The cached tensors by name.
 * @returns `null` if the model's cache contains anything other than the keys and values of `length` tokens
 */
function entriesOf(read: unknown, length: number): Readonly<Record<string, Tensor>> | null {
  const cache = typeof read === 'object' && read !== null && 'past_key_values' in read ? read.past_key_values : null;
  if (!(cache instanceof DynamicCache)) return null;
  const entries = Object.entries(cache);
  const isPlain = entries.length > 0 && entries.every(([name]) => name.startsWith('past_key_values.'));
  return isPlain && cache.get_seq_length() === length ? Object.fromEntries(entries) : null;
}

/** Disposes of the tensors in GPU memory. Tensors in CPU memory are garbage-collected. */
async function release(tensors: readonly Tensor[]): Promise<void> {
  await Promise.all(tensors.map((tensor) => (tensor.location === 'gpu-buffer' ? tensor.dispose() : undefined)));
}

function idsOf(row: Tensor): readonly bigint[] {
  const { data } = row;
  return data instanceof BigInt64Array ? [...data] : [];
}

/** Length of the common prefix. */
function common(one: readonly bigint[], other: readonly bigint[]): number {
  const parting = one.findIndex((token, index) => token !== other[index]);
  return parting === -1 ? one.length : parting;
}
