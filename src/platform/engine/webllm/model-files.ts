/** @file Parses the two files that list the other files of a model: the configuration and the list of weights. */
import * as z from 'zod/mini';
import { parseJson } from '../../../core/contract';
import type { Digest } from './digests';

export const CONFIG_FILE = 'mlc-chat-config.json';
export const WEIGHTS_FILE = 'tensor-cache.json';
/** The name of the list of weights until 2025. The format is the same. */
export const OLD_WEIGHTS_FILE = 'ndarray-cache.json';

const configSchema = z.object({
  tokenizer_files: z.array(z.string()),
  model_type: z.optional(z.string()),
  quantization: z.optional(z.string()),
  model_config: z.optional(z.looseObject({ hidden_size: z.optional(z.number()) })),
});

const tensorSchema = z.object({ name: z.string(), shape: z.array(z.number()), dtype: z.string() });

const weightsSchema = z.object({
  records: z.array(
    z.object({
      dataPath: z.string().check(z.minLength(1)),
      nbytes: z.int().check(z.positive()),
      md5sum: z.optional(z.string().check(z.regex(/^[\da-f]{32}$/))),
      records: z.catch(z.nullable(z.array(tensorSchema)), null),
    }),
  ),
});

/** One parameter of the model, such as a weight matrix. */
export type Tensor = z.infer<typeof tensorSchema>;

export type ModelConfig = z.infer<typeof configSchema>;

/** One file of weights. */
export interface Shard {
  readonly path: string;
  readonly bytes: number;
  /** `null` if the list states no digest. */
  readonly digest: Digest | null;
  /** The tensors in the file. `null` if the list does not describe them. */
  readonly tensors: readonly Tensor[] | null;
}

/** Parses a configuration. `null` if the text is not a configuration. */
export function readConfig(text: string): ModelConfig | null {
  return configSchema.safeParse(parseJson(text)).data ?? null;
}

/** Parses a list of weights. `null` if the text is not such a list. */
export function readShards(text: string): readonly Shard[] | null {
  const { data } = weightsSchema.safeParse(parseJson(text));
  const shards = data?.records.map(({ dataPath, nbytes, md5sum, records }): Shard => {
    const digest: Digest | null = md5sum === undefined ? null : { algorithm: 'md5', hex: md5sum };
    return { path: dataPath, bytes: nbytes, digest, tensors: records };
  });
  return shards ?? null;
}

/** All tensors of the weights. `null` if the list does not describe all of them. */
export function tensorsIn(shards: readonly Shard[]): readonly Tensor[] | null {
  const described = shards.flatMap(({ tensors }) => tensors ?? []);
  return shards.some(({ tensors }) => tensors === null) ? null : described;
}

/** The tokenizer file that WebLLM requests. `null` if WebLLM supports none of the model's tokenizers. */
export function tokenizerFile({ tokenizer_files }: ModelConfig): string | null {
  return ['tokenizer.json', 'tokenizer.model'].find((file) => tokenizer_files.includes(file)) ?? null;
}

/** Whether the model computes with 16-bit floats, which need the GPU feature `shader-f16`. */
export function needsHalf({ quantization }: ModelConfig): boolean {
  return quantization !== undefined && /f16/.test(quantization);
}

/** Whether the model thinks before each answer, unless the prompt turns that off. True for Qwen3 and Qwen3.5. */
export function thinksByDefault({ model_type }: ModelConfig): boolean {
  return model_type?.startsWith('qwen3') ?? false;
}

/** The WebLLM id of a model whose compiled library also runs this model. `null` if none is known. */
export function sameShape({ model_type, quantization, model_config }: ModelConfig): string | null {
  const name = model_type === 'qwen2' ? QWEN2_BY_WIDTH.get(model_config?.hidden_size ?? 0) : undefined;
  return name === undefined || quantization === undefined ? null : `${name}-Instruct-${quantization}-MLC`;
}

const QWEN2_BY_WIDTH = new Map([
  [896, 'Qwen2.5-0.5B'],
  [1536, 'Qwen2.5-1.5B'],
  [2048, 'Qwen2.5-3B'],
  [3584, 'Qwen2.5-7B'],
]);
