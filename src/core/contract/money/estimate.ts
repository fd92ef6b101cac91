/**
 * @file Estimates tokens from characters. From these estimates, Podium computes the maximum cost of a call before sending it, and
 * the usage of a call if the provider reported none.
 */
import type { Message } from '../model/message';

/** Maximum tokens that a chat template adds to a message. */
const TEMPLATE_TOKENS = 16;

/** Approximates a tokenizer: four ASCII characters per token, and one token for each other UTF-16 unit. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 128) ascii += 1;
  return Math.ceil(ascii / 4) + text.length - ascii;
}

/** Approximate tokens of an image at the size at which it is sent. Providers differ widely. */
export const IMAGE_TOKENS = 1600;

/** Approximate tokens of a prompt. */
export function estimateInput(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, { content, images }) => sum + estimateTokens(content) + IMAGE_TOKENS * (images?.length ?? 0),
    0,
  );
}

/** Assumed maximum of a prompt's tokens. Digits, code and rare scripts use about twice the tokens of prose. */
export function worstInput(messages: readonly Message[]): number {
  return 2 * estimateInput(messages) + TEMPLATE_TOKENS * (messages.length + 1);
}
