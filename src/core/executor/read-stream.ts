/**
 * @file Reads what a worker or a Conductor says without ever waiting for its clean-up: `for await` would hold a finished
 * step until the other side has closed its connection.
 */

/**
 * Hands on each item until `take` says false; then closes the stream and returns without waiting for that. The next item is
 * not asked for before `take` has answered. Throws what the stream throws.
 */
export async function readStream<T>(
  stream: AsyncIterable<T>,
  take: (item: T) => boolean | Promise<boolean>,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next();
    if (next.done) return;
    const taken = take(next.value);
    const goesOn = typeof taken === 'boolean' ? taken : await taken;
    if (!goesOn) {
      void close(iterator);
      return;
    }
  }
}

async function close(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // Its item is taken; how the stream goes away changes nothing for the run.
  }
}
