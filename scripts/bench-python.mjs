// The Python part of `npm run bench`: compares two ways to start the sandbox's Python in Chromium.
// One way loads Python's files. The other restores a memory snapshot of an earlier start.
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchPython(at) {
  const site = {
    configFile: at('python/vite.config.ts'),
    logLevel: 'error',
    root: at('python'),
    build: { outDir: at('dist/python') },
  };
  await build({
    ...site,
    build: { ...site.build, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  const server = await preview({ ...site, preview: { host: '127.0.0.1', port: 4301 } });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  console.log(`\nChromium ${browser.version()}`);
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  page.on('pageerror', (error) => console.error(error));
  const [url] = server.resolvedUrls?.local ?? [];
  await page.goto(url);
  await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 600_000, polling: 500 });
  await browser.close();
  await server.close();
}
