/** @file Waiting for work that cannot be stopped, only as long as somebody wants it. */
import { abortError } from './fault';

/** What the work comes to. Rejects with an `AbortError` when the signal says so, whatever becomes of the work. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(abortError());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
