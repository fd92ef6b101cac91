/**
 * @file Fits a prompt into a model's context window by shortening outputs of earlier rounds. The longest outputs are cut to one
 * common length. A shortened output keeps its beginning and its end. A note between them states how many characters are left out.
 */
import type { PromptMessage, PromptPart } from '../model/message';
import { estimateTokens } from '../money/estimate';
import { renderPrompt, type PromptSources } from './render';

/** The assumed context window in tokens, if the model's own is unknown. */
const USUAL_CONTEXT = 32_768;
/** The share of the context window that a prompt and its answer may use. Token counts are estimates, so 20 % is a reserve. */
const USED_SHARE = 0.8;
/** A shortened output keeps at least this many characters, even if the prompt then remains too long. */
const SHORTEST = 200;

/**
 * Maximum number of tokens of a prompt: the usable context minus `maxTokens`, but at least half of the usable context.
 * @param window the model's context window in tokens. Absent: unknown
 */
export function promptRoom(window: number | undefined, maxTokens: number): number {
  const used = Math.floor((window ?? USUAL_CONTEXT) * USED_SHARE);
  return Math.max(used - maxTokens, Math.floor(used / 2));
}

/**
 * Shortens outputs of earlier rounds if the prompt is too long. Otherwise returns the prompt unchanged.
 * @param round the round that the prompt is for
 * @param room maximum number of tokens of the prompt
 */
export function fitPrompt(
  prompt: readonly PromptMessage[],
  sources: PromptSources,
  { round, room }: { readonly round: number; readonly room: number },
): readonly PromptMessage[] {
  const isEarlier = (part: PromptPart) => part.kind === 'output' && part.round < round;
  if (!prompt.some(({ parts }) => parts.some(isEarlier))) return prompt;
  const textOf = (part: PromptPart) => renderPrompt([{ role: 'user', parts: [part] }], sources)[0]?.content ?? '';
  const parts = prompt.flatMap((message) => message.parts);
  const rest = parts.reduce((sum, part) => (isEarlier(part) ? sum : sum + estimateTokens(textOf(part))), 0);
  const length = commonLength(parts.filter(isEarlier).map(textOf), room - rest);
  if (length === null) return prompt;
  return prompt.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      const text = isEarlier(part) ? textOf(part) : '';
      return text.length > length ? { kind: 'literal' as const, text: shortened(text, length) } : part;
    }),
  }));
}

/**
 * Finds the greatest length at which all texts together fit in `tokens` tokens, if every longer text is cut
 * to this length. The result is at least `SHORTEST`, even if the texts then don't fit.
 * @returns `null` if nothing has to be cut
 */
export function commonLength(texts: readonly string[], tokens: number): number | null {
  const isEnough = (length: number) =>
    texts.reduce((sum, text) => sum + estimateTokens(shortened(text, length)), 0) <= tokens;
  const longest = Math.max(0, ...texts.map((text) => text.length));
  if (longest <= SHORTEST || isEnough(longest)) return null;
  let [low, high] = [SHORTEST, longest];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Shortens a text to its beginning and its end, together at most `length` UTF-16 units. A note between them states how many units
 * are left out. A text of at most `length` units is unchanged.
 */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = wholeCharacters(text.slice(0, Math.ceil(length / 2)), 'end');
  const tail = wholeCharacters(text.slice(text.length - Math.floor(length / 2)), 'start');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Drops the remaining half of a surrogate pair at a cut. */
function wholeCharacters(text: string, cut: 'start' | 'end'): string {
  return cut === 'end' ? text.replace(/[\uD800-\uDBFF]$/, '') : text.replace(/^[\uDC00-\uDFFF]/, '');
}
