/**
 * @file Limits how much of a reply is read. Otherwise a server that ignores the token limit could fill memory and storage.
 */

export interface ReplyLimits {
  /** Maximum number of UTF-16 units. It applies to the content and to the reasoning separately. */
  readonly characters: number;
  /** Maximum number of bytes of a streamed body. */
  readonly bytes: number;
}

/** Far above the usual four characters per token, because one token can be a long row of spaces or dashes. */
const CHARACTERS_PER_TOKEN = 32;
const FEWEST_CHARACTERS = 2 ** 18;
const MOST_CHARACTERS = 2 ** 23;
/** A streamed token takes a few hundred bytes of JSON, or more if the server adds the tokens' probabilities. */
const BYTES_PER_TOKEN = 2 ** 11;
/** Bytes that a stream may have in addition to its tokens, for example for comments that keep the connection open. */
const FEWEST_BYTES = 2 ** 26;
const MOST_BYTES = 2 ** 28;
/**
 * Maximum number of bytes of a body that is not streamed. It is lower than `MOST_BYTES`, because such a body is decoded in one
 * piece.
 */
const LONGEST_WHOLE = 2 ** 24;

/**
 * Maximum number of bytes of one server-sent event. A body that is not streamed may have this many bytes in addition to its
 * content and reasoning.
 */
export const LONGEST_EVENT = 2 ** 20;
/** Maximum number of bytes that are read of an error response. At most a few hundred characters of it are shown. */
export const LONGEST_REFUSAL = 2 ** 16;
/** Maximum number of bytes of a list of models. */
export const LONGEST_LIST = 2 ** 22;

/** Returns the limits for the reply to a call. @param maxTokens the token limit that is sent with the call */
export function replyLimits(maxTokens: number): ReplyLimits {
  const characters = Math.min(MOST_CHARACTERS, Math.max(FEWEST_CHARACTERS, maxTokens * CHARACTERS_PER_TOKEN));
  return { characters, bytes: Math.min(MOST_BYTES, FEWEST_BYTES + maxTokens * BYTES_PER_TOKEN) };
}

/**
 * Maximum number of bytes of a body that is not streamed. The body has up to two texts, content and reasoning. JSON needs at
 * most six bytes for each UTF-16 unit of a text.
 */
export function longestWhole({ characters }: ReplyLimits): number {
  return Math.min(LONGEST_WHOLE, LONGEST_EVENT + 2 * 6 * characters);
}
