/** @file Parses the body of a request to the Responses API. Names the features of the API that the server lacks. */
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

/** An item of the input. Messages may lack the type. Other fields depend on the type. */
const item = z.looseObject({
  type: z.optional(z.string()),
  role: z.optional(z.enum(['system', 'developer', 'user', 'assistant'])),
  content: z.nullish(content),
  call_id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.string()),
  output: z.nullish(content),
});

const tool = z.looseObject({
  type: z.string(),
  name: z.optional(z.string()),
  description: z.nullish(z.string()),
  parameters: z.optional(z.unknown()),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), name: z.string() }),
]);

/** Of the API of chat completions, this API has all but the place of the schema. */
const format = z.pipe(
  z.looseObject({ type: z.string(), schema: z.optional(z.unknown()) }),
  z.transform(({ type, schema }) => (type === 'json_schema' ? { type, json_schema: { schema } } : { type })),
);

const body = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item).check(z.minLength(1))]),
  instructions: z.nullish(z.string()),
  stream: z.nullish(z.boolean()),
  reasoning: z.nullish(z.looseObject({ effort: z.nullish(reasoningEffort) })),
  text: z.nullish(z.looseObject({ format: z.nullish(z.pipe(format, responseFormat)) })),
  max_output_tokens: z.nullish(outputLimit),
  temperature: z.nullish(temperature),
  top_p: z.nullish(topP),
  tools: z.nullish(z.array(tool)),
  tool_choice: z.nullish(toolChoice),
  parallel_tool_calls: z.nullish(z.boolean()),
});

/** Parameters that need the server to store responses, which it doesn't do. */
const UNSUPPORTED = ['previous_response_id', 'conversation', 'background', 'prompt'];

export interface ResponsesRequest extends AnswerRequest {
  readonly streams: boolean;
}

/** Throws an `ApiError`: 404 for an unknown model, 400 for any other problem. */
export function readResponsesRequest(value: unknown, models: readonly ServedModel[], mode: ToolMode): ResponsesRequest {
  const read = parseBody(body, value);
  for (const name of UNSUPPORTED) {
    const given = read[name];
    if (given === undefined || given === null || given === false) continue;
    const message = `“${name}” is not supported, because this server stores no responses. Send the whole conversation as “input”.`;
    throw new ApiError(400, message, { code: 'unsupported_parameter', param: name });
  }
  const { reasoning, text, max_output_tokens: maxTokens } = read;
  const items = typeof read.input === 'string' ? [{ role: 'user' as const, content: read.input }] : read.input;
  const instructions = read.instructions ? [messageOf({ role: 'developer', content: read.instructions })] : [];
  const messages = [...instructions.flat(), ...items.flatMap(messageOf)];
  return {
    model: findModel(read.model, models),
    effort: reasoning?.effort ? effortOf(reasoning.effort) : null,
    ...readConversation(messages, mode),
    form: answerForm(toolUseOf(read, mode), text?.format ? jsonForm(text.format) : null),
    seed: null,
    sampling: {
      ...(typeof maxTokens === 'number' ? { maxTokens } : {}),
      ...(typeof read.temperature === 'number' ? { temperature: read.temperature } : {}),
      ...(typeof read.top_p === 'number' ? { topP: read.top_p } : {}),
    },
    streams: read.stream ?? false,
  };
}

function messageOf(given: z.infer<typeof item>): readonly ChatMessage[] {
  const { type = 'message', role, call_id: callId = '', name = '', arguments: args = '{}' } = given;
  switch (type) {
    case 'message':
      return role ? [{ role, ...readContent(given.content, 'input'), calls: [], callId: null }] : [];
    case 'function_call':
      return [
        { role: 'assistant', text: '', attachments: [], calls: [{ id: callId, name, arguments: args }], callId: null },
      ];
    case 'function_call_output':
      return [{ role: 'tool', ...readContent(given.output, 'input'), calls: [], callId }];
    // The progress of an earlier answer, which clients send back.
    case 'reasoning':
      return [];
    default:
      throw new ApiError(400, `Items of the type “${type}” are not supported.`, {
        code: 'unsupported_content',
        param: 'input',
      });
  }
}

/** Tools that OpenAI's own servers carry out, such as a web search, are left out. */
function toolUseOf({ tools, tool_choice, parallel_tool_calls }: z.infer<typeof body>, mode: ToolMode): ToolUse {
  const given = tools ?? [];
  const choice = typeof tool_choice === 'object' && tool_choice ? { name: tool_choice.name } : (tool_choice ?? 'auto');
  if (!passesTools(given, choice, mode)) return NO_TOOLS;
  const functions = given.flatMap(({ type, name, description, parameters }) =>
    type === 'function' && name ? [{ name, description: description ?? undefined, parameters }] : [],
  );
  return { tools: functions, choice, one: parallel_tool_calls === false };
}
