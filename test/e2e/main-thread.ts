/**
 * @file Measures the longest task of the page's main thread.
 */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    reportMainThreadBlock?: (duration: number) => Promise<void>;
  }
}

/**
 * Call this before the page is opened. Measures across reloads.
 * @returns a function that returns the duration of the longest task so far, ms. Tasks below 50 ms count as 0,
 *   because the browser does not report them
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
