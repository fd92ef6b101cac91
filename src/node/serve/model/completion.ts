/** @file Makes the objects of the chat completions API: completions, and the chunks of a stream. */
import type { Answered } from './answer';
import type { ToolCall } from './tools';
import { chatUsage } from './usage';

export interface CompletionHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The model id of the request. */
  readonly model: string;
}

type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** The reason why the answer ended, as the worker that gave the answer reported it. */
export function finishReasonOf({ run, calls }: Pick<Answered, 'run' | 'calls'>): FinishReason {
  if (calls.length > 0) return 'tool_calls';
  const { answerKey } = run;
  const step = answerKey && run.rounds[answerKey.round]?.steps[answerKey.step];
  switch (step?.attempts.at(-1)?.finishReason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    default:
      return 'stop';
  }
}

interface Shown {
  readonly content: string;
  /** The plan and the progress of its steps. `null`: left out. */
  readonly reasoning: string | null;
  readonly finish: FinishReason;
}

export function completionOf({ id, created, model }: CompletionHead, { runs, calls }: Answered, shown: Shown) {
  const { content, reasoning, finish } = shown;
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
    refusal: null,
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
    usage: chatUsage(runs),
  };
}

function callOf({ id, ...called }: ToolCall) {
  return { id, type: 'function', function: called };
}

interface Delta {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly object[];
}

/** The part of a stream with calls of tools. */
export function callDelta(calls: readonly ToolCall[]): Delta {
  return { tool_calls: calls.map((call, index) => ({ index, ...callOf(call) })) };
}

/** One chunk of a stream. @param finish why the answer ended. `null`: the answer continues */
export function chunkOf({ id, created, model }: CompletionHead, delta: Delta, finish: FinishReason | null = null) {
  const choices = [{ index: 0, delta, finish_reason: finish, logprobs: null }];
  return { id, object: 'chat.completion.chunk', created, model, choices };
}

/** The chunk with the usage. It is the last chunk of a stream, and is sent only if the client has requested the usage. */
export function usageChunkOf({ id, created, model }: CompletionHead, { runs }: Answered) {
  return { id, object: 'chat.completion.chunk', created, model, choices: [], usage: chatUsage(runs) };
}
