/**
 * @file Crashes: the process that holds a page ends, and nothing in it has a last word.
 */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** Tells the test that the page stands still from now on. */
    tellStanding?: () => void;
  }
}

/** Which event of a run; without `step`, whatever its step. */
export interface Moment {
  readonly type: string;
  readonly step?: number;
}

/**
 * Freezes a page permanently as soon as a given event is stored. Call before the page is opened. A frozen page doesn't respond, so
 * do not await a click that may trigger the freeze.
 * @returns `reached` resolves at that moment
 */
export async function stopAfter(page: Page, moment: Moment): Promise<{ readonly reached: Promise<void> }> {
  let resolve = () => {};
  const reached = new Promise<void>((resolved) => (resolve = resolved));
  await page.exposeFunction('tellStanding', () => resolve());
  await page.addInitScript(({ type, step }) => {
    const { put } = IDBObjectStore.prototype;
    const isIt = (event: { type?: unknown; step?: unknown }) =>
      event.type === type && (step === undefined || event.step === step);
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      const request = key === undefined ? put.call(this, value) : put.call(this, value, key);
      if (this.name === 'chunks' && Array.isArray(value) && value.some(isIt)) {
        this.transaction.addEventListener('complete', () => {
          window.tellStanding?.();
          for (;;);
        });
      }
      return request;
    };
  }, moment);
  return { reached };
}

/** Ends the process that holds a page, and waits until the browser has noticed. */
export type Crash = () => Promise<void>;

/**
 * Gets ready to crash a page. Call while the page still answers: a session with a page that runs in circles never opens,
 * while one that is open ends the process even then.
 */
export async function crashOf(page: Page): Promise<Crash> {
  const session = await page.context().newCDPSession(page);
  return async () => {
    const crashed = page.waitForEvent('crash');
    // Nobody is left to answer.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  };
}
