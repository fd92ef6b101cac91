/**
 * @file Limits how much of a reply is read. Otherwise a server that ignores the token limit could fill memory and storage.
 */

export interface ReplyLimits {
  /** Maximum number of characters of content. The same limit applies to reasoning. */
  readonly characters: number;
  /** Maximum number of bytes of the whole body of a stream. */
  readonly bytes: number;
}

/** Ordinary text has about four characters per token, but a long row of spaces or dashes can be one token. */
const CHARACTERS_PER_TOKEN = 32;
const FEWEST_CHARACTERS = 2 ** 18;
const MOST_CHARACTERS = 2 ** 23;
/** A streamed token takes a few hundred bytes of JSON, or more if the server adds the probabilities of tokens. */
const BYTES_PER_TOKEN = 2 ** 11;
/** The part of the limit that does not depend on tokens. It has room for the comments that keep a connection open. */
const FEWEST_BYTES = 2 ** 26;
const MOST_BYTES = 2 ** 28;
/**
 * Maximum number of bytes of a body that is not streamed. It is lower than for a stream, because the whole body is decoded in
 * one piece.
 */
const LONGEST_WHOLE = 2 ** 24;

/**
 * Maximum number of bytes of one server-sent event. In a body that is not streamed, this is the maximum for everything other
 * than the content and the reasoning.
 */
export const LONGEST_EVENT = 2 ** 20;
/** Maximum number of bytes of an error response. Its message is shortened to a few hundred characters. */
export const LONGEST_REFUSAL = 2 ** 16;
/** Maximum number of bytes of a list of models. */
export const LONGEST_LIST = 2 ** 22;

/** @param maxTokens the token limit that is sent with the call */
export function replyLimits(maxTokens: number): ReplyLimits {
  const characters = Math.min(MOST_CHARACTERS, Math.max(FEWEST_CHARACTERS, maxTokens * CHARACTERS_PER_TOKEN));
  return { characters, bytes: Math.min(MOST_BYTES, FEWEST_BYTES + maxTokens * BYTES_PER_TOKEN) };
}

/**
 * Maximum number of bytes of a body that is not streamed. It has up to two texts, content and reasoning. JSON needs at most six
 * bytes for an escaped UTF-16 unit.
 */
export function longestWhole({ characters }: ReplyLimits): number {
  return Math.min(LONGEST_WHOLE, LONGEST_EVENT + 2 * 6 * characters);
}
