import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { deleteDB } from 'idb';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  countedGrade,
  DEFAULT_PREFERENCES,
  foldEvents,
  type ModelManifest,
  type RestoreMode,
  type RestoreProgress,
  type RunEvent,
  type WorkerSetup,
} from '../../../src/core/contract';
import { createArchive } from '../../../src/platform/store/archive';
import { packBytes, unpackBytes } from '../../../src/platform/store/backup/bytes';
import { backupSections, LEFT_OUT } from '../../../src/platform/store/backup/sections';
import { createDatabase } from '../../../src/platform/store/database';
import { createFileReader, type FileReaderDependencies } from '../../../src/platform/store/file-reader';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createOwnModels } from '../../../src/platform/store/models';
import { createPolicyStore } from '../../../src/platform/store/policies';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { createRunStore } from '../../../src/platform/store/run-store';
import { createSpending } from '../../../src/platform/store/spending';
import { createWorkerSetups } from '../../../src/platform/store/setups';
import { createKeyVault } from '../../../src/platform/store/vault';
import { FakeClock } from '../../fixtures/fake-clock';
import { backupText, falseService, openSettings, selfConfirmed } from '../../fixtures/hostile/backups';
import { heldOut, keptPolicy } from '../../fixtures/kept-policy';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { derivePassphrasesQuickly } from '../../fixtures/quick-passphrases';
import { endedRun } from '../../fixtures/run-arbitrary';
import { finishedRunBodies, poolWorker, runStarted, stampEvents } from '../../fixtures/run-events';

derivePassphrasesQuickly();
const { signal } = new AbortController();
const NOW = 1_770_000_000_000;
const PASSPHRASE = 'four words of a phrase';
const KEY = 'sk-canary-1234567890';
let counter = 0;

/** An archive that reads files on the test's own thread, not in a Web Worker. */
function archiveOver(parts: Pick<FileReaderDependencies, 'database' | 'store' | 'locks'>) {
  const clock = { now: () => NOW };
  return createArchive({ ...parts, clock, app: '9.9.9', reader: createFileReader({ ...parts, clock }) });
}

/** The storage of one browser. */
function browser() {
  const name = `backup-${++counter}`;
  const database = createDatabase({ name });
  const space = new MemoryLocks();
  const store = createRunStore(database);
  const vault = createKeyVault(database, name);
  const archive = archiveOver({ database, store, locks: space.tab() });
  onTestFinished(async () => {
    database.close();
    vault.close();
    await deleteDB(name);
  });
  const parts = {
    setups: createWorkerSetups(database),
    models: createOwnModels(database),
    policies: createPolicyStore(database),
    preferences: createPreferencesStore(database),
    spending: createSpending(database, new FakeClock('auto', NOW), () => 'held'),
  };
  return { database, space, store, vault, archive, ...parts };
}
type Browser = ReturnType<typeof browser>;

const finishedRun = (runId: string, at?: number) => stampEvents(finishedRunBodies(), at ? { runId, at } : { runId });
const setup = (id: string, more: Partial<WorkerSetup> = {}): WorkerSetup => ({
  id,
  name: `Worker ${id}`,
  mark: 'Wo',
  colour: 3,
  baseUrl: 'http://localhost:1234/v1',
  model: 'm',
  price: { input: 1, output: 2 },
  description: '',
  needsKey: true,
  ...more,
});
const manifest: ModelManifest = {
  id: 'own',
  label: 'My own',
  engine: 'webllm',
  source: { kind: 'folder', name: 'own' },
  download: null,
  memory: null,
  context: 4096,
  licence: null,
  why: 'Mine',
  needs: [],
  prompt: null,
  showWorkers: 'number',
};

async function fill(
  { store, setups, models, policies, preferences, spending, vault }: Browser,
  runs = 3,
): Promise<void> {
  await store.addRuns(Array.from({ length: runs }, (_, index) => finishedRun(`run-${index}`, 1000 + index)));
  await setups.put(setup('desk'));
  await setups.put(setup('shelf'));
  await models.put(manifest);
  await policies.put(keptPolicy('own', { heldOut: heldOut() }));
  await preferences.write({ ...DEFAULT_PREFERENCES, theme: 'dark', maxTokens: 99 });
  const held = await spending.hold({ runId: 'run-0', workerId: 'desk', name: 'Desk', usd: 0.5 });
  if (held.type === 'held') await spending.settle(held.id, { usd: 0.25, billed: true, tokens: 12 });
  await vault.create(PASSPHRASE);
  await vault.put('desk', 'http://localhost:1234', KEY);
}

