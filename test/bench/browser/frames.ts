/** @file Measures frames and long tasks of this page. */

declare global {
  /** Returns how many seconds the main thread has been busy so far. Defined by the benchmark script. */
  var mainThreadSeconds: (() => Promise<number>) | undefined;
}

/** Counts the frames, and the tasks longer than 50 ms, during the next `duration` ms. */
export async function countFrames(duration: number): Promise<{ frames: number; longTasks: number }> {
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length));
  observer.observe({ type: 'longtask' });
  const end = performance.now() + duration;
  let frames = 0;
  while (performance.now() < end) {
    await new Promise(requestAnimationFrame);
    frames += 1;
  }
  observer.disconnect();
  return { frames, longTasks };
}

/**
 * Returns the time between two frames of an idle page, ms. It is the mean of the 11th to 50th shortest of 90 gaps, so that other
 * load has little effect.
 */
export async function frameLength(): Promise<number> {
  const gaps: number[] = [];
  let last = await new Promise<number>(requestAnimationFrame);
  for (let index = 0; index < 90; index++) {
    const now = await new Promise<number>(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }
  gaps.sort((one, other) => one - other);
  const steady = gaps.slice(10, 50);
  return steady.reduce((sum, gap) => sum + gap, 0) / steady.length;
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
