/**
 * @file Tests the files of the build: their sizes, their licenses, that they don't name the checkout, and that a second build makes
 * the same files.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { build } from 'vite';

const DIST = 'dist';
/**
 * The folder of the second build. It is next to `dist`, because source maps contain paths relative to their
 * folder.
 */
const SECOND = 'dist-second';

/** Budget of each script or style without an entry in `BUDGETS`, in gzipped bytes. */
const SMALL = 30_000;
/**
 * Budgets of larger scripts in gzipped bytes, about 8 % above their current size. Among chunks with the same name, the
 * largest counts. If a change needs more, raise the budget here.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  // The first page. `first-visit.spec.ts` counts everything that is fetched until Run can be pressed.
  index: 150_000,
  'batch-worker': 108_000,
  // Import, sampling and results of datasets.
  evaluation: 40_000,
  'export-worker': 76_000,
  'index-worker': 62_000,
  'openai-client': 49_000,
  '_virtual_replay-viewer': 59_000,
  // The schemas of runs, to write imported ones.
  'write-runs': 32_000,
  // Policy training with jax-js.
  'training-worker': 141_000,
  // Mathematics with KaTeX.
  math: 83_000,
  'parquet-codecs': 81_000,
  // pdf.js with its character maps, and mammoth, for files in the question.
  'character-maps': 1_100_000,
  pdf: 151_000,
  'pdf.worker': 410_000,
  word: 104_000,
  // The dictionaries of zxcvbn, for new passphrases.
  'passphrase-strength': 256_000,
  // Pyodide without its WebAssembly.
  'python-runtime': 258_000,
  // transformers.js and ONNX Runtime without its WebAssembly.
  worker: 189_000,
  // WebLLM with its TVM runtime, and the grammar engine.
  lib: 2_350_000,
};

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

test('every script and style is within its budget, and only scripts above 30 kB have a budget of their own', () => {
  const largest = new Map<string, number>();
  for (const path of filesOf(join(DIST, 'assets'))) {
    const [, name] = /([\w.-]+?)-[\w-]{8}\.(?:js|css)$/.exec(path) ?? [];
    if (name === undefined) continue;
    largest.set(name, Math.max(largest.get(name) ?? 0, gzipSync(readFileSync(path)).length));
  }
  expect(largest.size).toBeGreaterThan(50);
  const over = [...largest].filter(([name, size]) => size > (BUDGETS[name] ?? SMALL));
  expect(over).toEqual([]);
  const unused = Object.keys(BUDGETS).filter((name) => (largest.get(name) ?? 0) <= SMALL);
  expect(unused).toEqual([]);
  const table = Object.keys(BUDGETS).map((name) => ({ name, gzipped: largest.get(name), budget: BUDGETS[name] }));
  console.table(table);
});

test('licenses and their texts are listed for shipped packages, but not for build tools', () => {
  const list = readFileSync(join(DIST, 'licences.json'), 'utf8');
  const texts = readFileSync(join(DIST, 'licences.txt'), 'utf8').split(/\n\n-+\n\n?/);
  const listed: unknown = JSON.parse(list);
  const shipped = [
    'svelte',
    'openai',
    'katex',
    'loglevel',
    '@huggingface/jinja',
    'onnxruntime-web',
    'pyodide',
    'Python',
  ];
  for (const name of shipped) {
    expect(listed).toContainEqual(expect.objectContaining({ name, licence: expect.stringMatching(/^\(?[A-Z]/) }));
    const text = texts.find((each) => each.startsWith(`${name} `) || each.startsWith(`${name}\n`));
    expect(text?.length, name).toBeGreaterThan(600);
  }
  for (const name of ['vite', 'fast-check', 'playwright']) {
    expect(listed).not.toContainEqual(expect.objectContaining({ name }));
  }
});

test('no file contains the path of this checkout', () => {
  const paths = filesOf(DIST);
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => readFileSync(path).includes(process.cwd()))).toEqual([]);
});

test('a second build makes the same files', async () => {
  test.setTimeout(300_000);
  const digests = (folder: string) =>
    Object.fromEntries(
      filesOf(folder).map((path) => [
        path.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]),
    );
  try {
    await build({ logLevel: 'warn', build: { outDir: SECOND, emptyOutDir: true } });
    expect(digests(SECOND)).toEqual(digests(DIST));
  } finally {
    rmSync(SECOND, { recursive: true, force: true });
  }
});
