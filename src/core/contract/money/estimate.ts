/**
 * @file Tokens guessed from characters, where nobody counted them: for what a call may come to before it leaves, and for
 * what it came to when the other side did not say.
 */
import type { Message } from '../model/message';

/** Tokens that a chat template adds to a message, at most. */
const TEMPLATE_TOKENS = 16;

/** About what tokenizers make of a text: four ASCII characters a token, and a token for each other UTF-16 unit. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 4) + text.length - ascii;
}

/** Tokens that an image comes to, about, at the size at which it is sent; providers differ by much. */
export const IMAGE_TOKENS = 1600;

/** About what a prompt comes to. */
export function estimateInput(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, { content, images }) => sum + estimateTokens(content) + IMAGE_TOKENS * (images?.length ?? 0),
    0,
  );
}

/** What a prompt comes to at most: digits, code and rare scripts take about twice the tokens of prose. */
export function worstInput(messages: readonly Message[]): number {
  return 2 * estimateInput(messages) + TEMPLATE_TOKENS * (messages.length + 1);
}
