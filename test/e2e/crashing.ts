/**
 * @file Crashes pages by ending their process, so that no code of the page runs afterwards.
 */
import type { Page } from '@playwright/test';

/** Ends the process of a page, and waits until the browser reports the crash. */
export type Crash = () => Promise<void>;

/**
 * Prepares to crash a page. Call this before the page freezes, because no inspector session can be
 * opened for a frozen page. An open session can still end the page's process.
 */
export async function crashOf(page: Page): Promise<Crash> {
  const session = await page.context().newCDPSession(page);
  return async () => {
    const crashed = page.waitForEvent('crash');
    // This call may be rejected, because the process that would reply has ended.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  };
}
