// Starts a Chromium without Playwright's settings. Playwright keeps all tabs visible and prevents the browser from throttling them, so a
// tab in the background can be measured only here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** Seconds until the browser must have started. */
const PATIENCE = 60;

/** @param {string} profile a folder for the profile. One that a browser has used before is continued */
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
    /** Ends the browser at once, as a crash would. */
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The browser writes its port into the profile. */
async function portOf(profile) {
  for (let second = 0; second < PATIENCE; second += 0.2) {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    if (text.includes('\n')) return text.split('\n')[0];
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The browser did not start.');
}
