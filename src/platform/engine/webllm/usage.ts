/** @file Reads the token counts and speeds that WebLLM reports for one answer. */
import type { ChatCompletionChunk } from '@mlc-ai/web-llm';
import type { EngineSpeed, FinishReason, Usage } from '../../../core/contract';
import type { ReadPrompt } from './kept-prompt';

/**
 * Reads usage and speed. WebLLM's count omits the tokens of the prompt that were cached, but `usage.input` includes them.
 * @param prompt the token counts of the whole prompt. `null`: nothing was cached
 */
export function readUsage(
  usage: ChatCompletionChunk['usage'],
  prompt: ReadPrompt | null,
): {
  readonly usage: Usage | null;
  readonly speed: EngineSpeed | null;
} {
  if (!usage) return { usage: null, speed: null };
  const { prompt_tokens, completion_tokens, extra } = usage;
  return {
    usage: { input: prompt?.tokens ?? prompt_tokens, output: completion_tokens },
    speed: {
      promptTokens: prompt_tokens,
      decodeTokens: completion_tokens,
      prefill: measured(extra.prefill_tokens_per_s),
      decode: measured(extra.decode_tokens_per_s),
      firstToken: measured(extra.time_to_first_token_s * 1000),
      grammar: extra.grammar_init_s === undefined ? null : measured(extra.grammar_init_s * 1000),
    },
  };
}

/** A rate is not finite if the measured time is 0. */
function measured(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function finishReasonOf(reason: ChatCompletionChunk.Choice['finish_reason']): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
      return reason;
    case 'tool_calls':
    case 'abort':
      return 'other';
    case null:
      return null;
    default:
      return reason satisfies never;
  }
}
