/** @file Simulates the part of TVM's runtime that WebLLM's pipeline calls. The logits depend on all tokens in the cache. */
import type { Random } from '../../../../src/core/contract';

/** The logit that WebLLM's libraries assign to forbidden tokens. */
const LOWEST = -3.4028234663852886e38;

/** The state of the simulated model, for assertions. */
export interface SimulatedModel {
  readonly cache: readonly number[];
  /** Number of tokens in each forward pass. */
  readonly passes: readonly number[];
  /** How often the logits were copied from the GPU. */
  readonly copies: number;
}

class Tensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly onCopied: ((from: Tensor) => void) | undefined;
  data: number[] | Float32Array;

  constructor(
    shape: readonly number[],
    dtype: string,
    data: number[] | Float32Array,
    onCopied?: (from: Tensor) => void,
  ) {
    this.shape = shape;
    this.dtype = dtype;
    this.data = data;
    this.onCopied = onCopied;
  }

  copyFrom(source: Tensor | ArrayLike<number>): this {
    if (source instanceof Tensor) this.onCopied?.(source);
    const values = source instanceof Tensor ? source.data : source;
    this.data = this.dtype === 'float32' ? Float32Array.from(values) : Array.from(values);
    return this;
  }

  view(shape: readonly number[]): Tensor {
    return new Tensor(shape, this.dtype, this.data);
  }

  toArray(): number[] | Float32Array {
    return this.data.slice();
  }

  dispose(): void {}
}

interface Scalar {
  readonly value: number;
}

interface RuntimeOptions {
  readonly size: number;
  readonly seededRandom: (seed: number) => Random;
  readonly lacks: string | undefined;
  /** Maximum number of tokens in one forward pass. */
  readonly chunk: number;
}

