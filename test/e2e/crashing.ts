/**
 * @file Crashes: the process that holds a page ends, and nothing in it has a last word.
 */
import type { Page } from '@playwright/test';

/** Which event of a run; without `step`, whatever its step. */
export interface Moment {
  readonly type: string;
  readonly step?: number;
}

const SIGN = '/stopped-dead';

/**
 * Makes a page stand still, for good, at the moment when an event has come to lie on disk. Call before the page is opened.
 * @returns `reached` resolves at that moment
 */
export async function stopAfter(page: Page, moment: Moment): Promise<{ readonly reached: Promise<void> }> {
  let resolve = () => {};
  const reached = new Promise<void>((resolved) => (resolve = resolved));
  await page.route(`**${SIGN}`, async (route) => {
    await route.fulfill({ body: '' });
    resolve();
  });
  await page.addInitScript(
    ({ type, step, sign }) => {
      const { put } = IDBObjectStore.prototype;
      const isIt = (event: { type?: unknown; step?: unknown }) =>
        event.type === type && (step === undefined || event.step === step);
      IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
        const request = key === undefined ? put.call(this, value) : put.call(this, value, key);
        if (this.name === 'chunks' && Array.isArray(value) && value.some(isIt)) {
          this.transaction.addEventListener('complete', () => {
            // Nothing else happens in a page that asks like this, nor in one that runs in circles.
            const asking = new XMLHttpRequest();
            asking.open('GET', sign, false);
            asking.send();
            for (;;);
          });
        }
        return request;
      };
    },
    { ...moment, sign: SIGN },
  );
  return { reached };
}

/** Ends the process that holds a page, and waits until the browser has noticed. */
export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  // Nobody is left to answer.
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}
