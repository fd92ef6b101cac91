/**
 * @file Forwards a streamed body, and limits each wait for bytes, the total size and the size of one event. Ends the body after
 * `[DONE]`, because the decoder would otherwise wait until the server closes the connection.
 */
import type { PageYield } from './page-yield';
import { LONGEST_EVENT } from './reply-limits';

export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes forwarded so far. */
  readonly size: number;
  /** Whether the closing `data: [DONE]` was forwarded. */
  readonly isDone: boolean;
}

export interface BodyWatch {
  /** Limits each wait for bytes. If the returned promise rejects, the body fails with the same error. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>;
  readonly pageYield: PageYield;
  /** Maximum number of bytes in total. */
  readonly most: number;
  /** Creates the error for a body with more than `most` bytes, or with an event that is longer than any answer needs. */
  readonly tooLong: () => Error;
}

/**
 * Matches the end of a stream. An answer never matches, because it is sent as JSON, which contains no raw
 * line breaks.
 */
const DONE = /(^|[\r\n])data: ?\[DONE\]/;
const LONGEST_DONE = 16;
const BLANK_LINES = ['\n\n', '\r\n\r\n', '\r\r'];
/** Maximum number of bytes that are decoded at once, because a browser may deliver megabytes in one chunk. */
const PIECE = 2 ** 16;
/**
 * Maximum number of events that are decoded at once. The decoder copies the rest of its input for every event. So the decoding
 * time of a piece grows with the square of its number of events.
 */
const EVENTS = 64;

/** @returns how many bytes to decode now: at most `PIECE` bytes with at most about `EVENTS` events */
function pieceLength(bytes: Uint8Array): number {
  const length = Math.min(PIECE, bytes.byteLength);
  let ends = 0;
  for (let index = 1; index < length; index++) {
    if (!isLineBreak(bytes[index]) || !isLineBreak(bytes[index - 1])) continue;
    ends += 1;
    if (ends === EVENTS) return index + 1;
  }
  return length;
}

function isLineBreak(byte: number | undefined): boolean {
  return byte === 10 || byte === 13;
}

export function watchBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { wait, pageYield, most, tooLong }: BodyWatch,
): WatchedBody {
  const reader = body.getReader();
  const decoder = new TextDecoder('latin1');
  let size = 0;
  let tail = '';
  let isDone = false;
  /** Bytes that were read but not forwarded yet. */
  let rest = new Uint8Array();
  /** Bytes since the last event ended. */
  let open = 0;

  async function read(): Promise<boolean> {
    const { done, value } = await wait(reader.read());
    if (!done) rest = value;
    return !done;
  }

  function check(piece: Uint8Array): void {
    size += piece.byteLength;
    const text = tail + decoder.decode(piece);
    isDone ||= DONE.test(text);
    const end = Math.max(...BLANK_LINES.map((blank) => text.lastIndexOf(blank)));
    open = end < 0 ? open + piece.byteLength : text.length - end;
    tail = text.slice(-LONGEST_DONE);
    if (size > most || open > LONGEST_EVENT) throw tooLong();
  }

  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        if (pageYield.isDue) await pageYield.yieldToPage();
        if (rest.byteLength === 0 && !(await read())) {
          controller.close();
          return;
        }
        const piece = rest.subarray(0, pieceLength(rest));
        rest = rest.subarray(piece.byteLength);
        try {
          check(piece);
        } catch (thrown) {
          void reader.cancel().catch(() => undefined);
          throw thrown;
        }
        controller.enqueue(piece);
        if (!isDone) return;
        controller.close();
        // The cancellation may never settle, and nothing depends on it.
        reader.cancel().catch(() => undefined);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    get size() {
      return size;
    },
    get isDone() {
      return isDone;
    },
  };
}
