/**
 * @file Crashes pages by ending their process, so that no code of the page runs afterwards.
 */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Reports that the page is frozen from now on. */
    reportFrozen?: () => void;
  }
}

/** An event of a run. Without `step`, the event may belong to any step. */
export interface Moment {
  readonly type: string;
  readonly step?: number;
}

/**
 * Freezes a page permanently as soon as a given event is stored. Call before the page is opened. A
 * frozen page doesn't respond, so do not await a click that may trigger the freeze.
 * @returns `reached` resolves when the page freezes
 */
export async function stopAfter(page: Page, moment: Moment): Promise<{ readonly reached: Promise<void> }> {
  let resolve = () => {};
  const reached = new Promise<void>((resolved) => (resolve = resolved));
  await page.exposeFunction('reportFrozen', () => resolve());
  await page.addInitScript(({ type, step }) => {
    const { put } = IDBObjectStore.prototype;
    const isIt = (event: { type?: unknown; step?: unknown }) =>
      event.type === type && (step === undefined || event.step === step);
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      const request = key === undefined ? put.call(this, value) : put.call(this, value, key);
      if (this.name === 'chunks' && Array.isArray(value) && value.some(isIt)) {
        this.transaction.addEventListener('complete', () => {
          window.reportFrozen?.();
          for (;;);
        });
      }
      return request;
    };
  }, moment);
  return { reached };
}

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
