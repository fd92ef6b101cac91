/** @file Turns the messages of a conversation into one question. docs/serve.md describes the format. */
import { ApiError } from '../http/api-error';
import type { Attachment, MessageContent } from './content';
import { callerOf, TOOLS_REFUSED, type ToolCall, type ToolMode } from './tools';

export interface ChatMessage extends MessageContent {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  /** Calls of tools by the assistant. */
  readonly calls: readonly ToolCall[];
  /** Of a tool's result: the id of its call. */
  readonly callId: string | null;
}

const NAMES = { system: 'Instructions', developer: 'Instructions', user: 'User', assistant: 'Assistant' } as const;

export interface Conversation {
  readonly question: string;
  /** The attachments of all messages. */
  readonly attachments: readonly Attachment[];
  /** The index of the worker whose calls of tools the conversation ends with the results of. `null`: a plan is needed. */
  readonly caller: number | null;
}

/**
 * If the user's message is the only message, its text becomes the question. If only instructions come before the user's message,
 * the texts of all messages are joined in order, with empty lines between them. Any other conversation becomes a transcript that
 * ends with the user's last message or with results of tools. Throws an `ApiError` (400) if the last message is empty or from the
 * assistant, or if the server accepts no tools and a message has calls or results of tools.
 */
export function readConversation(messages: readonly ChatMessage[], mode: ToolMode): Conversation {
  const last = messages.at(-1);
  const endsWithResult = last?.role === 'tool';
  if (mode === 'refuse' && messages.some(({ role, calls }) => isResult(role) || calls.length > 0)) {
    throw new ApiError(400, TOOLS_REFUSED, { code: 'unsupported_parameter', param: 'messages' });
  }
  if (last?.role !== 'user' && !endsWithResult) {
    throw new ApiError(400, 'The last message must come from the user or from a tool.', { param: 'messages' });
  }
  if (last.role === 'user' && last.text.trim() === '') {
    throw new ApiError(400, 'The last message is empty.', { param: 'messages' });
  }
  const attachments = messages.flatMap((message) => message.attachments);
  const lead = messages.slice(0, -1);
  if (!endsWithResult && lead.every(({ role }) => role === 'system' || role === 'developer')) {
    return { question: messages.map(({ text }) => text).join('\n\n'), attachments, caller: null };
  }
  const begin = endsWithResult
    ? 'Continue this conversation. It ends with results of tools that the assistant has called.'
    : 'Answer the last message of this conversation.';
  const names = new Map(messages.flatMap(({ calls }) => calls.map(({ id, name }) => [id, name] as const)));
  const turns = messages.map((message) => turnOf(message, names));
  return {
    question: `${begin}\n\n${turns.join('\n\n')}`,
    attachments,
    caller: last.callId === null ? null : callerOf(last.callId),
  };
}

function isResult(role: ChatMessage['role']): role is 'tool' | 'function' {
  return role === 'tool' || role === 'function';
}

function turnOf({ role, text, calls, callId }: ChatMessage, names: ReadonlyMap<string, string>): string {
  if (isResult(role)) {
    const name = names.get(callId ?? '');
    return `${name === undefined ? 'Result of a tool' : `Result of ${name}`}:\n${text}`;
  }
  const called = calls.map((call) => `Calls ${call.name} with ${call.arguments}`);
  return `${NAMES[role]}:\n${[...(text === '' ? [] : [text]), ...called].join('\n')}`;
}
