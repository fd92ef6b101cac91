// `npm run figures`: counts what a change to this code must read: files and lines by room, and the files that name one entry of
// each kind that CONTRIBUTING.md has a recipe for. `npm run figures -- --time` also times each part of the tests. Asserts nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { measureSizes } from './bench-sizes.mjs';

const lines = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
const isCode = (path) => /\.(?:ts|svelte|mjs|css)$/.test(path);
const files = lines('git', 'ls-files', 'src', 'test').filter(isCode);
const textOf = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]));

/** Lines that are neither empty nor part of a comment. */
function codeLines(text) {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^\s*\/\/.*$/gm, '');
  return bare.split('\n').filter((line) => line.trim() !== '').length;
}

/** A room is a folder such as `src/core/runs`. Files directly in a layer count for the layer. */
const roomOf = (path) => path.split('/').slice(0, -1).slice(0, 3).join('/');

const rooms = new Map();
for (const [path, text] of textOf) {
  if (!path.startsWith('src/')) continue;
  const room = rooms.get(roomOf(path)) ?? { files: 0, code: 0, all: 0 };
  rooms.set(roomOf(path), {
    files: room.files + 1,
    code: room.code + codeLines(text),
    all: room.all + text.split('\n').length - 1,
  });
}
const total = (part) => [...rooms.values()].reduce((sum, room) => sum + room[part], 0);
rooms.set('src', { files: total('files'), code: total('code'), all: total('all') });
const tests = [...textOf].filter(([path]) => path.startsWith('test/'));
const code = tests.reduce((sum, [, text]) => sum + codeLines(text), 0);
const all = tests.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
rooms.set('test', { files: tests.length, code, all });
console.table(Object.fromEntries([...rooms].sort(([one], [other]) => (one < other ? -1 : 1))));

/** One entry of each kind, by a name that only this entry has. */
const ENTRIES = {
  'a setting of plans (planSeconds)': /\bplanSeconds\b/,
  'a setting of runs (maxSteps)': /\bmaxSteps\b/,
  'a field of a worker (firstByteSeconds)': /\bfirstByteSeconds\b/,
  'a kind of grader (puzzle)': /'puzzle'/,
  'a provider (Groq)': /groq/i,
  'an event (step-retried)': /'step-retried'/,
};
const naming = (pattern) => [...textOf].filter(([path, text]) => path.startsWith('src/') && pattern.test(text)).length;
console.table(
  Object.fromEntries(
    Object.entries(ENTRIES).map(([entry, pattern]) => [entry, { 'files of src that name it': naming(pattern) }]),
  ),
);

const [, , [load, size] = []] = await measureSizes();
console.log(`${load}: ${size}`);

if (process.argv.includes('--time')) {
  const PARTS = [
    'npm run check',
    'npm run lint:code',
    'npm run lint:components',
    'npm run lint:rest',
    'npx vitest run --project "unit*"',
    'npx vitest run --project browser',
    'npx vite build',
    'npx playwright test --grep @smoke',
    'npx vitest run --project long',
    'npx vitest run --project "long: browser"',
    'npx vitest run --project engine',
    'npx playwright test --grep-invert @smoke',
    'node scripts/engines.mjs',
  ];
  for (const part of PARTS) {
    const began = performance.now();
    const { status } = spawnSync(part, { shell: true, stdio: 'ignore' });
    console.log(`${Math.round((performance.now() - began) / 1000)} s${status === 0 ? '' : ' (failed)'}: ${part}`);
  }
}
