/**
 * @file Checks the lint rules for imports and for Web Workers. A room is a folder such as `core/runs` or `platform/store`. The
 * rooms of the core and of the app are ordered. A room may import only lower rooms.
 */
import { ESLint, Linter } from 'eslint';
import { describe, expect, test } from 'vitest';
import { APP_LINES, CORE_LINES } from '../scripts/layers.mjs';

const eslint = new ESLint();
const linter = new Linter();
/** The config of each file. ESLint computes it anew for each question. */
const configs = new Map<string, Linter.Config>();
type RuleName = 'no-restricted-imports' | 'no-restricted-syntax';

/** Lints this code with one rule, as it is configured for the file `filePath`. @returns the messages */
async function messagesOf(rule: RuleName, filePath: string, code: string): Promise<readonly Linter.LintMessage[]> {
  const config = configs.get(filePath) ?? ((await eslint.calculateConfigForFile(filePath)) as Linter.Config);
  configs.set(filePath, config);
  const entry = config.rules?.[rule];
  return linter.verify(code, { rules: entry ? { [rule]: entry } : {} });
}

/**
 * Lints these imports with the rules for the file `filePath`.
 * @returns the number of forbidden imports
 */
async function complaints(filePath: string, ...imports: string[]): Promise<number> {
  return (await forbidden(filePath, imports)).size;
}

/** Lints these imports with the rules for the file `filePath`, all at once. @returns the forbidden ones */
async function forbidden(filePath: string, imports: readonly string[]): Promise<ReadonlySet<string>> {
  const code = imports.map((path, index) => `import * as name${index} from '${path}';`).join('\n');
  const found = await messagesOf('no-restricted-imports', filePath, code);
  return new Set(found.flatMap(({ line }) => imports[line - 1] ?? []));
}

/**
 * Lints this code with the rules for the file `filePath`.
 * @returns the messages of `no-restricted-syntax`
 */
const syntaxComplaints = async (filePath: string, code: string) =>
  (await messagesOf('no-restricted-syntax', filePath, code)).map(({ message }) => message);

describe('the lint rule for imports', () => {
  const rooms = CORE_LINES.flatMap((line, height) => line.map((room) => ({ room, height })));

  test.each(rooms)('lets core/$room import only lower rooms of the core', async ({ room, height }) => {
    const others = rooms.filter((each) => each.room !== room);
    const paths = (each: (typeof rooms)[number]) => [`../${each.room}`, `../${each.room}/file`];
    const refused = await forbidden(`src/core/${room}/file.ts`, others.flatMap(paths));
    const higher = others.filter((other) => other.height >= height);
    expect([...refused].toSorted()).toEqual(higher.flatMap(paths).toSorted());
    expect(
      await complaints(`src/core/${room}/file.ts`, '../../platform/store/file', '../../app/state/file', 'svelte'),
    ).toBe(3);
  });

  test('lets platform rooms import packages and the contract, but not Svelte or other rooms', async () => {
    const file = 'src/platform/store/file.ts';
    expect(await complaints(file, '../../core/contract', 'idb')).toBe(0);
    expect(await complaints(file, '../workers/keys', '../../core/runs', '../../app/services', 'svelte')).toBe(4);
  });

  test('rejects platform imports in the app', async () => {
    expect(await complaints('src/app/runs/file.ts', '../ui/file', '../services', '../../core/runs/runs')).toBe(0);
    expect(await complaints('src/app/runs/file.ts', '../../platform/store/file')).toBe(1);
  });

  test('rejects imports of `src/composition` in the core, the platform and the app', async () => {
    expect(await complaints('src/core/runs/file.ts', '../../composition/compose')).toBe(1);
    expect(await complaints('src/platform/store/file.ts', '../../composition/compose')).toBe(1);
    expect(await complaints('src/app/runs/file.ts', '../../composition/compose')).toBe(1);
  });

  test('lets the command line import core and platform, and rejects imports of the command line', async () => {
    const file = 'src/node/run/file.ts';
    expect(await complaints(file, '../../core/runs', '../../platform/workers/keys', '../engine', 'node:fs')).toBe(0);
    expect(
      await complaints(file, '../../app/services', '../../composition/runs', '../../replay/read-file', 'svelte'),
    ).toBe(4);
    for (const other of ['src/core/runs/file.ts', 'src/platform/store/file.ts', 'src/app/runs/file.ts']) {
      expect(await complaints(other, '../../node/engine')).toBe(1);
    }
  });

  test('lets the replay viewer import drawing rooms and the playhead, and lets nothing import the viewer', async () => {
    const file = 'src/replay/file.ts';
    expect(
      await complaints(
        file,
        '../core/contract',
        '../app/score/view',
        '../app/run/Scrubber.svelte',
        '../app/run/replay.svelte',
        '../app/run/timeline',
        'svelte',
      ),
    ).toBe(0);
    expect(
      await complaints(
        file,
        '../platform/store/file',
        '../app/services',
        '../app/run/saved-run.svelte',
        '../app/run/RunPage.svelte',
        '../composition/compose',
      ),
    ).toBe(5);
    for (const other of ['src/core/runs/file.ts', 'src/platform/store/file.ts', 'src/app/runs/file.ts']) {
      expect(await complaints(other, '../../replay/read-file')).toBe(1);
    }
  });

  const appRooms = APP_LINES.flatMap((line, height) => line.map((room) => ({ room, height })));

  test.each(appRooms)('lets app/$room import only lower rooms of the app, and the core', async ({ room, height }) => {
    const others = appRooms.filter((each) => each.room !== room);
    const higher = others.filter((other) => other.height >= height);
    for (const [file, up] of [
      ['file.ts', '..'],
      ['folder/file.ts', '../..'],
    ] as const) {
      const paths = (rooms: typeof others) => rooms.map((each) => `${up}/${each.room}/file`).toSorted();
      const refused = await forbidden(`src/app/${room}/${file}`, paths(others));
      expect([...refused].toSorted()).toEqual(paths(higher));
    }
    expect(await complaints(`src/app/${room}/file.ts`, '../../core/runs', '../../core/runs/file')).toBe(0);
  });
});

describe('the lint rule that only `startWorker` may start a Web Worker', () => {
  const others = [
    "new Worker('./worker.js');",
    "new SharedWorker('./worker.js');",
    "new self.Worker('./worker.js');",
    "import Own from './worker?worker';\nvoid Own;",
    "import Own from './worker?worker&inline';\nvoid Own;",
  ];

  test.each(others)('rejects %s', async (code) => {
    const refused = [expect.stringContaining('startWorker')];
    for (const file of ['src/platform/store/file.ts', 'src/core/training/file.ts', 'src/app/runs/file.ts']) {
      expect(await syntaxComplaints(file, code), file).toEqual(refused);
    }
  });

  test('allows importing a Web Worker’s URL, and `new Worker` in start-worker.ts', async () => {
    const code = "import program from './worker?worker&url';\nvoid program;";
    expect(await syntaxComplaints('src/platform/store/file.ts', code)).toEqual([]);
    expect(await syntaxComplaints('src/platform/start-worker.ts', "new Worker('./worker.js');")).toEqual([]);
  });
});
