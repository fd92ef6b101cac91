import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelManifest } from '../../../src/core/contract';
import { createPickedFolders } from '../../../src/platform/engine/picked-folders';
import { createFolderHandles } from '../../../src/platform/store/folders';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { testDatabase, uniqueName } from './harness';

/** A real folder, in the browser's own file system: its handle is what the picker gives. */
async function realFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  const name = uniqueName();
  const folder = await root.getDirectoryHandle(name, { create: true });
  const file = await folder.getFileHandle('config.json', { create: true });
  const writer = await file.createWritable();
  await writer.write('{}');
  await writer.close();
  onTestFinished(() => root.removeEntry(name, { recursive: true }).catch(() => undefined));
  return folder;
}

/** A handle for which the browser asks; it cannot be made to ask in a test. */
function asking(folder: FileSystemDirectoryHandle, answer: PermissionState): FileSystemDirectoryHandle {
  let permission: PermissionState = 'prompt';
  return Object.defineProperties(folder, {
    queryPermission: { value: () => Promise.resolve(permission) },
    requestPermission: { value: () => Promise.resolve((permission = answer)) },
  });
}

const inFolder = (name: string): ModelManifest => ({
  id: 'own:1',
  label: 'Mine',
  engine: 'transformers',
  source: { kind: 'folder', name },
  download: null,
  memory: null,
  context: 4096,
  licence: null,
  why: 'Yours.',
  needs: [],
  prompt: null,
  showWorkers: 'number',
});
const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

describe('a picked folder', () => {
  it('is remembered from visit to visit', async () => {
    const database = testDatabase();
    const folder = await realFolder();
    const first = createPickedFolders(createFolderHandles(database), {
      showDirectoryPicker: () => Promise.resolve(folder),
    });
    expect(await first.access(folder.name)).toBe('gone');
    expect(await first.pick()).toBe(folder.name);
    expect(await first.access(folder.name)).toBe('open');

    const later = createPickedFolders(createFolderHandles(database));
    expect(await later.access(folder.name)).toBe('open');
    expect(pathsOf(await later.filesOf(inFolder(folder.name)))).toEqual(['config.json']);
  });

  it('is read after a reload once the browser has asked, and not before', async () => {
    const folder = asking(await realFolder(), 'granted');
    const folders = createPickedFolders({ get: () => Promise.resolve(folder), put: () => Promise.resolve() });
    expect(await folders.access(folder.name)).toBe('asks');
    expect(await folders.filesOf(inFolder(folder.name))).toEqual([]);
    expect(await folders.reopen(folder.name)).toBe(true);
    expect(pathsOf(await folders.filesOf(inFolder(folder.name)))).toEqual(['config.json']);
  });

  it('that the user does not open has to be picked anew', async () => {
    const folder = asking(await realFolder(), 'denied');
    const folders = createPickedFolders({ get: () => Promise.resolve(folder), put: () => Promise.resolve() });
    expect(await folders.reopen(folder.name)).toBe(false);
    expect(await folders.access(folder.name)).toBe('gone');
  });

  it('that was deleted since gives no files and has to be picked anew', async () => {
    const folder = await realFolder();
    const handles = { get: () => Promise.resolve(null), put: () => Promise.resolve() };
    const folders = createPickedFolders(handles, { showDirectoryPicker: () => Promise.resolve(folder) });
    await folders.pick();
    await (await navigator.storage.getDirectory()).removeEntry(folder.name, { recursive: true });
    expect(await folders.filesOf(inFolder(folder.name))).toEqual([]);
    expect(await folders.access(folder.name)).toBe('gone');
  });

  it('works for the visit where nothing can be kept', async () => {
    const folder = await realFolder();
    const refuses = () => Promise.reject(new Error('no storage'));
    const folders = createPickedFolders(
      { get: refuses, put: refuses },
      { showDirectoryPicker: () => Promise.resolve(folder) },
    );
    expect(await folders.access(folder.name)).toBe('gone');
    expect(await folders.pick()).toBe(folder.name);
    expect(pathsOf(await folders.filesOf(inFolder(folder.name)))).toEqual(['config.json']);
  });
});

it('folders find room in a database that was made before them', async () => {
  const before = testDatabase({ migrations: MIGRATIONS.slice(0, 3) });
  const preferences = createPreferencesStore(before);
  await preferences.write({ ...(await preferences.read()), theme: 'dark' });
  before.close();
  const now = testDatabase({ name: before.name });
  const folder = await realFolder();
  await createFolderHandles(now).put(folder);
  expect(await (await createFolderHandles(now).get(folder.name))?.isSameEntry(folder)).toBe(true);
  expect((await createPreferencesStore(now).read()).theme).toBe('dark');
});

it('what is no folder is not taken for one', async () => {
  const database = testDatabase();
  await database.transact(['folders'], 'readwrite', (transaction) =>
    transaction.objectStore('folders').put({ kind: 'directory', name: 'ghost' }, 'ghost'),
  );
  expect(await createFolderHandles(database).get('ghost')).toBeNull();
});
