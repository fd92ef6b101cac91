/**
 * @file Reads a tokenizer's vocabulary: the text of each token, and how bytes are encoded in these texts. The
 * code that enforces a grammar needs the vocabulary.
 */
import * as z from 'zod/mini';
import type { Named } from '../engine-faults';
import type { Vocabulary } from '../token-texts';
import type { ModelFiles } from './files';
import { FILE, readJson } from './model-files';

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
export async function readVocabulary(files: ModelFiles, named: Named): Promise<Vocabulary> {
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
