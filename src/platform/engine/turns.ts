/** @file A queue for a resource that serves one caller at a time. */
import type PQueue from 'p-queue';
import { abortError, loadOnce } from '../../core/contract';

/** Lazy-loaded, so that the first page load does not include p-queue. */
const loadQueue = loadOnce(() => import('p-queue'));

export class Turns {
  #queue: PQueue | null = null;
  /** Number of callers that wait or have a turn. */
  #callers = 0;

  /** Whether a new caller has to wait. */
  get isTaken(): boolean {
    return this.#callers > 0;
  }

  /**
   * Waits for a turn. Throws an `AbortError` if `signal` aborts before the turn begins.
   * @param priority callers with a higher priority come first
   * @returns a function that releases the turn. `signal` does not release a turn that has begun
   */
  async acquire(signal: AbortSignal, priority = 0): Promise<() => void> {
    if (signal.aborted) throw abortError();
    this.#callers += 1;
    try {
      const leave = await this.#enter(signal, priority);
      return () => {
        this.#callers -= 1;
        leave();
      };
    } catch (thrown) {
      this.#callers -= 1;
      throw thrown;
    }
  }

  async #enter(signal: AbortSignal, priority: number): Promise<() => void> {
    const { default: Queue } = await loadQueue();
    if (signal.aborted) throw abortError();
    const queue = (this.#queue ??= new Queue({ concurrency: 1 }));
    const waiting = new AbortController();
    const quit = () => waiting.abort();
    signal.addEventListener('abort', quit, { once: true });
    try {
      return await new Promise((enter, refuse) => {
        // The p-queue task lasts until the caller releases the turn. `signal` itself is not passed to p-queue,
        // because an abort would also end a running task.
        const stay = () => {
          signal.removeEventListener('abort', quit);
          return new Promise<void>((leave) => enter(leave));
        };
        queue.add(stay, { priority, signal: waiting.signal }).catch(() => refuse(abortError()));
      });
    } finally {
      signal.removeEventListener('abort', quit);
    }
  }
}
