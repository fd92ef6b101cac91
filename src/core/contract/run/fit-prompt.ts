/**
 * @file Fits a prompt to a model's context by shortening outputs of earlier rounds. If the prompt is too long, the longest of
 * these outputs are cut to one common length. Half of the length is taken from the beginning of an output, and half from its end.
 * In between, the prompt states how many characters are left out.
 */
import type { PromptMessage, PromptPart } from '../model/message';
import { estimateTokens } from '../money/estimate';
import { renderPrompt, type PromptSources } from './render';

/** The assumed context window of a model whose context window is unknown, in tokens. */
const USUAL_CONTEXT = 32_768;
/** The share of the context that a prompt and its answer may use. The rest is a reserve, because token counts are estimates. */
const USED_SHARE = 0.8;
/** A shortened output keeps at least this many characters, even if the prompt then remains too long. */
const SHORTEST = 200;

/**
 * Maximum number of tokens of a prompt: the usable context minus the output limit, but at least half of the usable context.
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
 * The greatest length to which all longer texts can be cut, so that all texts together have at most `tokens` tokens. It is never
 * less than `SHORTEST`, even if the texts then have more tokens.
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
 * The beginning and the end of a text, together at most `length` UTF-16 units. Between them, the result states how many units are
 * left out. A text of at most `length` units is unchanged.
 */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = wholeCharacters(text.slice(0, Math.ceil(length / 2)), 'end');
  const tail = wholeCharacters(text.slice(text.length - Math.floor(length / 2)), 'start');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Drops half of a surrogate pair at a cut. */
function wholeCharacters(text: string, cut: 'start' | 'end'): string {
  return cut === 'end' ? text.replace(/[\uD800-\uDBFF]$/, '') : text.replace(/^[\uDC00-\uDFFF]/, '');
}
