/**
 * @file Parses the body of a request for a chat completion. Rejects parameters that would change the answer and have no
 * counterpart in Podium.
 */
import * as z from 'zod/mini';
import type { Effort } from '../../../core/contract';
import { isRecord } from '../../../platform/store/run-file';
import { ApiError } from '../http/api-error';
import { parseBody } from '../http/body';
import type { AnswerRequest } from './answer';
import { findModel, type ServedModel } from './served-models';

const part = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.nullish(z.union([z.string(), z.array(part)])),
});
const whole = z.int().check(z.gte(1), z.lte(1_000_000));

const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** The effort of a run for each level of reasoning. */
const EFFORT_OF: Readonly<Record<(typeof LEVELS)[number], Effort>> = {
  none: 'quick',
  minimal: 'quick',
  low: 'quick',
  medium: 'balanced',
  high: 'thorough',
  xhigh: 'thorough',
  max: 'thorough',
};

const stopText = z.string().check(z.maxLength(1000));

const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(message).check(z.minLength(1)),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.looseObject({ include_usage: z.nullish(z.boolean()) })),
  seed: z.nullish(z.int().check(z.gte(0))),
  max_tokens: z.nullish(whole),
  max_completion_tokens: z.nullish(whole),
  temperature: z.nullish(z.number().check(z.gte(0), z.lte(2))),
  top_p: z.nullish(z.number().check(z.gt(0), z.lte(1))),
  stop: z.nullish(z.union([stopText, z.array(stopText).check(z.maxLength(16))])),
  reasoning_effort: z.nullish(z.enum(LEVELS, { error: `must be one of ${LEVELS.join(', ')}` })),
  presence_penalty: z.nullish(z.number().check(z.gte(-2), z.lte(2))),
});

/**
 * Checks for the unsupported parameters. A check returns true for values that have no effect. These values are accepted. All
 * other values are rejected.
 */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  tools: isEmpty,
  functions: isEmpty,
  tool_choice: (value) => value === 'none' || value === 'auto',
  function_call: (value) => value === 'none' || value === 'auto',
  response_format: (value) => isRecord(value) && value.type === 'text',
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isRecord(value) && Object.keys(value).length === 0,
  frequency_penalty: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  audio: () => false,
  prediction: () => false,
  web_search_options: () => false,
};

export interface ChatRequest extends AnswerRequest {
  /** The answer is cut before the first of these texts. */
  readonly stop: readonly string[];
  readonly streams: boolean;
  readonly includesUsage: boolean;
}

/** Throws an `ApiError`: 404 for an unknown model, 400 for any other problem. */
export function readChatRequest(value: unknown, models: readonly ServedModel[]): ChatRequest {
  const body = parseBody(chatBody, value);
  const model = findModel(body.model, models);
  for (const [name, isHarmless] of Object.entries(HARMLESS)) {
    const given = body[name];
    if (given === undefined || given === null || isHarmless(given)) continue;
    throw new ApiError(400, `“${name}” is not supported.`, { code: 'unsupported_parameter', param: name });
  }
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  return {
    model,
    effort: body.reasoning_effort ? EFFORT_OF[body.reasoning_effort] : null,
    question: questionOf(body.messages.map(({ role, content }) => ({ role, text: textOf(content ?? '') }))),
    seed: body.seed ?? null,
    sampling: {
      ...(typeof maxTokens === 'number' ? { maxTokens } : {}),
      ...(typeof body.temperature === 'number' ? { temperature: body.temperature } : {}),
      ...(typeof body.top_p === 'number' ? { topP: body.top_p } : {}),
      ...(typeof body.presence_penalty === 'number' ? { presencePenalty: body.presence_penalty } : {}),
    },
    stop: [body.stop ?? []].flat().filter((text) => text !== ''),
    streams: body.stream ?? false,
    includesUsage: body.stream_options?.include_usage ?? false,
  };
}

function textOf(content: string | readonly z.infer<typeof part>[]): string {
  if (typeof content === 'string') return content;
  return content
    .map(({ type, text }) => {
      if (type === 'text' && text !== undefined) return text;
      const message = `Parts of the type “${type}” are not supported. Send text.`;
      throw new ApiError(400, message, { code: 'unsupported_content', param: 'messages' });
    })
    .join('');
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Turns the messages of a conversation into one question. docs/serve.md describes the format. */
interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  readonly text: string;
}

const NAMES = { system: 'Instructions', developer: 'Instructions', user: 'User', assistant: 'Assistant' } as const;

/**
 * If the user's message is the only message, its text becomes the question. If only instructions come before the user's message,
 * the texts of all messages are joined in order, with empty lines between them. Any other conversation becomes a transcript that
 * ends with the user's last message. Throws an `ApiError` (400) if the last message is empty or not from the user, or if a
 * transcript would contain a message from a tool.
 */
function questionOf(messages: readonly ChatMessage[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') {
    throw new ApiError(400, 'The last message must come from the user.', { param: 'messages' });
  }
  if (last.text.trim() === '') throw new ApiError(400, 'The last message is empty.', { param: 'messages' });
  const lead = messages.slice(0, -1);
  if (lead.every(({ role }) => role === 'system' || role === 'developer')) {
    return messages.map(({ text }) => text).join('\n\n');
  }
  const turns = messages.map(({ role, text }) => {
    if (role === 'tool' || role === 'function') {
      throw new ApiError(400, 'Messages from tools are not supported.', { param: 'messages' });
    }
    return `${NAMES[role]}:\n${text}`;
  });
  return `Answer the last message of this conversation.\n\n${turns.join('\n\n')}`;
}
