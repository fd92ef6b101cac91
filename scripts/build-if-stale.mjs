// Builds a part of Podium if it has not been built, or if a file it may depend on has changed since. `npm start`, `npm pack` and
// `bin/podium.js` use this, so that they never start an old version and never build twice.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGE = { name: 'the page', root, configs: ['vite.config.ts'], made: ['dist/sw.js'] };
const COMMAND_LINE = {
  name: 'the command line',
  // The second configuration builds the page in which the command line runs the Python programs of answers.
  configs: ['vite.node.config.ts', 'vite.programs.config.ts'],
  made: ['dist-node/podium.js', 'dist-node/programs/index.html'],
};
const SOURCES = ['src', 'models', 'public', 'sample', 'scripts', 'index.html', 'package-lock.json'];

/** When a file last changed, in ms. 0: it is missing. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When the newest file at or below these paths last changed, in ms. Folders count, so that a deleted file counts too. */
function newest(paths) {
  const nested = (path) => (statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []);
  return Math.max(...paths.flatMap((path) => [path, ...nested(path).map((name) => join(path, name))]).map(changedAt));
}

/** Whether all files that the part consists of are newer than its sources. */
function isFresh({ configs, made }) {
  const built = Math.min(...made.map((path) => changedAt(join(root, path))));
  return built > newest([...SOURCES, ...configs].map((path) => join(root, path)));
}

async function buildIfStale(part) {
  if (isFresh(part)) return;
  console.error(`Building ${part.name} …`);
  const { build } = await import('vite');
  // The configurations of the command line have roots of their own.
  for (const config of part.configs) {
    await build({ root: part.root, configFile: join(root, config), logLevel: 'warn' });
  }
}

export const buildPage = () => buildIfStale(PAGE);
export const buildCommandLine = () => buildIfStale(COMMAND_LINE);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPage();
  await buildCommandLine();
}
