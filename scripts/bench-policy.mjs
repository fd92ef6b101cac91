// The policy part of `npm run bench`: measures the time of a plan and of a training update, in Node
// and in Chromium.
//   npm run bench -- policy            # Node and Chromium
//   npm run bench -- policy node       # only Node. `browser`: only Chromium
import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchPolicy(at, where = '') {
  if (where !== 'browser') await inNode(at);
  if (where !== 'node') await inBrowser(at);
}

async function inNode(at) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: at('policy/node.ts'), outDir: at('dist/policy-node'), emptyOutDir: true, target: 'node20' },
  });
  const { status } = spawnSync(process.execPath, [at('dist/policy-node/node.js')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function inBrowser(at) {
  const dist = { outDir: at('dist/policy'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 };
  await build({ configFile: false, logLevel: 'error', root: at('policy'), base: './', build: dist });
  const server = await preview({
    configFile: false,
    root: at('policy'),
    logLevel: 'warn',
    build: { outDir: at('dist/policy') },
    preview: { host: '127.0.0.1', port: 4301 },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  try {
    console.log(`\nChromium ${browser.version()}`);
    const page = await browser.newPage();
    page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(server.resolvedUrls?.local?.[0] ?? '');
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 600_000, polling: 500 });
  } finally {
    await browser.close();
    await server.close();
  }
}
