// The sentence part of `npm run bench`: compares two embeddings of questions in Chromium. One is
// from a sentence model. Podium computes the other from the spelling. The tiny model has random
// weights, so only its times are meaningful.
//   npm run bench -- sentence                          # the tiny model
//   npm run bench -- sentence Xenova/all-MiniLM-L6-v2  # a model from the hub
//   npm run bench -- sentence /path/to/folder          # a folder with config.json, tokenizer.json and onnx/model_quantized.onnx
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright';
import { build } from 'vite';
import { BROWSER_ARGS, findBrowser } from './browser.mjs';
import { writeTinySentenceModel } from './tiny-sentence-model.mjs';

const LOCAL = 'bench/model';
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/**
 * @param {(path: string) => string} at returns the path of a file in test/bench
 * @param {string} model a hub id or a folder. Empty: the tiny model
 */
export async function benchSentence(at, model = '') {
  const folder = model === '' ? at('dist/models/tiny-sentence') : existsSync(model) ? model : null;
  if (model === '') await writeTinySentenceModel(folder);
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('sentence'),
    base: './',
    worker: { format: 'es' },
    build: { outDir: at('dist/sentence'), emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 8000 },
  });
  const server = await serve(at('dist/sentence'), folder);
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
  console.log(`\nChromium ${browser.version()}`);
  const page = await browser.newPage();
  page.on('console', (message) => message.type() !== 'warning' && console.log(message.text()));
  page.on('pageerror', (error) => console.error(error));
  const host = `http://127.0.0.1:${server.address().port}/`;
  await page.goto(`${host}index.html#${folder ? `${LOCAL},${host}` : model}`);
  await page.waitForFunction(() => globalThis.benchDone === true, null, { timeout: 1_800_000, polling: 500 });
  await browser.close();
  server.close();
}

/** Serves the built page. Serves the model's folder at the paths that the Hugging Face hub uses. */
async function serve(root, folder) {
  const ofModel = `/${LOCAL}/resolve/main/`;
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = folder && path.startsWith(ofModel) ? join(folder, path.slice(ofModel.length)) : join(root, path);
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.setHeader('content-length', statSync(file).size);
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
