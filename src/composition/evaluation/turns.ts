/** @file Waits for the next turn of the event loop, which begins after all pending microtasks. */

/**
 * Uses a message channel, because repeated timers take at least 4 ms, and much longer in a background tab.
 * @returns a function that waits for the next turn. Concurrent calls share one wait
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
