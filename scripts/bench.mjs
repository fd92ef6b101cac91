// `npm run bench`: measures Podium in Node and in Chromium, and compares it with other libraries. Prints the measured values and
// asserts nothing. `PARTS` lists the parts. Without arguments, all parts run except `archive` and the parts in `ON_REQUEST`.
//   npm run bench -- node                    # one part
//   npm run bench -- browser journal,lists   # some sections of a part
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { benchAnalyze } from './bench-analyze.mjs';
import { benchArchive } from './bench-archive.mjs';
import { benchBatches } from './bench-batches.mjs';
import { benchEngine } from './bench-engine.mjs';
import { benchIndex } from './bench-index.mjs';
import { benchPolicy } from './bench-policy.mjs';
import { benchPython } from './bench-python.mjs';
import { benchSentence } from './bench-sentence.mjs';
import { benchServe } from './bench-serve.mjs';
import { measureSizes } from './bench-sizes.mjs';
import { benchWriting } from './bench-writing.mjs';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';

const bench = new URL('../test/bench/', import.meta.url);
const at = (path) => new URL(path, bench).pathname;
const [only, sections = ''] = process.argv.slice(2);

const PARTS = [
  'sizes',
  'node',
  'grammar',
  'batches',
  'everyday',
  'results',
  'real',
  'routing',
  'limits',
  'measure',
  'serve',
  'files',
  'policy',
  'python',
  'index',
  'scan',
  'archive',
  'analyze',
  'browser',
  'writing',
  'engine',
  'sentence',
  'fine-tuning',
  'lessons',
  'settling',
];
if (only && !PARTS.includes(only)) {
  console.error(`Unknown part “${only}”. The parts are: ${PARTS.join(', ')}.`);
  process.exit(1);
}

const isWithPeers = !only || only === 'node' || only === 'browser';
if (isWithPeers && !existsSync(at('node_modules/ai'))) {
  console.log('Installing the packages that Podium is compared with …');
  const { status } = spawnSync('npm', ['ci'], { cwd: at('.'), stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!only || only === 'sizes') {
  console.log('\nSizes, gzipped');
  for (const [name, size, aim] of await measureSizes()) console.log(`  ${name}: ${size}${aim && ` (aim: ${aim})`}`);
}

/** These parts take minutes, so they run only on request. */
const ON_REQUEST = new Set(['limits', 'measure', 'files', 'scan', 'fine-tuning', 'lessons', 'settling']);
for (const part of ['node', 'grammar', 'everyday', 'results', 'real', 'routing', ...ON_REQUEST]) {
  if (only ? only !== part : ON_REQUEST.has(part)) continue;
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: at(`${part}.ts`), outDir: at(`dist/${part}`), emptyOutDir: true, target: 'node20' },
  });
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', at(`dist/${part}/${part}.js`), ...process.argv.slice(3)],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

if (!only || only === 'batches') await benchBatches(at, sections);
if (!only || only === 'serve') await benchServe(sections);
if (!only || only === 'policy') await benchPolicy(at, sections);
if (!only || only === 'python') await benchPython(at);
if (!only || only === 'index') await benchIndex(at, sections);
// Takes many minutes, so it runs only on request.
if (only === 'archive') await benchArchive(at, sections);
if (!only || only === 'analyze') await benchAnalyze(at, sections);

if (!only || only === 'browser') {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: at('browser'),
    base: './',
    plugins: [svelte()],
    worker: { format: 'es' },
    build: { outDir: at('dist/browser'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  const server = await preview({
    configFile: false,
    root: at('browser'),
    logLevel: 'warn',
    build: { outDir: at('dist/browser') },
    preview: { host: '127.0.0.1', port: 4300 },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  page.on('pageerror', (error) => console.error(error));
  const inspector = await page.context().newCDPSession(page);
  await inspector.send('Performance.enable');
  await page.exposeFunction('mainThreadSeconds', async () => {
    const { metrics } = await inspector.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  });
  console.log(`\nChromium ${browser.version()}`);
  const [url] = server.resolvedUrls?.local ?? [];
  await page.goto(`${url}#${sections}`);
  await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 600_000, polling: 1000 });
  await browser.close();
  await server.close();
}

if (!only || only === 'writing') await benchWriting(sections);
if (!only || only === 'engine') await benchEngine(at, sections);
if (!only || only === 'sentence') await benchSentence(at, sections);
