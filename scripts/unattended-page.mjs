// Opens a page without an inspector, so that the page starts as fast as for a user. With an
// inspector, Chromium parses the page's whole code again for the stack trace of the first `Error`.
// Svelte creates an `Error` at startup, so the page's first task would take 50 % longer.
import puppeteer from 'puppeteer-core';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';
import { recordTasks } from './main-thread-tasks.mjs';

/**
 * Opens an address in a new browser, and waits.
 * @param {{ profile: string, address: string, title: string, wait: number }} options `profile`:
 *   folder of the browser profile. `title`: the title that the page must have at the end. `wait`:
 *   time for which the page is open, ms
 * @returns the longest task of the page's main thread, see `recordTasks`
 */
export async function openUnattended({ profile, address, title, wait }) {
  const browser = await puppeteer.launch({
    executablePath: await findBrowser(),
    args: BROWSER_ARGS,
    userDataDir: profile,
    // The inspector is connected to the browser, but not to its pages.
    targetFilter: (target) => target.type() === 'browser',
    waitForInitialPage: false,
  });
  try {
    const inspector = await browser.target().createCDPSession();
    const end = await recordTasks(inspector);
    await inspector.send('Target.createTarget', { url: address, width: 1280, height: 800 });
    await new Promise((resolve) => setTimeout(resolve, wait));
    const longest = await end();
    const { targetInfos } = await inspector.send('Target.getTargets');
    if (!targetInfos.some((target) => target.title === title && !target.attached)) {
      throw new Error(`No page has the title “${title}”, or an inspector is connected to it.`);
    }
    return longest;
  } finally {
    await browser.close();
  }
}
