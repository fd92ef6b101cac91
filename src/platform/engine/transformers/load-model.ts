/** @file Downloads a model's missing files, and loads the model with transformers.js. */
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import { FaultError } from '../../../core/contract';
import { codeFault } from '../code-fault';
import type { NumericForm } from './choose-files';
import { download } from './download';
import { noTemplateFault } from './transformers-faults';
import { folderFiles, type ModelFiles } from './files';
import { Grammars } from './grammar-mask';
import { KeptPrefix } from './kept-prefix';
import { hubFiles } from './hub-files';
import { namedOf, type LoadCommand } from './messages';
import { FILE, MODEL_ID, readEnds, serveToLibrary, readJson } from './model-files';
import type { Progress } from './progress';
import { useRuntime } from './runtime';
import * as z from 'zod/mini';
import type { Named } from '../engine-faults';
import type { Vocabulary } from '../token-texts';

export interface LoadedModel {
  readonly model: PreTrainedModel;
  readonly tokenizer: PreTrainedTokenizer;
  readonly grammars: Grammars;
  readonly prefix: KeptPrefix;
  readonly form: NumericForm;
  /** Maximum number of tokens in the prompt and the answer together. */
  readonly context: number;
  /** Tokens that end an answer. */
  readonly ends: readonly number[];
}

/** Downloads and loads a model. Throws a `FaultError` or an error of transformers.js. */
export async function loadModel(command: LoadCommand, progress: Progress): Promise<LoadedModel> {
  const { source, device } = command;
  const named = namedOf(command);
  const files = source.kind === 'hub' ? await hubFiles(source, named) : folderFiles(source.files);
  serveToLibrary(files);
  const { form, settings, config } = await download(files, command, progress);

  progress.enter('loading');
  await useRuntime().catch((thrown: unknown) => {
    throw new FaultError(codeFault(named, navigator.onLine, thrown));
  });
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL_ID);
  tokenizer.chat_template ??= (await (await files.open(FILE.template))?.text()) ?? null;
  if (tokenizer.chat_template === null) throw new FaultError(noTemplateFault(named));

  // Only models on the GPU are compiled.
  if (device === 'webgpu') progress.enter('compiling');
  const model = await AutoModelForCausalLM.from_pretrained(MODEL_ID, { config, device, dtype: form });
  const ends = await readEnds(files, settings, named);
  const vocabulary = await readVocabulary(files, named);
  const size = settings.vocab_size ?? settings.text_config?.vocab_size ?? vocabulary.tokens.length;
  const longest = settings.max_position_embeddings ?? settings.text_config?.max_position_embeddings;
  return {
    model,
    tokenizer,
    grammars: await Grammars.create({ vocabulary, size, ends }),
    prefix: new KeptPrefix(model, tokenizer),
    form,
    context: Math.min(command.context, longest ?? command.context),
    ends,
  };
}

/**
 * Reads a tokenizer's vocabulary: the text of each token, and how bytes are encoded in these texts. The
 * code that enforces a grammar needs the vocabulary.
 */
interface Decoder {
  readonly type: string;
  readonly decoders?: readonly Decoder[] | undefined;
}

const decoder: z.ZodMiniType<Decoder> = z.object({
  type: z.string(),
  decoders: z.optional(z.array(z.lazy(() => decoder))),
});

const tokenizerShape = z.object({
  added_tokens: z.array(z.object({ id: z.int(), content: z.string() })),
  decoder: z.nullable(decoder),
  /** Either the id of each token, or `[token, score]` pairs in the order of the ids. */
  model: z.object({ vocab: z.union([z.record(z.string(), z.int()), z.array(z.tuple([z.string()], z.unknown()))]) }),
});

/**
 * Reads the vocabulary. Ids without a token have an empty text. Added tokens have an empty text too, so that
 * no grammar uses them. In an answer, an added token would be dropped from the text or change the meaning of
 * the text. Throws a `FaultError` if the tokenizer cannot be read.
 */
async function readVocabulary(files: ModelFiles, named: Named): Promise<Vocabulary> {
  const { model, added_tokens, decoder } = await readJson(files, FILE.tokenizer, tokenizerShape, named);
  const tokens: string[] = [];
  if (Array.isArray(model.vocab)) for (const [token] of model.vocab) tokens.push(token);
  else for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  for (const { id } of added_tokens) tokens[id] = '';
  return { tokens: Array.from(tokens, (token) => token ?? ''), encoding: encodingOf(decoder) };
}

function encodingOf(decoder: Decoder | null): Vocabulary['encoding'] {
  const types = decoder ? [decoder.type, ...(decoder.decoders ?? []).map(({ type }) => type)] : [];
  if (types.includes('ByteFallback')) return 'byte_fallback';
  return types.includes('ByteLevel') ? 'byte_level' : 'raw';
}
