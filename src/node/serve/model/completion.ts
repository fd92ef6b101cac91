/** @file Makes the objects of the chat completions API: completions, and the chunks of a stream. */
import type { Run } from '../../../core/contract';
import { MODEL } from './chat-request';

export interface CompletionHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** The tokens of all calls of the run, including the Conductor's calls. */
function usageOf({ spent }: Run) {
  return {
    prompt_tokens: spent.input,
    completion_tokens: spent.output,
    total_tokens: spent.input + spent.output,
  };
}

type FinishReason = 'stop' | 'length' | 'content_filter';

/** The reason why the answer ended, as the worker that gave the answer reported it. */
export function finishReasonOf(run: Run): FinishReason {
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

interface Answer {
  readonly content: string;
  readonly reasoning: string;
  readonly finish: FinishReason;
}

export function completionOf({ id, created }: CompletionHead, run: Run, { content, reasoning, finish }: Answer) {
  const message = { role: 'assistant', content, reasoning_content: reasoning, refusal: null };
  return {
    id,
    object: 'chat.completion',
    created,
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
    usage: usageOf(run),
  };
}

interface Delta {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly reasoning_content?: string;
}

/** One chunk of a stream. @param finish why the answer ended. `null`: the answer continues */
export function chunkOf({ id, created }: CompletionHead, delta: Delta, finish: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason: finish, logprobs: null }];
  return { id, object: 'chat.completion.chunk', created, model: MODEL, choices };
}

/** The chunk with the usage. It is the last chunk of a stream, and is sent only if the client has requested the usage. */
export function usageChunkOf({ id, created }: CompletionHead, run: Run) {
  return { id, object: 'chat.completion.chunk', created, model: MODEL, choices: [], usage: usageOf(run) };
}
