/** @file Parses the content of messages: text, and images and files as data URLs. Nothing is loaded from other addresses. */
import * as z from 'zod/mini';
import { ApiError } from '../http/api-error';

/** A part in the format of chat completions, or in that of the Responses API. */
const part = z.looseObject({
  type: z.string(),
  text: z.optional(z.string()),
  image_url: z.nullish(z.union([z.string(), z.looseObject({ url: z.string() })])),
  file: z.nullish(z.looseObject({ filename: z.nullish(z.string()), file_data: z.nullish(z.string()) })),
  filename: z.nullish(z.string()),
  file_data: z.nullish(z.string()),
});
export const content = z.union([z.string(), z.array(part)]);

/** An image, or a file with its name. */
export interface Attachment {
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface MessageContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Throws an `ApiError` (400) for parts that are not supported. @param param the field with the content */
export function readContent(given: z.infer<typeof content> | null | undefined, param: string): MessageContent {
  if (typeof given === 'string') return { text: given, attachments: [] };
  const parts = (given ?? []).map((each) => readPart(each, param));
  return {
    text: parts.map(({ text }) => text).join(''),
    attachments: parts.flatMap(({ attachments }) => attachments),
  };
}

function readPart(each: z.infer<typeof part>, param: string): MessageContent {
  const { type, text } = each;
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { text: text ?? '', attachments: [] };
    case 'image_url':
    case 'input_image': {
      const { image_url: address } = each;
      const url = typeof address === 'string' ? address : (address?.url ?? '');
      return { text: '', attachments: [{ kind: 'image', name: '', ...dataOf(url, 'Images', param) }] };
    }
    case 'file':
    case 'input_file': {
      const { filename, file_data } = each.file ?? each;
      const data = dataOf(file_data ?? '', 'Files', param);
      return { text: '', attachments: [{ kind: 'file', name: filename ?? 'file', ...data }] };
    }
    default:
      throw refused(`Parts of the type “${type}” are not supported.`, param);
  }
}

/** @param what the beginning of a sentence about such a part */
function dataOf(url: string, what: string, param: string): Pick<Attachment, 'type' | 'bytes'> {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]*)(?:;[^;,]+)*;base64$/i.exec(url.slice(0, Math.max(0, comma)));
  if (!head) throw refused(`${what} must be sent as “data:…;base64,…”.`, param);
  return { type: (head[1] ?? '').toLowerCase(), bytes: new Uint8Array(Buffer.from(url.slice(comma + 1), 'base64')) };
}

function refused(message: string, param: string): ApiError {
  return new ApiError(400, message, { code: 'unsupported_content', param });
}
