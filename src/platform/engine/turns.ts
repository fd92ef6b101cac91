/** @file A queue for a resource that serves one caller at a time. */
import type PQueue from 'p-queue';
import { abortError, loadOnce } from '../../core/contract';

/** Lazy-loaded, because the first page needs no queue. */
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
   * Waits for a turn. A caller that aborts while waiting leaves the queue and gets an `AbortError`.
   * @param priority callers with a higher priority come first
   * @returns a function that releases the turn. Aborting after the turn has begun does not release it, because the caller
   *   must first finish its work
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
        // p-queue frees the turn when the queued task ends. Here, the task lasts until the caller releases the turn. A signal
        // passed to p-queue would also end a running task. So p-queue gets a signal that only cancels the wait.
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
