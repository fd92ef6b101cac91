/** @file Fits a prompt into a model's context window by shortening the files of the question, in the same way as `fit-prompt.ts`. */
import type { PromptMessage } from '../model/message';
import { estimateTokens } from '../money/estimate';
import { commonLength, shortened } from './fit-prompt';
import { questionText } from './follow-up';
import { renderPrompt, type PromptSources } from './render';
import type { Question } from './settings';

/**
 * Shortens the files of the question if the prompt is too long. Otherwise returns the prompt unchanged. The shortened question is
 * a literal, so that the stored prompt has exactly what was sent.
 * @param window the model's context window in tokens. Absent: unknown, so nothing is shortened
 * @param room maximum number of tokens of the prompt, see `promptRoom`
 */
export function fitFiles(
  prompt: readonly PromptMessage[],
  sources: PromptSources,
  question: Question,
  { window, room }: { readonly window: number | undefined; readonly room: number },
): readonly PromptMessage[] {
  const { files = [] } = question;
  if (files.length === 0 || window === undefined) return prompt;
  const whole = renderPrompt(prompt, sources).reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const texts = files.map(({ text }) => text);
  const rest = whole - texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const length = whole <= room ? null : commonLength(texts, room - rest);
  if (length === null) return prompt;
  const shorter = files.map((file) => ({ ...file, text: shortened(file.text, length) }));
  const literal = { kind: 'literal' as const, text: questionText({ ...question, files: shorter }) };
  return prompt.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.kind === 'question' ? literal : part)),
  }));
}
