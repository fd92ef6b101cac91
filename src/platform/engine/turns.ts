/**
 * @file A queue for something that serves one caller at a time.
 */
import PQueue from 'p-queue';
import { abortError } from '../../core/contract';

export class Turns {
  readonly #queue = new PQueue({ concurrency: 1 });

  /**
   * Waits for a turn; who stops waiting leaves the queue and gets an `AbortError`.
   * @param priority higher comes first
   * @returns gives the turn back. An abort does not: whoever has the turn first brings what it does to an end.
   */
  async take(signal: AbortSignal, priority = 0): Promise<() => void> {
    if (signal.aborted) throw abortError();
    const waiting = new AbortController();
    const quit = () => waiting.abort();
    signal.addEventListener('abort', quit, { once: true });
    try {
      return await new Promise((enter, refuse) => {
        // p-queue frees the turn when its task ends; the task here is the time until the caller gives it back. Its own signal
        // would end a task that has begun, so it is told only of the wait.
        const stay = () => {
          signal.removeEventListener('abort', quit);
          return new Promise<void>((leave) => enter(leave));
        };
        this.#queue.add(stay, { priority, signal: waiting.signal }).catch(() => refuse(abortError()));
      });
    } finally {
      signal.removeEventListener('abort', quit);
    }
  }
}
