// The archive part of `npm run bench`: opens the built page with many saved runs. Measures how long the page *Runs* blocks the
// main thread, how long an import and an export of all runs take, and the memory of the page.
//   npm run bench -- archive         # 100,000 runs
//   npm run bench -- archive 20000   # fewer runs
//   npm run bench -- archive 100000,list   # only one half: `list` for the page of runs, or `files` for import and export
import { spawnSync } from 'node:child_process';
import { readFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';
import { recordTasks } from './main-thread-tasks.mjs';
import { openUnattended } from './unattended-page.mjs';

const RUNS = 100_000;
const PORT = 4316;
const MB = 1e6;
/** How long *Runs* is measured after it is opened, ms. Showing all rows takes much less time. */
const OPEN_FOR = 8000;
/** How long the browser gets to free garbage under simulated memory pressure, ms. */
const FREE_WITHIN = 4000;
/** How long the page is idle between indexing and export, ms. When a page is idle, the browser frees garbage. */
const IDLE = 20_000;
/** Time limit for one step of the benchmark, ms. */
const LONGEST_WAIT = 3_600_000;

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchArchive(at, given = '') {
  const [count, half] = given.split(',');
  const runs = Number(count || RUNS);
  const folder = await mkdtemp(join(tmpdir(), 'podium-bench-'));
  try {
    await build({ logLevel: 'error' });
    if (half !== 'files') await onRuns(at, runs, folder);
    if (half === 'list') return;
    const file = join(folder, 'runs.podium.jsonl.gz');
    await writeRuns(at, file, runs);
    await measureFiles(runs, folder, file);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function buildSeed(at) {
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('archive'),
    base: './',
    build: { outDir: at('dist/archive'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
}

async function writeRuns(at, file, runs) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: at('archive/node.ts'), outDir: at('dist/archive-node'), emptyOutDir: true, target: 'node20' },
  });
  const { status } = spawnSync(process.execPath, [at('dist/archive-node/node.js'), file, String(runs)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function onRuns(at, runs, folder) {
  await buildSeed(at);
  const profile = join(folder, 'runs');
  const seed = await preview({
    configFile: false,
    root: at('archive'),
    logLevel: 'warn',
    build: { outDir: at('dist/archive') },
    preview: { host: '127.0.0.1', port: PORT, strictPort: true },
  });
  await withPage(profile, async ({ page }) => {
    await page.goto(`http://127.0.0.1:${PORT}/#${runs}`);
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: LONGEST_WAIT, polling: 500 });
  });
  await seed.close();
  console.log(`\nThe page of runs with ${runs.toLocaleString('en')} runs, system load ${load()}`);
  await measureOpening(profile);
  await withApp(profile, async ({ page, memory }) => {
    const rows = page.getByRole('row').getByRole('link');
    const indexing = page.getByText(/^Indexing /);
    const settle = async () => {
      await page.waitForTimeout(1500);
      await indexing.waitFor({ state: 'hidden', timeout: LONGEST_WAIT });
    };
    const search = page.getByRole('searchbox', { name: 'Search runs' });
    await page.goto(`http://127.0.0.1:${PORT}/#/runs`);
    await rows.first().waitFor({ timeout: LONGEST_WAIT });
    await settle();
    await measure(page, 'idle for five seconds', () => page.waitForTimeout(5000));
    await measure(page, 'scrolling with the wheel', async () => {
      await page.mouse.move(500, 500);
      for (let turn = 0; turn < 40; turn++) {
        await page.mouse.wheel(0, 1500);
        await page.waitForTimeout(50);
      }
    });
    await measure(page, 'jumping to the middle and to the end', async () => {
      for (const share of [0.5, 1, 0]) {
        await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), share);
        await page.waitForTimeout(1000);
      }
    });
    await measure(page, 'searching as words are typed', async () => {
      for (const words of ['bace', 'dihe ka', 'lomu']) {
        await search.pressSequentially(words, { delay: 120 });
        await settle();
        await search.fill('');
      }
      await settle();
    });
    await measure(page, 'filtering by grade and domain', async () => {
      for (const query of ['grade=right', 'grade=wrong&kind=maths', '']) {
        await page.evaluate((to) => (location.hash = `#/runs?${to}`), query);
        await settle();
      }
    });
    await measure(page, 'sorting by cost and by question', async () => {
      for (const query of ['sort=-usd', 'sort=question', '']) {
        await page.evaluate((to) => (location.hash = `#/runs?${to}`), query);
        await settle();
      }
    });
    console.log(`  ${await memory()}`);
  });
}

/** Measures the longest task of the main thread while a newly started browser opens *Runs*. */
async function measureOpening(profile) {
  const server = await serveApp();
  try {
    const { wall, processor } = await openUnattended({
      profile,
      address: `http://127.0.0.1:${PORT}/#/runs`,
      title: 'Runs · Podium',
      wait: OPEN_FOR,
    });
    print('opening', OPEN_FOR / 1000, wall, processor);
  } finally {
    await server.close();
  }
}

