/** @file Reads the files of a transformers.js model, and provides them to the library transformers.js. */
import { env } from '@huggingface/transformers';
import * as z from 'zod/mini';
import { FaultError } from '../../../core/contract';
import type { Named } from '../engine-faults';
import { unreadableFault } from './transformers-faults';
import type { ModelFiles } from './files';

/** The files besides the weights, which are in `onnx/`. */
export const FILE = {
  config: 'config.json',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  /** This file is optional. */
  generation: 'generation_config.json',
  /** Newer models have this separate file for the chat template. */
  template: 'chat_template.jinja',
} as const;

/** Host of the addresses under which the library requests a model's files. `serveToLibrary` answers these requests. */
const HOST = 'https://model.invalid/';
export const MODEL_ID = 'podium/model';

/**
 * Lets the library read these files and nothing from the network, so that Podium controls downloads, their progress and their
 * faults.
 */
export function serveToLibrary(files: ModelFiles): void {
  env.remoteHost = HOST;
  env.remotePathTemplate = '{model}/';
  env.useBrowserCache = false;
  // With this cache, the library would load the runtime's script from a blob, which the page's Content Security Policy blocks.
  env.useWasmCache = false;
  const root = `${HOST}${MODEL_ID}/`;
  env.fetch = async (input) => {
    const address = String(input);
    const file = address.startsWith(root) ? await files.open(address.slice(root.length)) : null;
    return file ?? new Response(null, { status: 404 });
  };
}

const tokens = z.nullish(z.union([z.int(), z.array(z.int())]));
const size = z.optional(z.int());
const configShape = z.object({
  model_type: z.string(),
  vocab_size: size,
  max_position_embeddings: size,
  /** Multimodal models have the settings of their language model here. */
  text_config: z.optional(z.object({ vocab_size: size, max_position_embeddings: size })),
  eos_token_id: tokens,
});
const generationShape = z.object({ eos_token_id: z.optional(tokens) });

export type Settings = z.infer<typeof configShape>;

export function readSettings(files: ModelFiles, named: Named): Promise<Settings> {
  return readJson(files, FILE.config, configShape, named);
}

/** Tokens that end an answer, according to the model's files. */
export async function readEnds(files: ModelFiles, settings: Settings, named: Named): Promise<readonly number[]> {
  const { eos_token_id } = await readJson(files, FILE.generation, generationShape, named, {});
  const ids = eos_token_id ?? settings.eos_token_id ?? [];
  return typeof ids === 'number' ? [ids] : ids;
}

/**
 * Reads and validates a JSON file. Throws a `FaultError` if the file is invalid, or if it is missing and `absent` is not given.
 * @param absent the result for a missing file
 */
export async function readJson<S extends z.ZodMiniType>(
  files: ModelFiles,
  path: string,
  shape: S,
  named: Named,
  absent?: z.infer<S>,
): Promise<z.infer<S>> {
  const response = await files.open(path);
  if (!response && absent !== undefined) return absent;
  try {
    return shape.parse(await response?.json());
  } catch {
    throw new FaultError(unreadableFault(path, named));
  }
}