const unconfirmed = (setups: readonly WorkerSetup[]) => setups.map((each) => ({ ...each, unconfirmed: true }));

async function fileOf({ archive }: Browser, keys = false): Promise<Blob> {
  return new Response(archive.backup({ keys, signal })).blob();
}

/** Returns the lines of a backup, so that a test can change them. `plain` turns lines into an uncompressed file. */
async function linesOf(file: Blob): Promise<string[]> {
  const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
  return text.split('\n').slice(0, -1);
}
const plain = (lines: readonly string[]) => new Blob(lines.map((line) => `${line}\n`));

async function restore({ archive }: Browser, file: Blob, mode: RestoreMode = 'merge', own = signal, isOwn = true) {
  let last: RestoreProgress | null = null;
  for await (const progress of archive.restore(file, { mode, isOwn }, own)) last = progress;
  if (!last) throw new Error('The restore reported no progress.');
  const counts = Object.fromEntries(
    last.parts.map(({ name, counts }) => [
      name,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ]),
  );
  return { counts, damage: last.damage };
}

describe('the sections of a backup', () => {
  it('contain every object store of the database, except those for which `LEFT_OUT` states a reason', async () => {
    const { database, store, space } = browser();
    const sections = backupSections(database, store, { locks: space.tab(), importedAt: null });
    const carried: string[] = sections.flatMap(({ stores }) => [...stores]);
    expect(carried.length, 'no store is in two sections').toBe(new Set(carried).size);
    const names: string[] = [];
    const fresh = createDatabase({
      name: 'backup-names',
      migrations: [...MIGRATIONS, (connection) => names.push(...connection.objectStoreNames)],
    });
    await fresh.transact(['counts'], 'readonly', () => Promise.resolve());
    fresh.close();
    await deleteDB('backup-names');
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const reason = Object.entries(LEFT_OUT).find(([store]) => store === name)?.[1] ?? '';
      expect(carried.includes(name) !== reason.length > 10, `${name} is in a section or in LEFT_OUT, not both`).toBe(
        true,
      );
    }
    expect(new Set(sections.map(({ name }) => name)).size).toBe(sections.length);
  });
});

