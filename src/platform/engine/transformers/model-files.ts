/** @file Which files a model of transformers.js has, what of them we read ourselves, and how the library gets at them. */
import { env } from '@huggingface/transformers';
import * as z from 'zod/mini';
import { FaultError } from '../../../core/contract';
import type { Named } from '../engine-faults';
import { unreadableFault } from './transformers-faults';
import type { ModelFiles } from './files';

/** Beside the weights, which lie in `onnx/`. */
export const FILE = {
  config: 'config.json',
  tokenizer: 'tokenizer.json',
  tokenizerConfig: 'tokenizer_config.json',
  /** May be missing. */
  generation: 'generation_config.json',
  /** Newer models keep their chat template in a file of its own. */
  template: 'chat_template.jinja',
} as const;

/** The library asks for files at addresses; these lead to `ModelFiles` and nowhere else. */
const HOST = 'https://model.invalid/';
export const MODEL_ID = 'podium/model';

/**
 * Gives the library what is on this machine and no network, so that what a download lacks, what it costs and why it failed is
 * known to us alone.
 */
export function serveToLibrary(files: ModelFiles): void {
  env.remoteHost = HOST;
  env.remotePathTemplate = '{model}/';
  env.useBrowserCache = false;
  // It would load the runtime's script from a blob, which the page's policy forbids; the one in the bundle does as well.
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
  /** Models that also see or hear keep what concerns their language here. */
  text_config: z.optional(z.object({ vocab_size: size, max_position_embeddings: size })),
  eos_token_id: tokens,
});
const generationShape = z.object({ eos_token_id: z.optional(tokens) });

export type Settings = z.infer<typeof configShape>;

export function readSettings(files: ModelFiles, named: Named): Promise<Settings> {
  return readJson(files, FILE.config, configShape, named);
}

/** Tokens that end an answer, as the model's files name them. */
export async function readEnds(files: ModelFiles, settings: Settings, named: Named): Promise<readonly number[]> {
  const { eos_token_id } = await readJson(files, FILE.generation, generationShape, named, {});
  const ids = eos_token_id ?? settings.eos_token_id ?? [];
  return typeof ids === 'number' ? [ids] : ids;
}

/**
 * Throws a `FaultError` where a file is not what it should be.
 * @param absent what stands for a file that may be missing
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
