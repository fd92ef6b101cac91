// The sizes part of `npm run bench`: measures the size of the workflow executor, and of all files that the page
// loads first. Sizes are after gzip, as on a static host.
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = new URL('..', import.meta.url).pathname;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const gzipped = (...sources) => sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0);

/** @returns {Promise<readonly (readonly [name: string, size: string, aim: string])[]>} */
export async function measureSizes() {
  const alone = await executorSize((id) => /\/contract(\/|$)|^@noble\//.test(id));
  const whole = await executorSize(() => false);
  const load = await firstLoad();
  return [
    ['executor, without the contract and SHA-256', kilobytes(alone), '5 kB'],
    ['executor with all its dependencies', kilobytes(whole), ''],
    [`first load of the page (${load.files} files)`, kilobytes(load.size), ''],
  ];
}

async function executorSize(external) {
  const output = await outputOf({
    configFile: false,
    publicDir: false,
    build: {
      minify: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: `${root}src/core/executor/execute.ts`,
        external,
        preserveEntrySignatures: 'strict',
        output: { format: 'es' },
      },
    },
  });
  return gzipped(...output.filter(({ type }) => type === 'chunk').map(({ code }) => code));
}

/**
 * Measures the total size of the page, its styles, its script, and all files that the script imports
 * statically.
 */
async function firstLoad() {
  const output = await outputOf({});
  const files = new Map(output.map((file) => [file.fileName, file]));
  const wanted = new Set(['index.html']);
  const page = String(files.get('index.html')?.source);
  for (const [, name] of page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)) wanted.add(name);
  // The loop also visits the files that it adds, so it reaches the imports of imports.
  for (const name of wanted) {
    const file = files.get(name);
    if (file?.type !== 'chunk') continue;
    for (const imported of file.imports) wanted.add(imported);
    for (const style of file.viteMetadata?.importedCss ?? []) wanted.add(style);
  }
  const sources = [...wanted].map((name) => files.get(name)).filter(Boolean);
  return { files: sources.length, size: gzipped(...sources.map((file) => file.code ?? file.source)) };
}

async function outputOf(config) {
  const result = await build({ root, logLevel: 'error', ...config, build: { ...config.build, write: false } });
  return [result].flat().flatMap(({ output }) => output);
}
