// The batches part of `npm run bench`: plays a batch with simulated workers in Node and in Chromium, and compares their tables.
//   npm run bench -- batches           # 1,000 tasks by 8 methods
//   npm run bench -- batches 100       # fewer tasks
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const TASKS = '1000';

/** @param {(path: string) => string} at paths below test/bench */
export async function benchBatches(at, tasks) {
  const node = await inNode(at, tasks || TASKS);
  const browser = await inBrowser(at, tasks || TASKS);
  console.log(`  tables of Node and Chromium: ${node === browser ? 'equal' : `different (${node}, ${browser})`}`);
}

async function inNode(at, tasks) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: at('batches/node.ts'), outDir: at('dist/batches-node'), emptyOutDir: true, target: 'node20' },
  });
  console.log(`\nNode ${process.version}, load ${load()}`);
  const { status, stdout } = spawnSync(process.execPath, [at('dist/batches-node/node.js'), tasks], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  console.log(stdout);
  if (status !== 0) process.exit(status ?? 1);
  return /digest of the table: (\w+)/.exec(stdout)?.[1];
}

async function inBrowser(at, tasks) {
  const dist = { outDir: at('dist/batches'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 };
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('batches'),
    base: './',
    worker: { format: 'es' },
    build: dist,
  });
  const server = await preview({
    configFile: false,
    root: at('batches'),
    logLevel: 'warn',
    build: { outDir: at('dist/batches') },
    preview: { host: '127.0.0.1', port: 4302 },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  try {
    console.log(`Chromium ${browser.version()}, load ${load()}`);
    const page = await browser.newPage();
    page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`${server.resolvedUrls?.local?.[0] ?? ''}#${tasks}`);
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 600_000, polling: 500 });
    return await page.evaluate(() => globalThis.tableDigest);
  } finally {
    await browser.close();
    await server.close();
  }
}

function load() {
  return loadavg()[0]?.toFixed(1);
}
