// Builds the page into `dist` for tests, unless the last such build is newer than everything that it read. Tests that run after
// each other then share one build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const READ = [
  ...['src', 'public', 'models', 'stubs', 'scripts', 'sample', 'docs', 'index.html', 'CHANGELOG.md', 'LICENSE'],
  ...['package.json', 'package-lock.json', 'svelte.config.js', 'vite.config.ts', 'tsconfig.json'],
  join('node_modules', '.package-lock.json'),
];
/** The last file that a build writes. */
const LAST = join('dist', 'sw.js');
/** Holds the time of the last build for tests, because `dist` may also contain another kind of build. */
const STAMP = join('node_modules', '.cache', 'podium-build');

/**
 * The time of the newest change. A folder changes when a file in it is added or removed.
 * @param {string} path
 * @returns {number}
 */
function changed(path) {
  const state = statSync(path);
  const below = state.isDirectory() ? readdirSync(path).map((name) => changed(join(path, name))) : [];
  return Math.max(state.mtimeMs, ...below);
}

function isFresh() {
  if (!existsSync(LAST) || !existsSync(STAMP)) return false;
  const built = statSync(LAST).mtimeMs;
  return (
    readFileSync(STAMP, 'utf8') === String(built) && READ.filter(existsSync).every((path) => changed(path) < built)
  );
}

if (isFresh()) {
  console.log('dist is newer than its sources, so it is not built again.');
} else {
  const { status } = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(join('node_modules', '.cache'), { recursive: true });
  writeFileSync(STAMP, String(statSync(LAST).mtimeMs));
}
