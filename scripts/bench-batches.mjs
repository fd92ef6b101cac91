// The batches part of `npm run bench`. A batch answers every task with every method. This script
// runs the same batch with simulated workers once in Node and three times in Chromium: in a
// foreground tab, in a background tab, and with the browser killed half-way. Then it compares the
// four results tables.
//   npm run bench -- batches           # 1,000 tasks × 8 methods
//   npm run bench -- batches 100       # fewer tasks
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { startPlainBrowser } from './plain-browser.mjs';

const TASKS = '1000';
const METHODS = 8;

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchBatches(at, tasks) {
  const count = tasks || TASKS;
  const node = await inNode(at, count);
  const server = await serve(at);
  const url = server.resolvedUrls?.local?.[0] ?? '';
  try {
    const front = await withProfile((profile) => inFront(profile, url, count));
    compare('the foreground', front.digest, node);
    const back = await withProfile((profile) => inBack(profile, url, count));
    compare('the background', back.digest, node);
    console.log(`  speed in the background: ${(back.rate / front.rate).toFixed(2)} × the speed in the foreground`);
    compare('a browser killed half-way', await withProfile((profile) => killed(profile, url, count)), node);
  } finally {
    await server.close();
  }
}

function compare(where, digest, node) {
  console.log(`  tables of Node and ${where}: ${digest === node ? 'equal' : `different (${node}, ${digest})`}`);
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

async function serve(at) {
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('batches'),
    base: './',
    worker: { format: 'es' },
    build: { outDir: at('dist/batches'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  return preview({
    configFile: false,
    root: at('batches'),
    logLevel: 'warn',
    build: { outDir: at('dist/batches') },
    preview: { host: '127.0.0.1', port: 4302 },
  });
}

/** Calls `work` with a new browser profile, so that the browser has no stored runs yet. */
async function withProfile(work) {
  const profile = await mkdtemp(join(tmpdir(), 'podium-bench-'));
  try {
    return await work(profile);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function open(profile, url, tasks) {
  const browser = await startPlainBrowser(profile);
  const [first] = browser.context.pages();
  const page = first ?? (await browser.context.newPage());
  page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
  page.on('pageerror', (error) => console.error(error));
  await page.goto(`${url}#${tasks}`);
  return { browser, page };
}

async function inFront(profile, url, tasks) {
  const { browser, page } = await open(profile, url, tasks);
  try {
    console.log(`Chromium ${browser.version}, load ${load()}`);
    await page.bringToFront();
    return await ended(page, 'visible');
  } finally {
    await browser.close();
  }
}

async function inBack(profile, url, tasks) {
  const { browser, page } = await open(profile, url, `${tasks},wait`);
  try {
    const other = await browser.context.newPage();
    await other.bringToFront();
    await page.evaluate(() => globalThis.startBench?.());
    return await ended(page, 'hidden');
  } finally {
    await browser.close();
  }
}

/** Kills the browser when half of the runs have an outcome. Finishes the batch in a second browser with the same profile. */
async function killed(profile, url, tasks) {
  const first = await open(profile, url, tasks);
  const half = (Number(tasks) * METHODS) / 2;
  const done = () => first.page.evaluate(() => globalThis.outcomesDone ?? 0);
  while ((await done()) < half) await pause();
  await first.browser.kill();
  const { browser, page } = await open(profile, url, tasks);
  try {
    return (await ended(page)).digest;
  } finally {
    await browser.close();
  }
}

/**
 * Waits until the batch is done.
 * @param visibility the expected `document.visibilityState`. Throws if the page has another state.
 *   `undefined`: no check
 */
async function ended(page, visibility) {
  for (;;) {
    const found = await page.evaluate(() => ({
      isDone: globalThis.benchDone === true,
      visibility: document.visibilityState,
      digest: globalThis.tableDigest,
      rate: globalThis.runsPerSecond ?? NaN,
    }));
    if (visibility !== undefined && found.visibility !== visibility)
      throw new Error(`The page is ${found.visibility} and not ${visibility}.`);
    if (found.isDone) return found;
    await pause();
  }
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 250));
}

function load() {
  return loadavg()[0]?.toFixed(1);
}
