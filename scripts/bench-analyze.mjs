// The analyze part of `npm run bench`: measures how long a Web Worker in Chromium takes to compute
// the figures of the Analyze page.
//   npm run bench -- analyze         # 100,000 runs
//   npm run bench -- analyze 20000   # fewer runs
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchAnalyze(at, runs = '') {
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('analyze'),
    base: './',
    worker: { format: 'es' },
    build: { outDir: at('dist/analyze'), emptyOutDir: true, target: 'es2023' },
  });
  const server = await preview({
    configFile: false,
    root: at('analyze'),
    logLevel: 'warn',
    build: { outDir: at('dist/analyze') },
    preview: { host: '127.0.0.1', port: 4316 },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  try {
    console.log(`\nChromium ${browser.version()}`);
    const page = await browser.newPage();
    page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`${server.resolvedUrls?.local?.[0] ?? ''}#${runs}`);
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 600_000, polling: 500 });
  } finally {
    await browser.close();
    await server.close();
  }
}
