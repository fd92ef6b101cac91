import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelManifest } from '../../../src/core/contract';
import { createPickedFolders } from '../../../src/platform/engine/picked-folders';
import { createFolderHandles } from '../../../src/platform/store/folders';
import { MIGRATIONS } from '../../../src/platform/store/migrations';
import { createPreferencesStore } from '../../../src/platform/store/preferences';
import { testDatabase, uniqueName } from './harness';

/** A real folder in the browser's own file system. Its handle has the same type as a handle from the picker. */
async function realFolder(name = uniqueName(), holds = 'config.json'): Promise<FileSystemDirectoryHandle> {
  const top = await navigator.storage.getDirectory();
  const place = uniqueName();
  const root = await top.getDirectoryHandle(place, { create: true });
  const folder = await root.getDirectoryHandle(name, { create: true });
  const file = await folder.getFileHandle(holds, { create: true });
  const writer = await file.createWritable();
  await writer.write('{}');
  await writer.close();
  onTestFinished(() => top.removeEntry(place, { recursive: true }).catch(() => undefined));
  return folder;
}

/** Makes the handle prompt for permission, and simulates the user's answer. A test can't trigger the real prompt. */
function asking(folder: FileSystemDirectoryHandle, answer: PermissionState): FileSystemDirectoryHandle {
  let permission: PermissionState = 'prompt';
  return Object.defineProperties(folder, {
    queryPermission: { value: () => Promise.resolve(permission) },
    requestPermission: { value: () => Promise.resolve((permission = answer)) },
  });
}

