/**
 * @file The tools of a client. The worker that gives the answer gets them as text, and calls them by answering with JSON. A call's
 * id names the worker, so that the results go straight back to it.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isRecord, parseJson } from '../../../core/contract';
import { ApiError } from '../http/api-error';
import type { AnswerForm, ReadAnswer } from './answer-form';

/** What the server does with tools: it refuses requests with tools, leaves the tools out, or passes them to workers. */
export const TOOL_MODES = ['refuse', 'ignore', 'forward'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

export const TOOLS_REFUSED =
  'This server accepts no tools. Start it with “--tools forward” to pass the tools to the worker that answers, or with “--tools ignore” to answer without them.';

export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
}

export interface ToolUse {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  /** Whether the answer may have only one call. */
  readonly one: boolean;
}

export const NO_TOOLS: ToolUse = { tools: [], choice: 'none', one: false };

/**
 * Throws an `ApiError` (400) if the server accepts no tools, or if a choice demands a call that can't be made.
 * @returns whether the worker gets the tools
 */
export function passesTools(tools: readonly unknown[], choice: ToolChoice, mode: ToolMode): boolean {
  const refused = (param: string) => new ApiError(400, TOOLS_REFUSED, { code: 'unsupported_parameter', param });
  if (mode === 'refuse' && tools.length > 0 && choice !== 'none') throw refused('tools');
  if (mode !== 'forward' && choice !== 'none' && choice !== 'auto') throw refused('tool_choice');
  return mode === 'forward';
}

/** Which tools the answer must call. `auto`: any or none. `required`: at least one. */
export type ToolChoice = 'none' | 'auto' | 'required' | { readonly name: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON. */
  readonly arguments: string;
}

/** An answer: text, calls of tools, or both. */
export interface ToolAnswer {
  readonly text: string;
  readonly calls: readonly Omit<ToolCall, 'id'>[];
}

const calls = z.object({
  tool_calls: z
    .array(
      z.object({ name: z.string(), arguments: z.optional(z.union([z.string(), z.record(z.string(), z.unknown())])) }),
    )
    .check(z.minLength(1)),
});

/**
 * Throws an `ApiError` (400) if the choice names an unknown tool.
 * @param one whether the answer may have only one call
 * @param form what an answer without calls must be. `null`: text
 */
function toolForm(
  tools: readonly Tool[],
  choice: Exclude<ToolChoice, 'none'>,
  one: boolean,
  form: AnswerForm<string> | null,
): AnswerForm<ToolAnswer> {
  if (typeof choice === 'object' && !tools.some(({ name }) => name === choice.name)) {
    throw new ApiError(400, `There is no tool “${choice.name}”.`, { param: 'tool_choice' });
  }
  const must = typeof choice === 'object' ? ` You must use ${choice.name}.` : ' You must use a tool.';
  const lines = [
    'You can use these tools. The program of the user carries them out:',
    tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })).join('\n'),
    `To use ${one ? 'a tool' : 'tools'}, answer with JSON of this form and no other text: {"tool_calls": [{"name": "…", "arguments": {…}}]}. The next message then has the ${one ? 'result' : 'results'}.${one ? ' Use at most one tool at a time.' : ''}${choice === 'auto' ? '' : must}`,
    ...(choice === 'auto'
      ? [`If you need no tool, ${form?.instruction ?? 'answer the task itself in plain text.'}`]
      : []),
  ];
  return {
    instruction: lines.join('\n\n'),
    read(answer) {
      const found = callsIn(answer);
      if (found === 'none') return choice === 'auto' ? textOf(answer, form) : { ok: false, problem: 'uses no tool' };
      if (found === 'broken') return { ok: false, problem: 'has calls of tools that are not valid JSON of this form' };
      const unknown = found.find(({ name }) => !tools.some((tool) => tool.name === name));
      if (unknown) return { ok: false, problem: `uses the tool “${unknown.name}”, which does not exist` };
      if (typeof choice === 'object' && found.some(({ name }) => name !== choice.name)) {
        return { ok: false, problem: `uses another tool than ${choice.name}` };
      }
      return { ok: true, value: { text: '', calls: one ? found.slice(0, 1) : found } };
    },
  };
}

/** @returns `null` if the answer may be any text */
export function answerForm(
  { tools, choice, one }: ToolUse,
  form: AnswerForm<string> | null,
): AnswerForm<ToolAnswer> | null {
  if (tools.length > 0 && choice !== 'none') return toolForm(tools, choice, one, form);
  return form && { instruction: form.instruction, read: (answer) => textOf(answer, form) };
}

function textOf(answer: string, form: AnswerForm<string> | null): ReadAnswer<ToolAnswer> {
  if (!form) return { ok: true, value: { text: answer, calls: [] } };
  const read = form.read(answer);
  return read.ok ? { ok: true, value: { text: read.value, calls: [] } } : read;
}

/** Models may write a sentence before the JSON. Text that only mentions tool calls is no call. */
function callsIn(answer: string): readonly Omit<ToolCall, 'id'>[] | 'none' | 'broken' {
  const begin = beginningOf(answer);
  if (begin === null) return 'none';
  const read = z.safeParse(calls, parseJson(answer.slice(begin, answer.lastIndexOf('}') + 1)));
  if (!read.success) return 'broken';
  const found = read.data.tool_calls.map(({ name, arguments: given = {} }) => ({
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }));
  return found.every((call) => isRecord(parseJson(call.arguments))) ? found : 'broken';
}

const KEY = '"tool_calls"';

/** Where a line begins with an object whose first key is `tool_calls`. */
function beginningOf(answer: string): number | null {
  for (let key = answer.indexOf(KEY); key >= 0; key = answer.indexOf(KEY, key + 1)) {
    const before = answer.slice(0, key).trimEnd();
    const isRecord =
      before.endsWith('{') &&
      answer
        .slice(key + KEY.length)
        .trimStart()
        .startsWith(':');
    const line = before.slice(before.lastIndexOf('\n') + 1, -1);
    if (isRecord && line.trim() === '') return before.length - 1;
  }
  return null;
}

/** The id of a call by the worker with this index in the pool. */
export function callId(worker: number): string {
  return `call_${worker}_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** The index of the worker that made a call. `null`: the call is from elsewhere. */
export function callerOf(id: string): number | null {
  const found = /^call_(\d{1,6})_[0-9a-f]{24}$/.exec(id)?.[1];
  return found === undefined ? null : Number(found);
}