describe('a backup', () => {
  it('restores everything in a new browser, and the passphrase opens the restored vault', async () => {
    const from = browser();
    await fill(from);
    const file = await fileOf(from, true);
    const into = browser();
    const contents = await into.archive.inspect(file, signal);
    expect(contents).toMatchObject({ madeAt: NOW, app: '9.9.9', damage: [] });
    expect(contents.parts.map(({ name, whole, promised }) => [name, whole, promised])).toEqual([
      ['preferences', 1, 1],
      ['connections', 0, 0],
      ['workers', 2, 2],
      ['models', 1, 1],
      ['policies', 1, 1],
      ['spending', 1, 1],
      ['vault', 1, 1],
      ['tasks', 0, 0],
      ['datasets', 0, 0],
      ['batches', 0, 0],
      ['outcomes', 0, 0],
      ['measurements', 0, 0],
      ['runs', 3, 3],
    ]);
    expect(await into.store.count(), 'inspecting a file adds no run').toBe(0);
    expect(await restore(into, file)).toEqual({
      counts: {
        preferences: { added: 1 },
        workers: { added: 2 },
        connections: {},
        models: { added: 1 },
        policies: { added: 1 },
        spending: { added: 1 },
        vault: { added: 1 },
        tasks: {},
        datasets: {},
        batches: {},
        outcomes: {},
        measurements: {},
        runs: { added: 3 },
      },
      damage: [],
    });
    for (let index = 0; index < 3; index++) {
      const id = `run-${index}`;
      expect(await into.store.read(id)).toEqual(await from.store.read(id));
      expect(await into.store.summary(id)).toEqual(await from.store.summary(id));
    }
    expect(await into.setups.list()).toEqual(unconfirmed(await from.setups.list()));
    expect(await into.models.list()).toEqual([manifest]);
    expect(await into.policies.list()).toEqual(await from.policies.list());
    expect(await into.spending.totals()).toEqual(await from.spending.totals());
    expect((await into.spending.totals()).month.usd).toBe(0.25);
    expect(await into.preferences.read()).toEqual(await from.preferences.read());
    await into.vault.load();
    expect(into.vault.state).toBe('locked');
    await expect(into.vault.unlock('not this one at all')).rejects.toMatchObject({ fault: { code: 'unauthorized' } });
    expect(await into.vault.unlock(PASSPHRASE)).toEqual([]);
    expect(into.vault.get('desk', 'http://localhost:1234')).toBe(KEY);
  });

  it('restores a pair that is not compared yet, which the user can then compare', async () => {
    const [here, there] = [browser(), browser()];
    const [, ...ran] = finishedRunBodies();
    const drawn = runStarted({ alone: { worker: poolWorker(1).id, share: 1 } });
    const second = { type: 'alone-answered', output: 'Seven.', usage: null, cost: 0.25 } as const;
    const pair = stampEvents([drawn, ...ran, second]);
    const { runId } = pair[0] ?? { runId: '' };
    await here.store.addRuns([pair]);
    await restore(there, await fileOf(here));
    expect(await there.store.read(runId)).toEqual(await here.store.read(runId));
    expect(await there.store.summary(runId)).toMatchObject({ blind: true });
    const voted = stampEvents([drawn, ...ran, second, { type: 'pair-compared', preferred: 'alone' }]).slice(-1);
    for (const event of voted) await there.store.append(event);
    await there.store.flush();
    const summary = await there.store.summary(runId);
    expect(summary).toMatchObject({ pair: true });
    expect(summary).not.toHaveProperty('blind');
  });

  it('restores arbitrary ended runs unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(endedRun(), { minLength: 1, maxLength: 4 }), async (runs) => {
        const named = runs.map((run, index): RunEvent[] => run.map((event) => ({ ...event, runId: `run-${index}` })));
        const [from, into] = [browser(), browser()];
        await from.store.addRuns(named);
        await restore(into, await fileOf(from));
        for (const run of named) {
          const id = run[0]?.runId ?? '';
          expect(await into.store.read(id)).toEqual(await from.store.read(id));
          expect(foldEvents(await into.store.read(id))).toEqual(foldEvents(run));
        }
      }),
      { numRuns: 8 },
    );
  });

  it('contains keys only on request, and encrypts them', async () => {
    const from = browser();
    await fill(from);
    const without = (await linesOf(await fileOf(from))).join('\n');
    expect(without).not.toContain('vault');
    const lines = await linesOf(await fileOf(from, true));
    expect(lines.some((line) => line.startsWith('{"section":"vault","value"'))).toBe(true);
    for (const secret of [KEY, PASSPHRASE, btoa(KEY), btoa(PASSPHRASE)]) {
      expect(lines.join('\n')).not.toContain(secret);
    }
  });

  it('reports its progress, reports the unreadable runs that it leaves out, and rejects when aborted', async () => {
    const from = browser();
    await fill(from);
    await from.store.addRuns([stampEvents([runStarted({ schema: 99 })], { runId: 'newer', at: 5 })]);
    const reported: [number, number][] = [];
    const leftOut: string[] = [];
    const stream = from.archive.backup({
      keys: false,
      signal,
      onprogress: (done, of) => reported.push([done, of]),
      leftOut: (message) => leftOut.push(message),
    });
    const file = await new Response(stream).blob();
    expect(reported.at(0)).toEqual([1, 10]);
    expect(reported.at(-1)).toEqual([10, 10]);
    expect(leftOut).toEqual([expect.stringMatching(/^The run newer is left out\. .*newer version/)]);
    expect((await from.archive.inspect(file, signal)).damage).toEqual([]);
    const stopped = from.archive.backup({ keys: false, signal: AbortSignal.abort() });
    await expect(new Response(stopped).blob()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('preferences', () => {
  it('are written field by field: writing the theme keeps the daily budget', async () => {
    const { preferences } = browser();
    await preferences.write({ dayUsd: 5 });
    await preferences.write({ theme: 'dark' });
    expect(await preferences.read()).toEqual({ ...DEFAULT_PREFERENCES, dayUsd: 5, theme: 'dark' });
  });
});

describe('workers of a file', () => {
  const fileWith = (...workers: readonly unknown[]) => new Blob([backupText({ workers })]);
  const EVIL = 'http://evil.example/v1';

  it.each(['merge', 'replace'] as const)(
    'are restored as unconfirmed, whatever their status in the file: mode %s',
    async (mode) => {
      const into = browser();
      await restore(into, fileWith(falseService(EVIL), selfConfirmed(EVIL)), mode);
      expect((await into.setups.list()).map(({ id, unconfirmed }) => [id, unconfirmed])).toEqual([
        ['w-self', true],
        ['w-false', true],
      ]);
    },
  );

  it.each(['evil.example/v1', 'evil.example:8080/v1', 'javascript:alert(1)'])(
    'are rejected if their address is not a web address: %s',
    async (address) => {
      const into = browser();
      await restore(into, fileWith(falseService(address)), 'replace');
      expect(await into.setups.list()).toEqual([]);
    },
  );

  it('do not make an identical stored worker unconfirmed in mode `replace`', async () => {
    const into = browser();
    await fill(into);
    const before = await into.setups.list();
    const file = await fileOf(into);
    expect((await restore(into, file, 'replace')).counts.workers).toEqual({ present: 2 });
    expect(await into.setups.list()).toEqual(before);
  });

  it('overwrite a stored worker with the same id only in mode `replace`, and are then unconfirmed', async () => {
    const into = browser();
    await into.setups.put(setup('w-false'));
    expect((await restore(into, fileWith(falseService(EVIL)))).counts.workers).toEqual({ kept: 1 });
    expect(await into.setups.list()).toMatchObject([setup('w-false')]);
    await restore(into, fileWith(falseService(EVIL)), 'replace');
    expect(await into.setups.list()).toMatchObject([{ baseUrl: EVIL, unconfirmed: true }]);
  });
});

describe('settings of a file', () => {
  const fileWith = (settings: unknown) => new Blob([backupText({ preferences: [settings] })]);

  it.each(['merge', 'replace'] as const)(
    'apply at once, or after the user’s confirmation if they let runs send or spend more: mode %s',
    async (mode) => {
      const into = browser();
      await restore(into, fileWith(openSettings('w-false')), mode);
      const {
        theme: _theme,
        restored: _restored,
        isPrivate: _private,
        approval: _approval,
        ...more
      } = openSettings('w-false');
      // The file's `isPrivate`, `approval` and `dayUsd` equal those of a fresh browser, so they need no confirmation.
      const { dayUsd: _dayUsd, ...waiting } = more;
      expect(await into.preferences.read()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark', restored: waiting });
    },
  );

  it('do not weaken the protection of this browser when everything is replaced', async () => {
    const into = browser();
    const own = { isPrivate: true, approval: true, dayUsd: 5, caps: { ...DEFAULT_PREFERENCES.caps, usd: 1 } };
    await into.preferences.write(own);
    await restore(into, fileWith(openSettings('w-false')), 'replace');
    expect(await into.preferences.read()).toMatchObject({
      ...own,
      conductor: null,
      pool: null,
      recursion: false,
      restored: { isPrivate: false, approval: false, dayUsd: null, conductor: 'endpoint:w-false' },
    });
  });

  it('count as present when they equal the current settings', async () => {
    const into = browser();
    await into.preferences.write({ ...DEFAULT_PREFERENCES, pool: ['a', 'b'], dayUsd: 3 });
    const file = await fileOf(into);
    expect((await restore(into, file, 'replace')).counts.preferences).toEqual({ present: 1 });
  });
});

describe('recorded spending', () => {
  it('is kept when everything is replaced, so that an older file cannot lower today’s spending', async () => {
    const into = browser();
    await fill(into);
    const file = await fileOf(into);
    const held = await into.spending.hold({ runId: 'run-1', workerId: 'desk', name: 'Desk', usd: 2 });
    if (held.type === 'held') await into.spending.settle(held.id, { usd: 1.5, billed: true, tokens: 40 });
    const other = await into.spending.hold({ runId: 'run-1', workerId: 'shelf', name: 'Shelf', usd: 2 });
    if (other.type === 'held') await into.spending.settle(other.id, { usd: 0.5, billed: true, tokens: 40 });
    const before = await into.spending.totals();
    await restore(into, file, 'replace');
    expect(await into.spending.totals()).toEqual(before);
  });
});

describe('merging', () => {
  it('keeps stored data and adds missing data', async () => {
    const from = browser();
    await fill(from);
    const file = await fileOf(from, true);
    const into = browser();
    await into.store.addRuns([finishedRun('run-0', 1000), finishedRun('mine', 7)]);
    await into.setups.put(setup('desk', { name: 'My desk' }));
    await into.preferences.write({ ...DEFAULT_PREFERENCES, theme: 'light' });
    await into.vault.create('another phrase of words');
    const { counts } = await restore(into, file);
    expect(counts).toMatchObject({
      preferences: { kept: 1 },
      workers: { kept: 1, added: 1 },
      models: { added: 1 },
      policies: { added: 1 },
      spending: { added: 1 },
      vault: { kept: 1 },
      runs: { present: 1, added: 2 },
    });
    expect((await into.setups.list()).map(({ name }) => name)).toEqual(['My desk', 'Worker shelf']);
    expect((await into.preferences.read()).theme).toBe('light');
    await into.vault.unlock('another phrase of words');
    expect(await into.store.count()).toBe(4);
    expect((await restore(into, file)).counts.runs).toEqual({ present: 3 });
  });

  it('adds missing keys to the vault if the file has the same vault', async () => {
    const from = browser();
    await fill(from);
    const before = await fileOf(from, true);
    await from.vault.put('shelf', 'http://localhost:1234', 'another key');
    await from.vault.addLock({ id: 'phone', site: 'localhost', output: new Uint8Array(32) });
    const file = await fileOf(from, true);
    const into = browser();
    await restore(into, before);
    await into.vault.load();
    await into.vault.unlock(PASSPHRASE);
    expect((await restore(into, file)).counts.vault).toEqual({ updated: 1 });
    expect(await into.vault.locks()).toHaveLength(1);
    await into.vault.load();
    expect([into.vault.state, into.vault.get('shelf', 'http://localhost:1234')]).toEqual(['unlocked', 'another key']);
    expect((await restore(into, before)).counts.vault).toEqual({ present: 1 });
    await into.vault.load();
    expect(into.vault.get('shelf', 'http://localhost:1234')).toBe('another key');
  });
});

describe('replacing everything', () => {
  it('leaves only the content of the file, but keeps the stored vault if the file has no vault', async () => {
    const from = browser();
    await fill(from);
    const file = await fileOf(from);
    const into = browser();
    const other = finishedRun('run-0').map((event) => (event.type === 'run-started' ? { ...event, seed: 7 } : event));
    await into.store.addRuns([other, finishedRun('mine', 7)]);
    await into.setups.put(setup('desk', { name: 'My desk' }));
    await into.setups.put(setup('gone'));
    await into.vault.create('another phrase of words');
    const { counts } = await restore(into, file, 'replace');
    expect(counts).toMatchObject({
      workers: { updated: 1, added: 1, removed: 1 },
      runs: { updated: 1, added: 2, removed: 1 },
    });
    expect(counts.vault).toBeUndefined();
    expect(await into.store.count()).toBe(3);
    expect(await into.store.read('run-0')).toEqual(await from.store.read('run-0'));
    expect(await into.setups.list()).toEqual(unconfirmed(await from.setups.list()));
    await into.vault.load();
    expect(await into.vault.unlock('another phrase of words')).toEqual([]);
  });

  it('deletes no run if a run in the file is damaged, and never deletes a run in progress', async () => {
    const from = browser();
    await fill(from);
    const lines = await linesOf(await fileOf(from));
    const into = browser();
    await into.store.addRuns([finishedRun('mine', 7)]);
    await into.setups.put(setup('gone'));
    const at = lines.findIndex((line) => line.includes('"section":"runs","value"'));
    const damaged = plain(lines.with(at, '{"section":"runs","val'));
    const { counts, damage } = await restore(into, damaged, 'replace');
    expect(counts).toMatchObject({ runs: { added: 2 }, workers: { added: 2, removed: 1 } });
    expect(damage).toEqual([
      `1 of 3 runs is damaged: line ${at + 1}. This content was not written by Podium.`,
      'Runs that are not in the file were kept, because the file is damaged.',
    ]);
    expect(await into.store.read('mine')).not.toEqual([]);
    const release = await into.space.tab().acquire('run:mine');
    expect((await restore(into, plain(lines), 'replace')).counts.runs).toEqual({ added: 1, present: 2, busy: 1 });
    release?.();
    expect((await restore(into, plain(lines), 'replace')).counts.runs).toEqual({ present: 3, removed: 1 });
  });

  it('keeps runs that cannot be read, because a backup leaves them out', async () => {
    const own = browser();
    await fill(own);
    const file = await fileOf(own);
    await own.store.addRuns([
      stampEvents([runStarted({ schema: 99 })], { runId: 'newer', at: 5 }),
      finishedRun('mine', 7),
    ]);
    expect((await restore(own, file, 'replace')).counts.runs).toEqual({ present: 3, removed: 1 });
    expect([await own.store.summary('mine'), (await own.store.summary('newer'))?.id]).toEqual([null, 'newer']);
  });

  it('keeps stored runs, and restores only whole runs, when it is stopped in the middle', async () => {
    const from = browser();
    await fill(from, 120);
    // The file is not compressed, because Node, unlike browsers, throws when a gzipped stream is not read to its end.
    const file = plain(await linesOf(await fileOf(from)));
    const into = browser();
    await into.store.addRuns([finishedRun('mine', 7)]);
    const controller = new AbortController();
    const restoring = (async () => {
      for await (const { parts } of into.archive.restore(file, { mode: 'replace', isOwn: true }, controller.signal)) {
        if (parts.some(({ name, counts }) => name === 'runs' && counts.added > 0)) controller.abort();
      }
    })();
    await expect(restoring).rejects.toMatchObject({ name: 'AbortError' });
    const count = await into.store.count();
    expect(count).toBeGreaterThan(50);
    expect(count).toBeLessThan(121);
    expect(await into.store.read('mine')).not.toEqual([]);
    const { summaries } = await into.store.summaries({ limit: 200 });
    expect(summaries.length).toBe(count);
    for (const { id } of summaries) expect(foldEvents(await into.store.read(id))?.status).toBe('finished');
    expect((await restore(into, file, 'replace')).counts.runs).toMatchObject({ removed: 1 });
    expect(await into.store.count()).toBe(120);
  });
});

describe('a restore that replaces everything and is stopped during deletion', () => {
  it.each([
    ['by the user', 'AbortError'],
    ['by a fault', 'Error'],
  ])('reports how many entries were restored and deleted: stopped %s', async (how, name) => {
    const from = browser();
    await fill(from);
    const file = plain(await linesOf(await fileOf(from)));
    const into = browser();
    await into.setups.put(setup('gone'));
    await into.store.addRuns(Array.from({ length: 9 }, (_, index) => finishedRun(`mine-${index}`, 7 + index)));
    const controller = new AbortController();
    let deleted = 0;
    const store: typeof into.store = {
      ...into.store,
      async delete(id) {
        if (deleted === 4 && how === 'by a fault') throw new Error('full');
        await into.store.delete(id);
        deleted += 1;
        if (deleted === 4 && how === 'by the user') controller.abort();
      },
    };
    const own = { database: into.database, store, locks: into.space.tab() };
    let last: RestoreProgress | null = null;
    const restoring = (async () => {
      for await (const progress of archiveOver(own).restore(file, { mode: 'replace', isOwn: true }, controller.signal))
        last = progress;
    })();
    await expect(restoring).rejects.toMatchObject({ name });
    const parts = new Map((last as RestoreProgress | null)?.parts.map((part) => [part.name, part.counts]));
    expect(parts.get('runs')).toMatchObject({ added: 3, removed: 4 });
    expect(parts.get('workers')).toMatchObject({ added: 2, removed: 1 });
    expect(await into.store.count()).toBe(3 + 9 - 4);
    expect((await into.setups.list()).map(({ id }) => id)).toEqual(['desk', 'shelf']);
  });
});

describe('a damaged file', () => {
  const sound = async () => {
    const from = browser();
    await fill(from, 9);
    const file = await fileOf(from);
    return { file, lines: await linesOf(file) };
  };
  const refusal = (file: Blob) =>
    browser()
      .archive.inspect(file, signal)
      .then(
        () => 'accepted',
        (thrown: unknown) => (thrown instanceof Error ? thrown.message : ''),
      );

  it('is rejected if nothing can be restored, as are newer backups and files of other formats', async () => {
    const { lines } = await sound();
    const [head = '', ...rest] = lines;
    const newer = head.replace('"version":1', '"version":2');
    expect(await refusal(plain([newer, ...rest]))).toMatch(/made by a newer version of Podium\. Reload/);
    expect(await refusal(plain(rest))).toMatch(/not a backup of Podium/);
    expect(await refusal(new Blob([]))).toMatch(/not a backup of Podium/);
    expect(await refusal(new Blob(['\u001f\u008b rubbish']))).toMatch(/not a backup of Podium/);
    expect(await refusal(plain(['{"format":"podium-backup","version":1}']))).toMatch(
      /beginning of this backup is damaged/,
    );
    const run = JSON.stringify({ format: 'podium-run', version: 1, events: finishedRun('x') });
    expect(await refusal(plain([run]))).toMatch(/Import it on Runs/);
  });

  it('has its intact runs restored and its damaged lines reported', async () => {
    const { lines } = await sound();
    const runLines = lines.flatMap((line, index) => (line.startsWith('{"section":"runs","value"') ? [index] : []));
    const [first = 0, second = 0, third = 0, fourth = 0] = runLines;
    const changed = lines
      .with(first, 'rubbish')
      .with(second, (lines[second] ?? '').replace('"seq":3,', '"seq":"three",'))
      .with(third, '')
      .with(fourth, (lines[fourth] ?? '').slice(0, 200));
    const into = browser();
    const { damage } = await into.archive.inspect(plain(changed), signal);
    const where = [first, second, third].map((index) => index + 1).join(', ');
    expect(damage).toEqual([
      `4 of 9 runs are damaged: lines ${where} and 1 more. This content was not written by Podium.`,
    ]);
    const restored = await restore(into, plain(changed));
    expect(restored.counts.runs).toEqual({ added: 5 });
    expect(restored.damage).toEqual(damage);
  });

  it('is reported as changed if its runs do not match their checksum, even if all are readable', async () => {
    const { lines } = await sound();
    const changed = lines.map((line) => line.replace('the answer', 'the anzwer'));
    const { damage } = await browser().archive.inspect(plain(changed), signal);
    expect(damage).toEqual(['The runs don’t match their checksum. The file was changed.']);
  });

  it('is restored up to the point where it is cut off', async () => {
    const { file, lines } = await sound();
    const into = browser();
    const cut = plain(lines.slice(0, -4));
    const { counts, damage } = await restore(into, cut);
    expect(counts.runs).toEqual({ added: 6 });
    expect(damage).toEqual([
      '3 of 9 runs are missing.',
      `The file ends or becomes unreadable after line ${lines.length - 4}.`,
    ]);
    const half = file.slice(0, Math.floor(file.size * 0.7));
    const contents = await browser().archive.inspect(half, signal);
    expect(contents.damage.at(-1)).toMatch(/^The file ends/);
    expect((await restore(browser(), half)).damage.at(-1)).toMatch(/^The file ends/);
  });

  it('is reported with separate counts of missing and damaged runs if it is cut off', async () => {
    const { lines } = await sound();
    const at = lines.findIndex((line) => line.startsWith('{"section":"runs","value"'));
    const cut = plain(lines.slice(0, -4).with(at, 'rubbish'));
    const { counts, damage } = await restore(browser(), cut);
    expect(counts.runs).toEqual({ added: 5 });
    expect(damage).toEqual([
      `1 of 9 runs is damaged: line ${at + 1}. This content was not written by Podium.`,
      '3 of 9 runs are missing.',
      `The file ends or becomes unreadable after line ${lines.length - 4}.`,
    ]);
  });

  it('is restored without a section that a later version added, and the section is reported', async () => {
    const { lines } = await sound();
    const [head = '', ...rest] = lines;
    const grown = head.replace('"sections":[', '"sections":[{"name":"dreams","lines":1},');
    const dreams = ['{"section":"dreams","value":{"a":1}}', '{"section":"dreams","end":{"lines":1,"sha256":"x"}}'];
    const { counts, damage } = await restore(browser(), plain([grown, ...dreams, ...rest]));
    expect(counts.runs).toEqual({ added: 9 });
    expect(damage).toEqual(['This version of Podium doesn’t know the section “dreams”, so it is left out.']);
  });

  it('has its readable runs restored and lost runs reported, whichever byte after the first line changes', async () => {
    const { lines } = await sound();
    const text = lines.map((line) => `${line}\n`).join('');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom('', 'x', '"', '\n', '{'), async (at, put) => {
        const place = (lines[0] ?? '').length + 1 + (at % (text.length - 500));
        const file = new Blob([text.slice(0, place), put, text.slice(place + 1)]);
        const into = browser();
        const { counts, damage } = await restore(into, file);
        const restored = counts.runs?.added ?? 0;
        expect(restored).toBe(await into.store.count());
        if (restored < 9) expect(damage).not.toEqual([]);
        for (const { id } of (await into.store.summaries({ limit: 20 })).summaries) {
          expect(foldEvents(await into.store.read(id))).not.toBeNull();
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('bytes in JSON', () => {
  it('are restored unchanged, at any depth', () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.uint8Array({ maxLength: 20 }));
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (value) => {
        expect(unpackBytes(JSON.parse(JSON.stringify(packBytes(value))))).toEqual(
          JSON.parse(JSON.stringify(value)) === undefined ? undefined : structuredClone(value),
        );
      }),
    );
  });

  it('are not read from a value that is not valid base64 text', () => {
    expect(unpackBytes({ $bytes: 'not base64!' })).toEqual({ $bytes: 'not base64!' });
    expect(unpackBytes({ $bytes: 5 })).toEqual({ $bytes: 5 });
  });
});

describe('the list of the largest runs', () => {
  it('starts with the largest run and reports its progress', async () => {
    const { store, archive } = browser();
    const [start, ...rest] = finishedRunBodies();
    const long = [runStarted({ question: { text: 'x'.repeat(5000) } }), ...rest];
    expect(start?.type).toBe('run-started');
    await store.addRuns([
      ...Array.from({ length: 60 }, (_, index) => finishedRun(`run-${index}`, 1000 + index)),
      stampEvents(long, { runId: 'long', at: 1 }),
    ]);
    const reported: [number, number][] = [];
    const largest = await archive.largestRuns(5, signal, (done, of) => reported.push([done, of]));
    expect(largest.map(({ id }) => id)[0]).toBe('long');
    expect(largest).toHaveLength(5);
    expect(largest[0]?.bytes).toBeGreaterThan(5000);
    expect(reported).toEqual([
      [50, 61],
      [61, 61],
    ]);
  });
});

describe('the grades of a restored backup', () => {
  const graded = () => [
    ...finishedRunBodies(),
    { type: 'run-graded' as const, correct: true, by: 'person' as const, detail: '' },
  ];

  it.each(['merge', 'replace'] as const)(
    'count only if the backup is the user’s own, or the user has chosen to count imported grades: mode %s',
    async (mode) => {
      const from = browser();
      await from.store.addRuns([stampEvents(graded(), { runId: 'run-0' })]);
      const file = await fileOf(from);
      const gradeAfter = async (isOwn: boolean) => {
        const into = browser();
        await restore(into, file, mode, signal, isOwn);
        const run = foldEvents(await into.store.read('run-0'));
        const summary = await into.store.summary('run-0');
        return [
          run && countedGrade(run, false)?.correct,
          run && countedGrade(run, true)?.correct,
          summary?.gradeImported,
        ];
      };
      expect(await gradeAfter(true)).toEqual([true, true, undefined]);
      expect(await gradeAfter(false)).toEqual([undefined, true, true]);
    },
  );

  it('are unaffected by the preference `importedGrades` in the file', async () => {
    const from = browser();
    await from.preferences.write({ ...DEFAULT_PREFERENCES, theme: 'dark', importedGrades: true });
    const file = await fileOf(from);
    const into = browser();
    await restore(into, file, 'replace');
    expect(await into.preferences.read()).toMatchObject({ theme: 'dark', importedGrades: false });
  });
});
