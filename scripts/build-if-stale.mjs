// Builds a part of Podium if it has not been built, or if a file that it may depend on has changed since. `npm start`, `npm pack`, the
// tests and `bin/podium.js` use this, so that they never use an old version and never build twice.
// `node scripts/build-if-stale.mjs page` builds only the page, and `… command-line` builds only the command line.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = { name: 'page', root, configs: ['vite.config.ts'], made: ['dist/sw.js'] };
const COMMAND_LINE = {
  name: 'command line',
  // The second configuration builds the page in which the command line runs the Python programs of answers.
  configs: ['vite.node.config.ts', 'vite.programs.config.ts'],
  made: ['dist-node/podium.js', 'dist-node/programs/index.html'],
};
const SOURCES = [
  ...['src', 'models', 'public', 'sample', 'scripts', 'stubs', 'docs', 'index.html', 'CHANGELOG.md', 'LICENSE'],
  ...['package.json', 'package-lock.json', 'svelte.config.js', 'tsconfig.json', 'node_modules/.package-lock.json'],
];

/** When a file last changed, in ms. 0: it is missing. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When the newest file at or below these paths last changed, in ms. Folders count, so that a deleted file counts too. */
function newest(paths) {
  const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const nested = (path) => (isFolder(path) ? readdirSync(path, { recursive: true }) : []);
  return Math.max(...paths.flatMap((path) => [path, ...nested(path).map((name) => join(path, name))]).map(changedAt));
}

const madeAt = ({ made }) => made.map((path) => changedAt(join(root, path)));
/** Holds the times of the last build, because the same folder may also contain another kind of build, such as the demo. */
const stampOf = ({ name }) => join(root, 'node_modules/.cache/podium', name);

function isFresh(part) {
  const built = madeAt(part);
  if (Math.min(...built) <= newest([...SOURCES, ...part.configs].map((path) => join(root, path)))) return false;
  try {
    return readFileSync(stampOf(part), 'utf8') === String(built);
  } catch {
    return false;
  }
}

/** Whether the process that wrote its id into this file still runs. */
function isHeld(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

/** Takes the lock, because tests that run at the same time may need the same build. @returns a function that releases the lock */
async function lock(path) {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await delay(100);
      if (!isHeld(path)) rmSync(path, { force: true });
    }
  }
}

async function buildIfStale(part) {
  if (isFresh(part)) return;
  const release = await lock(`${stampOf(part)}.lock`);
  try {
    if (!isFresh(part)) await build(part);
  } finally {
    release();
  }
}

async function build(part) {
  console.error(`Building the ${part.name} …`);
  const vite = await import('vite');
  // The configurations of the command line have roots of their own.
  for (const config of part.configs) {
    await vite.build({ root: part.root, configFile: join(root, config), logLevel: 'warn' });
  }
  writeFileSync(stampOf(part), String(madeAt(part)));
}

export const buildPage = () => buildIfStale(PAGE);
export const buildCommandLine = () => buildIfStale(COMMAND_LINE);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] !== 'command-line') await buildPage();
  if (process.argv[2] !== 'page') await buildCommandLine();
}
