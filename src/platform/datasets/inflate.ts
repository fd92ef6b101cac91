/** @file Decompresses the private tests of programming tasks. */
import { abortError, fault, FaultError } from '../../core/contract';

/** Maximum decompressed size, in bytes. It is far larger than the tests of any real task. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Decodes base64 and decompresses zlib. Rejects with a `FaultError` if the text is damaged (`bad-request`) or decompresses to
 * more than `MOST_BYTES` (`too-large`), and with an `AbortError` on abort.
 */
export async function inflateBase64(compressed: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (signal.aborted) throw abortError();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    const reader = new Blob([decodeBase64(compressed)])
      .stream()
      .pipeThrough(new DecompressionStream('deflate'))
      .getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value);
      length += read.value.length;
      if (length > MOST_BYTES || signal.aborted) {
        await reader.cancel();
        break;
      }
    }
  } catch (thrown) {
    const message =
      'The private tests of this task are damaged, so programs for this task can’t be graded. Import the dataset again.';
    throw new FaultError(fault('bad-request', message, { detail: String(thrown).slice(0, 500) }));
  }
  if (signal.aborted) throw abortError();
  if (length > MOST_BYTES) {
    throw new FaultError(
      fault('too-large', 'The private tests of this task have more than 256 MB, so they are not opened.'),
    );
  }
  return joined(parts, length);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
