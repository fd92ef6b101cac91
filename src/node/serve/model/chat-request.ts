/**
 * @file Parses the body of a request for a chat completion. Rejects parameters that would change the answer and have no
 * counterpart in Podium.
 */
import { isRecord } from '../../../core/contract';
import * as z from 'zod/mini';
import { ApiError } from '../http/api-error';
import { parseBody } from '../http/body';
import type { AnswerRequest } from './answer';
import { content, readContent } from './content';
import { readConversation, type ChatMessage } from './conversation';
import { jsonForm, responseFormat } from './json-form';
import { effortOf, outputLimit, reasoningEffort, temperature, topP } from './parameters';
import { findModel, type ServedModel } from './served-models';
import { answerForm, NO_TOOLS, passesTools, type ToolMode, type ToolUse } from './tools';

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.nullish(content),
  tool_calls: z.nullish(
    z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })),
  ),
  tool_call_id: z.nullish(z.string()),
});
const tool = z.looseObject({
  type: z.literal('function', { error: 'only tools of the type function are supported' }),
  function: z.looseObject({
    name: z.string().check(z.minLength(1)),
    description: z.optional(z.string()),
    parameters: z.optional(z.unknown()),
  }),
});
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
]);
const stopText = z.string().check(z.maxLength(1000));

const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(message).check(z.minLength(1)),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(z.looseObject({ include_usage: z.nullish(z.boolean()) })),
  seed: z.nullish(z.int().check(z.gte(0))),
  max_tokens: z.nullish(outputLimit),
  max_completion_tokens: z.nullish(outputLimit),
  temperature: z.nullish(temperature),
  top_p: z.nullish(topP),
  stop: z.nullish(z.union([stopText, z.array(stopText).check(z.maxLength(16))])),
  reasoning_effort: z.nullish(reasoningEffort),
  response_format: z.nullish(responseFormat),
  tools: z.nullish(z.array(z.unknown())),
  tool_choice: z.nullish(toolChoice),
  parallel_tool_calls: z.nullish(z.boolean()),
  presence_penalty: z.nullish(z.number().check(z.gte(-2), z.lte(2))),
});

/**
 * Checks for the unsupported parameters. A check returns true for values that have no effect. These values are accepted. All
 * other values are rejected.
 */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  functions: isEmpty,
  function_call: (value) => value === 'none' || value === 'auto',
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
export function readChatRequest(value: unknown, models: readonly ServedModel[], mode: ToolMode): ChatRequest {
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
    effort: body.reasoning_effort ? effortOf(body.reasoning_effort) : null,
    ...readConversation(body.messages.map(messageOf), mode),
    form: answerForm(toolUseOf(body, mode), body.response_format ? jsonForm(body.response_format) : null),
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

function toolUseOf({ tools, tool_choice, parallel_tool_calls }: z.infer<typeof chatBody>, mode: ToolMode): ToolUse {
  const given = tools ?? [];
  const choice =
    typeof tool_choice === 'object' && tool_choice ? { name: tool_choice.function.name } : (tool_choice ?? 'auto');
  if (!passesTools(given, choice, mode)) return NO_TOOLS;
  const read = parseBody(z.looseObject({ tools: z.array(tool) }), { tools: given }).tools;
  return { tools: read.map((each) => each.function), choice, one: parallel_tool_calls === false };
}

function messageOf({ role, content: given, tool_calls, tool_call_id }: z.infer<typeof message>): ChatMessage {
  const calls = (tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }));
  return { role, ...readContent(given, 'messages'), calls, callId: tool_call_id ?? null };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
