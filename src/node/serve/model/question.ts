/** @file Turns the messages of a conversation into one question. docs/serve.md describes the format. */
import { ApiError } from '../http/api-error';

export interface ChatMessage {
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
export function questionOf(messages: readonly ChatMessage[]): string {
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
