/** @file Measures the longest time for which the main thread was blocked. */

/** Schedules a short task repeatedly. `stop` returns the longest gap between two of these tasks, ms. */
export function watchGaps(): { stop(): number } {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port1.onmessage = () => {
    turn();
    setTimeout(() => port2.postMessage(null), 1);
  };
  port2.postMessage(null);
  return {
    stop() {
      turn();
      port1.close();
      return longest;
    },
  };
}
