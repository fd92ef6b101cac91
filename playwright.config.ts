import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, findBrowser, UNOPTIMIZED } from './scripts/browser.mjs';
import { PAGE_PORT } from './test/e2e/host';

const executablePath = await findBrowser();

/** Seed of the random crash times in the crash tests. All test processes inherit this variable. */
process.env.CRASH_SEED ??= String(Math.floor(Math.random() * 2 ** 32));

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/host.ts',
  // Two test files at a time use both cores of a small machine.
  workers: 2,
  // The last reporter is `list`, so that the output ends with the failed tests.
  reporter: [['./test/e2e/crash-table.ts'], ['./test/e2e/corpus-table.ts'], ['./test/e2e/axe-table.ts'], ['list']],
  timeout: 180_000,
  // Playwright retries a failed test once. A test that passes on the retry is listed as flaky.
  retries: 1,
  // A busy machine renders slowly, so the timeout is long. To check that something does not happen,
  // tests count events instead of waiting for this timeout.
  expect: { timeout: 20_000 },
  use: {
    baseURL: `http://127.0.0.1:${PAGE_PORT}`,
    browserName: 'chromium',
    headless: true,
    // Without this setting, each test would cache the whole page again in the service worker, which would take a
    // fifth of the total time. Tests that need the service worker allow it.
    serviceWorkers: 'block',
    launchOptions: { executablePath, args: [...BROWSER_ARGS, UNOPTIMIZED] },
  },
});
