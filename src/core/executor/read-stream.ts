/**
 * @file Reads the stream of a worker or Conductor without waiting for the clean-up of the stream. With `for await`, a finished
 * step would wait until the server has closed the connection.
 */

/**
 * Passes each item to `receive` until `receive` returns false. Then starts closing the stream and returns at once. Requests the
 * next item only after `receive` has resolved. Rethrows errors of the stream.
 */
export async function readStream<T>(
  stream: AsyncIterable<T>,
  receive: (item: T) => boolean | Promise<boolean>,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next();
    if (next.done) return;
    const answer = receive(next.value);
    const continues = typeof answer === 'boolean' ? answer : await answer;
    if (!continues) {
      void close(iterator);
      return;
    }
  }
}

async function close(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // All needed items have been received, so a stream that fails to close doesn't affect the run.
  }
}