const inFolder = (name: string, id = 'own:1'): ModelManifest => ({
  id,
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

/** Storage that always returns `folder`. It ignores each `put` and `delete`. */
const forgetful = (folder: FileSystemDirectoryHandle | null = null) => ({
  get: () => Promise.resolve(folder),
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
});
/** A picker that returns these folders, one after the other. */
const giving = (...folders: readonly FileSystemDirectoryHandle[]) => {
  const left = [...folders];
  return {
    showDirectoryPicker: () => {
      const next = left.shift();
      return next ? Promise.resolve(next) : Promise.reject(new DOMException('closed', 'AbortError'));
    },
  };
};

describe('a picked folder', () => {
  it('is available on the next visit', async () => {
    const database = testDatabase();
    const folder = await realFolder();
    const model = inFolder(folder.name);
    const first = createPickedFolders(createFolderHandles(database), giving(folder));
    expect(await first.access(model)).toBe('gone');
    const picked = await first.pick();
    expect(picked?.name).toBe(folder.name);
    expect(await first.access(model), 'the folder is not assigned to a model yet').toBe('gone');
    await picked?.keepFor(model.id);
    expect(await first.access(model)).toBe('open');
    expect(await first.pick()).toBeNull();

    const later = createPickedFolders(createFolderHandles(database));
    expect(await later.access(model)).toBe('open');
    expect(pathsOf(await later.filesOf(model))).toEqual(['config.json']);
    await later.forget(model.id);
    expect(await later.access(model)).toBe('gone');
    expect(await createPickedFolders(createFolderHandles(database)).access(model)).toBe('gone');
  });

  it('is distinguished from another folder of the same name, and can be replaced by another folder later', async () => {
    const database = testDatabase();
    const [one, other, moved] = [
      await realFolder('weights', 'one.json'),
      await realFolder('weights', 'other.json'),
      await realFolder('weights-2', 'moved.json'),
    ];
    const first = createPickedFolders(createFolderHandles(database), giving(one, other, moved));
    await (await first.pick())?.keepFor('own:1');
    await (await first.pick())?.keepFor('own:2');
    const holds = async (folders: ReturnType<typeof createPickedFolders>, name = 'weights') => [
      ...pathsOf(await folders.filesOf(inFolder(name, 'own:1'))),
      ...pathsOf(await folders.filesOf(inFolder('weights', 'own:2'))),
    ];
    expect(await holds(first)).toEqual(['one.json', 'other.json']);
    const later = createPickedFolders(createFolderHandles(database), giving(moved));
    expect(await holds(later)).toEqual(['one.json', 'other.json']);
    await (await later.pick())?.keepFor('own:1');
    expect(await holds(later, 'weights-2')).toEqual(['moved.json', 'other.json']);
    expect(await holds(createPickedFolders(createFolderHandles(database)), 'weights-2')).toEqual([
      'moved.json',
      'other.json',
    ]);
  });

  it('stored by an older version is found by its name, until the model gets another folder', async () => {
    const database = testDatabase();
    const [old, anew] = [await realFolder('weights', 'old.json'), await realFolder('weights', 'anew.json')];
    await database.transact(['folders'], 'readwrite', (transaction) =>
      transaction.objectStore('folders').put(old, old.name),
    );
    const folders = createPickedFolders(createFolderHandles(database), giving(anew));
    expect(await folders.access(inFolder('weights'))).toBe('open');
    expect(pathsOf(await folders.filesOf(inFolder('weights')))).toEqual(['old.json']);
    await (await folders.pick())?.keepFor('own:1');
    const later = createPickedFolders(createFolderHandles(database));
    expect(pathsOf(await later.filesOf(inFolder('weights')))).toEqual(['anew.json']);
    expect(pathsOf(await later.filesOf(inFolder('weights', 'own:2')))).toEqual(['old.json']);
  });

  it('is read after a reload only once the user has granted permission', async () => {
    const folder = asking(await realFolder(), 'granted');
    const model = inFolder(folder.name);
    const folders = createPickedFolders(forgetful(folder));
    expect(await folders.access(model)).toBe('asks');
    expect(await folders.filesOf(model)).toEqual([]);
    expect(await folders.reopen(model)).toBe(true);
    expect(pathsOf(await folders.filesOf(model))).toEqual(['config.json']);
  });

  it('has to be picked again if the user denies permission', async () => {
    const folder = asking(await realFolder(), 'denied');
    const model = inFolder(folder.name);
    const folders = createPickedFolders(forgetful(folder));
    expect(await folders.reopen(model)).toBe(false);
    expect(await folders.access(model)).toBe('gone');
  });

  it('has no files and has to be picked again if it was deleted', async () => {
    const name = uniqueName();
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(name, { create: true });
    const model = inFolder(name);
    const anew = await realFolder();
    const folders = createPickedFolders(createFolderHandles(testDatabase()), giving(folder, anew));
    await (await folders.pick())?.keepFor(model.id);
    expect(await folders.access(model)).toBe('open');
    await root.removeEntry(name, { recursive: true });
    expect(await folders.filesOf(model)).toEqual([]);
    expect(await folders.access(model)).toBe('gone');
    expect(await folders.reopen(model)).toBe(false);
    await (await folders.pick())?.keepFor(model.id);
    const moved = inFolder(anew.name);
    expect(await folders.access(moved)).toBe('open');
    expect(pathsOf(await folders.filesOf(moved))).toEqual(['config.json']);
  });

  it('can be used until the next reload, and can be forgotten, even if storage fails', async () => {
    const folder = await realFolder();
    const model = inFolder(folder.name);
    const refuses = () => Promise.reject(new Error('no storage'));
    const folders = createPickedFolders({ get: refuses, put: refuses, delete: refuses }, giving(folder));
    expect(await folders.access(model)).toBe('gone');
    await (await folders.pick())?.keepFor(model.id);
    expect(pathsOf(await folders.filesOf(model))).toEqual(['config.json']);
    // Storage kept no folder, so none is available after a reload.
    const reloaded = createPickedFolders({ get: refuses, put: refuses, delete: refuses }, giving(folder));
    expect(await reloaded.access(model)).toBe('gone');
    await folders.forget(model.id);
    expect(await folders.access(model)).toBe('gone');
  });
});

it('a migration adds the store of folders, and keeps the preferences', async () => {
  const before = testDatabase({ migrations: MIGRATIONS.slice(0, 3) });
  const preferences = createPreferencesStore(before);
  await preferences.write({ ...(await preferences.read()), theme: 'dark' });
  before.close();
  const now = testDatabase({ name: before.name });
  const folder = await realFolder();
  await createFolderHandles(now).put('own:1', folder);
  expect(await (await createFolderHandles(now).get('own:1', folder.name))?.isSameEntry(folder)).toBe(true);
  expect((await createPreferencesStore(now).read()).theme).toBe('dark');
});

it('a record that is not a folder is ignored', async () => {
  const database = testDatabase();
  await database.transact(['folders'], 'readwrite', (transaction) =>
    transaction.objectStore('folders').put({ kind: 'directory', name: 'ghost' }, 'ghost'),
  );
  expect(await createFolderHandles(database).get('own:1', 'ghost')).toBeNull();
});
