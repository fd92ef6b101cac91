// `npm run bench -- index`: measures how long Chromium takes to search and filter saved
// runs and to compute their totals.
//   npm run bench -- index         # 100,000 runs
//   npm run bench -- index 20000   # fewer runs
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchIndex(at, runs = '') {
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('index'),
    base: './',
    worker: { format: 'es' },
    build: { outDir: at('dist/index'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  const server = await preview({
    configFile: false,
    root: at('index'),
    logLevel: 'warn',
    build: { outDir: at('dist/index') },
    preview: {
      host: '127.0.0.1',
      port: 4315,
      // These headers make the page cross-origin isolated. Only isolated pages can measure their
      // memory.
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
    },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  try {
    console.log(`\nChromium ${browser.version()}`);
    const page = await browser.newPage();
    page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`${server.resolvedUrls?.local?.[0] ?? ''}#${runs}`);
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 1_200_000, polling: 500 });
  } finally {
    await browser.close();
    await server.close();
  }
}
