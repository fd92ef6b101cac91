/**
 * @file Reads a body as text, piece by piece, and limits each wait for bytes and the total size.
 */
import type { PageYield } from './page-yield';

export interface BodyWatch {
  /** Limits each wait for bytes. If the returned promise rejects, the body fails with the same error. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
  readonly pageYield: PageYield;
  /** Maximum number of bytes in total. */
  readonly most: number;
  /** Creates the error for a body with more than `most` bytes. */
  readonly tooLong: () => Error;
}

/** Maximum number of bytes that are decoded at once, because a browser may deliver megabytes in one chunk. */
const PIECE = 2 ** 16;

/** Yields the text of a body in pieces. If the caller stops reading, the body is cancelled. */
export async function* watchBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { wait, pageYield, most, tooLong }: BodyWatch,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await wait(reader.read());
      if (done) break;
      size += value.byteLength;
      if (size > most) throw tooLong();
      for (let from = 0; from < value.byteLength; from += PIECE) {
        if (pageYield.isDue) await pageYield.yieldToPage();
        yield decoder.decode(value.subarray(from, from + PIECE), { stream: true });
      }
    }
    yield decoder.decode();
  } finally {
    // The cancellation may never settle, and nothing depends on it.
    reader.cancel().catch(() => undefined);
  }
}
