/**
 * @file Converts messages to the format of the chat completions API. Images become data URLs, because only this browser has
 * the images, so a server cannot fetch them.
 */
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { fault, FaultError, type ImageStore, type Message } from '../../core/contract';
import { toBase64 } from '../base64';

/** A message with its images as data URLs. */
export interface SentMessage extends Pick<Message, 'role' | 'content'> {
  readonly imageUrls?: readonly string[];
}

/** Loads the images of messages. Rejects with a `FaultError` (`bad-request`) if an image is missing. */
export async function withImages(
  messages: readonly Message[],
  images: Pick<ImageStore, 'get'> | undefined,
): Promise<readonly SentMessage[]> {
  return Promise.all(
    messages.map(async ({ role, content, images: hashes = [] }): Promise<SentMessage> => {
      if (hashes.length === 0) return { role, content };
      return { role, content, imageUrls: await Promise.all(hashes.map((hash) => dataUrl(hash, images))) };
    }),
  );
}

async function dataUrl(hash: string, images: Pick<ImageStore, 'get'> | undefined): Promise<string> {
  const image = await images?.get(hash);
  if (!image) {
    const message = 'An image of this question is no longer in this browser. Attach it again and start a new run.';
    throw new FaultError(fault('bad-request', message));
  }
  return `data:${image.type};base64,${toBase64(image.bytes)}`;
}

/** Converts a message to the API's format. Without images, the content is a string, which every server accepts. */
export function chatMessage({ role, content, imageUrls = [] }: SentMessage): ChatCompletionMessageParam {
  if (imageUrls.length === 0 || role !== 'user') return { role, content };
  const images = imageUrls.map((url): ChatCompletionContentPart => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [{ type: 'text', text: content }, ...images] };
}

/** Moves the text of system messages to the beginning of the user’s first message, for models without a system role. */
export function withoutSystem(messages: readonly SentMessage[]): readonly SentMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest = messages.filter(({ role }) => role !== 'system');
  const first = rest.findIndex(({ role }) => role === 'user');
  if (system.length === 0) return rest;
  if (first < 0) return [{ role: 'user', content: system.join('\n\n') }, ...rest];
  return rest.map((message, index) =>
    index === first ? { ...message, content: [...system, message.content].join('\n\n') } : message,
  );
}
