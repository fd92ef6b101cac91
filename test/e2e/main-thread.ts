/**
 * @file Measures how long the page's main thread is busy at a stretch.
 */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    reportMainThreadBlock?: (duration: number) => Promise<void>;
  }
}

/**
 * Call before the page is opened; measures across reloads.
 * @returns the longest stretch so far in ms; stretches below 50 ms are not reported by the browser and count as 0
 */
export async function watchMainThread(page: Page): Promise<() => number> {
  let longest = 0;
  await page.exposeFunction('reportMainThreadBlock', (duration: number) => {
    longest = Math.max(longest, duration);
  });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) void window.reportMainThreadBlock?.(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  return () => longest;
}
