/**
 * @file Reads a worker's or a Conductor's stream without waiting for its clean-up: with `for await`, a finished step would wait
 * until the server has closed its connection.
 */

/**
 * Passes each item to `receive` until that returns false; then closes the stream and returns without waiting for that. Requests
 * the next item only after `receive` has answered. Throws what the stream throws.
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
    // The item is received. A stream that fails to close changes nothing for the run.
  }
}
