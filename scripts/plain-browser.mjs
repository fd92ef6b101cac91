// Starts a Chromium without Playwright's default settings, for benchmarks of a tab in the background. Playwright's defaults would
// keep all tabs visible, and stop the browser from throttling background tabs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** Longest time for the start of the browser, in seconds. */
const PATIENCE = 60;

/** @param {string} profile the folder of the browser profile. An existing profile is used again */
export async function startPlainBrowser(profile) {
  await rm(join(profile, 'DevToolsActivePort'), { force: true });
  const args = [
    ...BROWSER_ARGS,
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const child = spawn((await findBrowser({ withWindow: true })) ?? 'chromium', args, { stdio: 'ignore' });
  const gone = once(child, 'exit');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await portOf(profile)}`, { noDefaults: true });
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no window.');
  return {
    version: browser.version(),
    context,
    async close() {
      const inspector = await browser.newBrowserCDPSession();
      await inspector.send('Browser.close').catch(() => undefined);
      await gone;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Waits until the browser has written its port into the profile. */
async function portOf(profile) {
  for (let second = 0; second < PATIENCE; second += 0.2) {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    if (text.includes('\n')) return text.split('\n')[0];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The browser did not start.');
}
