/**
 * @file Passes a streamed body on and keeps an eye on it: that it does not fall silent, and whether it said that it was done,
 * which the decoder does not tell.
 */

export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Bytes that have passed. */
  readonly size: number;
  /** Whether the closing `data: [DONE]` has passed. */
  readonly isDone: boolean;
}

/** JSON has no bare line break, so these bytes at the beginning of a line are never part of an answer. */
const DONE = /(^|[\r\n])data: ?\[DONE\]/;
const LONGEST_DONE = 16;

/** @param wait limits each wait for bytes; what it throws becomes the body's error */
export function watchBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  wait: <T>(promise: Promise<T>) => Promise<T>,
): WatchedBody {
  const reader = body.getReader();
  const decoder = new TextDecoder('latin1');
  let size = 0;
  let tail = '';
  let isDone = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await wait(reader.read());
        if (done) {
          controller.close();
          return;
        }
        size += value.byteLength;
        const text = tail + decoder.decode(value);
        isDone ||= DONE.test(text);
        tail = text.slice(-LONGEST_DONE);
        controller.enqueue(value);
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
