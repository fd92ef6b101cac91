/**
 * @file A message as it goes over the wire: its text, and the images that go with it as data URLs, since a page has no address
 * that a server could fetch them from.
 */
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { fault, FaultError, type ImageStore, type Message } from '../../core/contract';

/** A message with its images at hand. */
export interface SentMessage extends Pick<Message, 'role' | 'content'> {
  readonly imageUrls?: readonly string[];
}

/** Fetches the images of messages. Throws a `FaultError` where one is not here. */
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
    const message = 'An image of this question is not in this browser any more. Attach it again and start a new run.';
    throw new FaultError(fault('bad-request', message));
  }
  return `data:${image.type};base64,${base64(image.bytes)}`;
}

/** In pieces, since a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  }
  return btoa(text);
}

/** As the chat completions API takes it; without images the content stays a plain text, which every server reads. */
export function chatMessage({ role, content, imageUrls = [] }: SentMessage): ChatCompletionMessageParam {
  if (imageUrls.length === 0 || role !== 'user') return { role, content };
  const images = imageUrls.map((url): ChatCompletionContentPart => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [{ type: 'text', text: content }, ...images] };
}
