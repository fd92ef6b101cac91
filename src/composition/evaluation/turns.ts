/** @file Waits for the next turn of the event loop, when all work that needs no time is done. */

/**
 * A message to oneself is delivered in the next turn. Timers would wait at least 4 ms, and far longer in a tab in the background.
 * @returns waits for the next turn, which all who wait at the same time share
 */
export function createTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let resolveNext: (() => void) | null = null;
  let next: Promise<void> | null = null;
  port1.onmessage = () => {
    const resolve = resolveNext;
    next = null;
    resolve?.();
  };
  return () => {
    if (next) return next;
    next = new Promise((resolve) => (resolveNext = resolve));
    port2.postMessage(null);
    return next;
  };
}
