/**
 * @file A queue for each origin. Browsers open about six HTTP/1.1 connections to one host, and a stream holds its own until
 * it ends; calls beyond that would wait unseen inside the browser, with our own time limits already running.
 */
import PQueue from 'p-queue';
import { abortError } from '../../core/contract';

/** One below the browser's limit, so that a list of models can still be asked for while answers stream. */
const STREAMS_AT_ONCE = 5;

export interface HostQueue {
  /**
   * Waits for a free place at an origin. Rejects with an `AbortError`, and leaves the queue, when the signal aborts first.
   * @returns gives the place back; call it when the stream has ended
   */
  enter(origin: string, signal: AbortSignal): Promise<() => void>;
  /** How many wait for a place at an origin. */
  waiting(origin: string): number;
}

export function createHostQueue(streamsAtOnce = STREAMS_AT_ONCE): HostQueue {
  const queues = new Map<string, PQueue>();

  function queueOf(origin: string): PQueue {
    const queue = queues.get(origin) ?? new PQueue({ concurrency: streamsAtOnce });
    queues.set(origin, queue);
    return queue;
  }

  return {
    enter(origin, signal) {
      return new Promise((enter, refuse) => {
        // p-queue frees a place when its task ends; the task here is the time until the caller gives it back.
        const stay = () => new Promise<void>((leave) => enter(leave));
        queueOf(origin)
          .add(stay, { signal })
          .catch(() => refuse(abortError()));
      });
    },
    waiting: (origin) => queues.get(origin)?.size ?? 0,
  };
}