async function measureFiles(runs, folder, file) {
  await withApp(join(folder, 'files'), async ({ page, memory }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await page.goto(`http://127.0.0.1:${PORT}/#/runs`);
    await page.getByRole('button', { name: 'Import' }).waitFor();
    console.log(
      `\nImport and export of ${runs.toLocaleString('en')} runs (${await sizeOf(file)}), system load ${load()}`,
    );
    console.log(`  before: ${await memory()}`);
    await measure(
      page,
      'importing',
      async () => {
        const chooser = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Import' }).click();
        await (await chooser).setFiles(file);
        const panel = page.getByRole('status').filter({ hasText: file.split('/').at(-1) ?? '' });
        await panel.waitFor({ timeout: LONGEST_WAIT });
        const words = `${runs.toLocaleString('en')} runs added.`;
        if (!(await panel.innerText()).includes(words)) throw new Error(await panel.innerText());
      },
      false,
    );
    console.log(`  during the import: ${await memory()}`);
    await measure(
      page,
      'indexing after the import',
      async () => {
        await page.waitForTimeout(1500);
        await page.getByText(/^Indexing /).waitFor({ state: 'hidden', timeout: LONGEST_WAIT });
      },
      false,
    );
    console.log(`  during the indexing: ${await memory()}`);
    await page.waitForTimeout(IDLE);
    console.log(`  ${IDLE / 1000} s later: ${await memory()}`);
    await measure(
      page,
      'exporting all',
      async () => {
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        const download = page.waitForEvent('download', { timeout: LONGEST_WAIT });
        await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
        const path = await (await download).path();
        console.log(`  file: ${await sizeOf(path)}`);
      },
      false,
    );
    console.log(`  during the export: ${await memory()}`);
  });
}

/**
 * Prints how long the work took, and the longest task of the main thread in that time.
 * @param hasTrace whether to measure processor times too. This requires recording all tasks, which takes
 * memory
 */
async function measure(page, name, work, hasTrace = true) {
  await page.evaluate(() => (globalThis.longestTask = 0));
  const inspector = hasTrace ? await page.context().browser()?.newBrowserCDPSession() : null;
  const end = inspector ? await recordTasks(inspector) : null;
  const before = performance.now();
  await work();
  const seconds = (performance.now() - before) / 1000;
  // The browser reports long tasks with a delay.
  await page.waitForTimeout(300);
  const longest = await page.evaluate(() => globalThis.longestTask ?? 0);
  print(name, seconds, longest, end ? (await end()).processor : null);
  await inspector?.detach();
}

/**
 * @param longest the longest task by the clock, ms. Tasks under 50 ms may count as 0
 * @param processor the highest processor time of a task, ms. `null`: not measured
 */
function print(name, seconds, longest, processor) {
  const words = longest < 50 ? 'below 50 ms' : `${longest.toFixed(0)} ms`;
  const own = processor === null ? '' : `, highest processor time of a task ${processor.toFixed(0)} ms`;
  console.log(`  ${name}: ${seconds.toFixed(1)} s, longest task ${words}${own} (aim for both: 50 ms)`);
}

function serveApp() {
  return preview({ logLevel: 'warn', preview: { host: '127.0.0.1', port: PORT, strictPort: true } });
}

async function withApp(profile, work) {
  const server = await serveApp();
  try {
    await withPage(profile, work);
  } finally {
    await server.close();
  }
}

async function withPage(profile, work) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    args: BROWSER_ARGS,
    viewport: { width: 1280, height: 800 },
  });
  let watch = null;
  try {
    const [first] = context.pages();
    const page = first ?? (await context.newPage());
    page.on('pageerror', (error) => console.error(error));
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          globalThis.longestTask = Math.max(globalThis.longestTask ?? 0, duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    watch = await watchMemory(context);
    await work({ page, memory: watch.memory });
  } finally {
    watch?.stop();
    await context.close();
  }
}

/**
 * Watches the memory of the largest renderer process, which includes the Web Workers of the page. Counts private memory, like the
 * “memory footprint” in the browser's task manager. The browser's own code is mapped into each of its processes and is not
 * included. Only Linux reports these figures.
 */
async function watchMemory(context) {
  const inspector = await context.browser()?.newBrowserCDPSession();
  let peak = 0;
  const read = async () => {
    const { processInfo = [] } = (await inspector?.send('SystemInfo.getProcessInfo')) ?? {};
    const statuses = await Promise.all(
      processInfo
        .filter(({ type }) => type === 'renderer')
        .map(({ id }) => readFile(`/proc/${id}/status`, 'utf8').catch(() => '')),
    );
    const bytesOf = (text, field) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1024;
    const now = Math.max(0, ...statuses.map((text) => bytesOf(text, 'RssAnon') + bytesOf(text, 'VmSwap')));
    peak = Math.max(peak, now);
    return { now, whole: Math.max(0, ...statuses.map((text) => bytesOf(text, 'VmRSS'))) };
  };
  const timer = setInterval(() => void read().catch(() => {}), 250);
  return {
    stop: () => clearInterval(timer),
    /**
     * Describes the private memory now, its peak since the last call, the private memory after simulated memory pressure, and the
     * memory including the browser's code. Memory pressure makes the browser free garbage.
     */
    async memory() {
      const { now, whole } = await read();
      const most = peak;
      await inspector?.send('Memory.simulatePressureNotification', { level: 'critical' });
      await new Promise((resolve) => setTimeout(resolve, FREE_WITHIN));
      const freed = await read();
      peak = freed.now;
      return `private memory of the page ${mb(now)}, peak ${mb(most)} (aim: 512 MB), under memory pressure ${mb(freed.now)}. With the browser's code ${mb(whole)}`;
    },
  };
}

function mb(bytes) {
  return `${(bytes / MB).toFixed(0)} MB`;
}

async function sizeOf(path) {
  return mb((await stat(path)).size);
}

function load() {
  return loadavg()[0]?.toFixed(1);
}
