/**
 * @file Reads the text of a file that the user attaches to a question. Runs in a Web Worker of the page, and in Node. Nothing in a
 * file is executed or loaded from elsewhere.
 */
import { LONGEST_FILE_TEXT } from '../../core/contract';
import { TextReader } from '../../core/contract/text-encoding';
import { signatureOf, textKind } from './file-kind';
import { refused, tooLong, unreadable } from './refusals';

/** Maximum size of a file, in bytes. It is checked before the file is read. */
const MOST_FILE_BYTES = 50 * 2 ** 20;

/** The text of a file, and the kind of file in words. */
export interface FileText {
  readonly kind: string;
  readonly text: string;
}

/** Throws a `FaultError` if the file is too large to be read. */
export function checkFileSize(size: number): void {
  if (size > MOST_FILE_BYTES) throw refused('This file is larger than 50 MB. Attach a smaller file, or a part of it.');
  if (size === 0) throw refused('This file is empty.');
}

/** Rejects with a `FaultError` with a sentence for the user if the file has no text that Podium reads. */
export async function readBytes(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileText> {
  checkFileSize(bytes.length);
  const { kind, text } = await contentOf(name, bytes);
  if (text.trim() === '') throw refused('There is no text in this file.');
  if (text.length > LONGEST_FILE_TEXT) throw tooLong();
  return { kind, text };
}

async function contentOf(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<FileText> {
  const signature = signatureOf(bytes);
  switch (signature) {
    case null:
      return { kind: textKind(name), text: textIn(bytes) };
    case 'pdf': {
      const { pdfText } = await import('./pdf');
      return { kind: 'PDF', text: await pdfText(bytes) };
    }
    case 'zip': {
      const { wordText } = await import('./word');
      return { kind: 'Word', text: await wordText(bytes) };
    }
    case 'image':
      throw refused(
        'This is an image, but its name says otherwise. Rename it, for example to .png, and attach it again.',
      );
    case 'office':
      throw refused(
        'This is a file of an older Office program. Save it as .docx, PDF or CSV, and attach the new file.',
      );
    case 'other':
      throw unreadable();
    default:
      return signature satisfies never;
  }
}

/** Number of bytes to decode at a time, so that reading ends soon after the maximum length. */
const PIECE = 2 ** 20;

function textIn(bytes: Uint8Array): string {
  const reader = new TextReader();
  let text = '';
  for (let at = 0; at < bytes.length && text.length <= LONGEST_FILE_TEXT; at += PIECE) {
    text += reader.decode(bytes.subarray(at, at + PIECE));
  }
  if (text.length <= LONGEST_FILE_TEXT) text += reader.finish();
  if (!isText(text)) throw unreadable();
  return text;
}

/** Binary files have control characters, or bytes that no encoding explains. */
function isText(text: string): boolean {
  const strange = text.match(/[^\P{Cc}\s]|\ufffd/gu)?.length ?? 0;
  return !text.includes('\0') && strange <= text.length / 20;
}
