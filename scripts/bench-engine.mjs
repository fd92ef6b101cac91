// `npm run bench -- engine`: compares Podium's code for local models with direct use of
// transformers.js or WebLLM in Chromium.
//   npm run bench -- engine                   # the runs in `RUNS`, and one run with WebLLM
//   npm run bench -- engine larger,wasm,60,33 # one run: model, device, number of pairs, number of tokens
//   PODIUM_MLC_MODEL=<folder> npm run bench -- engine own,webllm,20,96 # WebLLM with the model in this folder
//   npm run bench -- engine own,webllm        # if PODIUM_MLC_MODEL is not set: WebLLM with a simulated model, in Node
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, relative } from 'node:path';
import { chromium } from 'playwright';
import { build } from 'vite';
import { BROWSER_ARGS, findBrowser, SOFTWARE_WEBGPU_ARGS } from './browser.mjs';
import { writeTinyModel } from './tiny-model.mjs';

/**
 * Each run: model, device, number of pairs, number of tokens. The tiny and the larger model run on
 * the CPU (`wasm`). The tiny model also runs on WebGPU in software. A pair is one answer through Podium's code and
 * one answer through the library alone, to the same prompt. The answers are short, so other
 * programs on the machine slow down both answers of a pair equally.
 */
const RUNS = ['tiny,wasm,40,97', 'larger,wasm,60,33', 'tiny,webgpu,6,33'];
/** The size of the larger model. On one core, it generates 30 to 60 tokens per second, like models in actual use. */
const LARGER = { hidden: 512, layers: 10, heads: 8, keyHeads: 2, inner: 1408 };
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** @param {(path: string) => string} at returns the path of a file in test/bench */
export async function benchEngine(at, run = '') {
  const own = process.env.PODIUM_MLC_MODEL;
  if (!own && (run === '' || run.startsWith('own,'))) {
    await benchSimulated(at, run.split(',')[2]);
    if (run !== '') return;
  }
  const runs = run === '' ? [...RUNS, ...(own ? ['own,webllm,20,96'] : [])] : [run];
  const folders = { tiny: at('dist/models/tiny'), larger: at('dist/models/larger'), ...(own ? { own } : {}) };
  await writeTinyModel(folders.tiny);
  if (!existsSync(join(folders.larger, 'onnx/model.onnx'))) await writeTinyModel(folders.larger, LARGER);
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('engine'),
    base: './',
    worker: { format: 'es' },
    build: { outDir: at('dist/engine'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  const server = await serve(at('dist/engine'), folders);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [...BROWSER_ARGS, ...SOFTWARE_WEBGPU_ARGS],
  });
  console.log(`\nChromium ${browser.version()}`);
  for (const each of runs) {
    const page = await browser.newPage();
    page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`http://127.0.0.1:${server.address().port}/index.html#${each}`);
    await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 3_600_000, polling: 1000 });
    await page.close();
  }
  await browser.close();
  server.close();
}

/** Measures in Node how WebLLM generates plans with a simulated model. */
async function benchSimulated(at, count = '20') {
  console.log('\nPODIUM_MLC_MODEL is not set, so the model of WebLLM is simulated.');
  const outDir = at('dist/engine-simulated');
  const ssr = at('engine/simulated.ts');
  await build({ configFile: false, logLevel: 'warn', build: { ssr, outDir, emptyOutDir: true, target: 'node20' } });
  const { status } = spawnSync(process.execPath, [`${outDir}/simulated.js`, count], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Serves the built page and the model files, at `models/<name>/<path>`. `models/<name>` returns the file paths as JSON. */
async function serve(root, folders) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const [, name, rest] = /^\/models\/(\w+)(?:\/(.+))?$/.exec(path) ?? [];
    const folder = folders[name];
    if (folder && !rest) {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = files
        .filter((file) => file.isFile())
        .map((file) => relative(folder, join(file.parentPath, file.name)));
      response.setHeader('content-type', 'application/json').end(JSON.stringify(paths));
      return;
    }
    const file = folder ? join(folder, rest) : join(root, path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