export class SimulatedRuntime {
  readonly tvm: object;
  readonly #options: RuntimeOptions;
  readonly #cache: number[] = [];
  readonly #passes: number[] = [];
  #copies = 0;
  #random: Random;
  /** Number of tokens announced for the next forward pass. */
  #expected = 0;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#random = options.seededRandom(0);
    // `sync` takes one turn of the event loop, so that messages can arrive while the pipeline waits for the GPU.
    const device = { sync: () => new Promise<void>((done) => setImmediate(done)) };
    const cpu = { isCpu: true };
    const same = (value: unknown) => value;
    const nothing = () => undefined;
    this.tvm = {
      webgpu: () => device,
      cpu: () => cpu,
      beginScope: nothing,
      endScope: nothing,
      detachFromCurrentScope: same,
      attachToCurrentScope: same,
      makeShapeTuple: same,
      createVirtualMachine: () => ({ getFunction: (name: string) => this.#function(name), dispose: nothing }),
      getGlobalFunc: (name: string) => this.#function(name),
      getParamsFromCacheByName: () => ({ dispose: nothing }),
      scalar: (value: number): Scalar => ({ value }),
      setSeed: (seed: number) => (this.#random = options.seededRandom(seed)),
      uniform: () => new Tensor([1], 'float32', [this.#random()]),
      empty: (shape: readonly number[], dtype: string, on: unknown) => {
        const length = shape.reduce((product, size) => product * size, 1);
        const count = () => void (length === options.size && this.#copies++);
        return new Tensor(shape, dtype, Array<number>(length).fill(0), on === cpu ? count : undefined);
      },
    };
  }

  get model(): SimulatedModel {
    const read = { cache: () => this.#cache, passes: () => this.#passes, copies: () => this.#copies };
    return {
      get cache() {
        return read.cache();
      },
      get passes() {
        return read.passes();
      },
      get copies() {
        return read.copies();
      },
    };
  }

  #function(name: string): unknown {
    const found = name === this.#options.lacks ? undefined : this.#functions[name];
    if (found === undefined) throw new Error(`Cannot find global function ${name}`);
    return Object.assign(found.bind(null), { dispose: () => undefined });
  }

  readonly #functions: Readonly<Record<string, (...args: never[]) => unknown>> = {
    _metadata: () => JSON.stringify({ params: [], prefill_chunk_size: this.#options.chunk }),
    create_tir_paged_kv_cache: () => ({ dispose: () => undefined }),
    embed: (tokens: Tensor) => new Tensor([tokens.data.length, 1], 'int32', tokens.data),
    prefill: (tokens: Tensor) => this.#forward(tokens),
    decode: (tokens: Tensor) => this.#forward(tokens),
    'vm.builtin.kv_state_clear': () => void (this.#cache.length = 0),
    'vm.builtin.kv_state_add_sequence': () => undefined,
    'vm.builtin.kv_state_remove_sequence': () => undefined,
    'vm.builtin.attention_kv_cache_enable_sliding_window_for_seq': () => undefined,
    'vm.builtin.kv_state_begin_forward': (_cache: unknown, _sequences: unknown, [tokens = 0]: readonly number[]) =>
      void (this.#expected = tokens),
    'vm.builtin.kv_state_end_forward': () => undefined,
    'vm.builtin.kv_state_popn': (_cache: unknown, _sequence: Scalar, { value }: Scalar) => {
      if (value > this.#cache.length) throw new Error('More tokens are removed than there are.');
      this.#cache.length -= value;
    },
    apply_bitmask_inplace: ({ data }: Tensor, _rows: unknown, { data: mask }: Tensor) => {
      for (let token = 0; token < data.length; token++) {
        if ((((mask[token >> 5] ?? 0) >>> (token & 31)) & 1) === 0) data[token] = LOWEST;
      }
    },
    apply_penalty_inplace: ({ data }: Tensor, ...parts: readonly Tensor[]) => {
      const [tokens = [], , penalties = []] = parts.slice(2).map((part) => part.data);
      const repetition = penalties[2] ?? 1;
      for (const token of tokens) {
        const score = data[token] ?? 0;
        data[token] = score > 0 ? score / repetition : score * repetition;
      }
    },
    apply_logit_bias_inplace: () => undefined,
    softmax_with_temperature: ({ data }: Tensor, { data: [temperature = 1] }: Tensor) => {
      const scaled = Float32Array.from(data, (score) => score / temperature);
      const most = scaled.reduce((one, other) => Math.max(one, other));
      const parts = scaled.map((score) => Math.exp(score - most));
      const sum = parts.reduce((one, other) => one + other);
      return new Tensor(
        [1, data.length],
        'float32',
        parts.map((part) => part / sum),
      );
    },
    argsort_probs: ({ data }: Tensor) => {
      const order = Array.from(data.keys()).sort((one, other) => (data[other] ?? 0) - (data[one] ?? 0));
      const sorted = [
        new Tensor(
          [1],
          'float32',
          order.map((token) => data[token] ?? 0),
        ),
        new Tensor([1], 'int32', order),
      ];
      return { get: (index: number) => sorted[index] };
    },
    sample_with_top_p: ({ data: sorted }: Tensor, { data: order }: Tensor, { data: [drawn = 0] }: Tensor) => {
      let left = drawn;
      const place = sorted.findIndex((part) => (left -= part) < 0);
      return new Tensor([1], 'int32', [order[Math.max(place, 0)] ?? -1]);
    },
  };

  #forward({ data }: Tensor): { get: () => Tensor } {
    if (this.#expected !== data.length) throw new Error('Another number of tokens was announced.');
    this.#cache.push(...data);
    this.#passes.push(data.length);
    let hash = 17;
    for (const token of this.#cache) hash = (Math.imul(hash, 31) + token + 1) >>> 0;
    const random = this.#options.seededRandom(hash);
    const logits = Float32Array.from({ length: this.#options.size }, () => (random() - 0.5) * 6);
    return { get: () => new Tensor([1, 1, this.#options.size], 'float32', logits) };
  }
}
