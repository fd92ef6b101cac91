/** @file Reads a tokenizer's vocabulary for the grammar's matcher: the text of each token, and how bytes are encoded in it. */
import * as z from 'zod/mini';
import type { Named } from '../engine-faults';
import type { ModelFiles } from './files';
import { FILE, readJson } from './model-files';

export interface Vocabulary {
  /**
   * Texts of the tokens by id. Empty for added tokens. Grammars must not use these, because they are dropped from the text
   * or change its meaning.
   */
  readonly tokens: readonly string[];
  readonly encoding: 'byte_level' | 'byte_fallback' | 'raw';
}

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
  /** Token to id, or in order with a score. */
  model: z.object({ vocab: z.union([z.record(z.string(), z.int()), z.array(z.tuple([z.string()], z.unknown()))]) }),
});

/** Throws a `FaultError` if the tokenizer cannot be read. */
export async function readVocabulary(files: ModelFiles, named: Named): Promise<Vocabulary> {
  const { model, added_tokens, decoder } = await readJson(files, FILE.tokenizer, tokenizerShape, named);
  const tokens: string[] = [];
  if (Array.isArray(model.vocab)) for (const [token] of model.vocab) tokens.push(token);
  else for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  for (const { id } of added_tokens) tokens[id] = '';
  // Ids may have gaps.
  return { tokens: Array.from(tokens, (token) => token ?? ''), encoding: encodingOf(decoder) };
}

function encodingOf(decoder: Decoder | null): Vocabulary['encoding'] {
  const types = decoder ? [decoder.type, ...(decoder.decoders ?? []).map(({ type }) => type)] : [];
  if (types.includes('ByteFallback')) return 'byte_fallback';
  return types.includes('ByteLevel') ? 'byte_level' : 'raw';
}

/** The text of each token, with one character for each encoded byte. */
export function tokenTexts({ tokens, encoding }: Vocabulary): string[] {
  switch (encoding) {
    case 'byte_level': {
      const bytes = byteOf();
      return tokens.map((token) => Array.from(token, (character) => bytes.get(character) ?? character).join(''));
    }
    case 'byte_fallback':
      return tokens.map((token) => {
        const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(token) ?? [];
        return byte === undefined ? token.replaceAll('\u2581', ' ') : String.fromCharCode(Number.parseInt(byte, 16));
      });
    case 'raw':
      return [...tokens];
    default:
      return encoding satisfies never;
  }
}

/** GPT-2's encoding of bytes. Printable bytes map to themselves, all others to characters after U+00FF. */
function byteOf(): ReadonlyMap<string, string> {
  const bytes = new Map<string, string>();
  for (let byte = 0; byte < 256; byte++) {
    const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    const written = prints ? byte : 256 + bytes.size;
    if (!prints) bytes.set(String.fromCharCode(written), String.fromCharCode(byte));
  }
  return bytes;
}
