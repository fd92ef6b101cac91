import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkReplaceable, writeWholeFile } from '../../../src/node/store/whole-file';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-whole-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const OWN = { isAnyFile: false, kind: 'an own file', matches: (content: Buffer) => content.toString() === 'own' };

it('allows to replace only missing, empty and own files, and other files if the user asks for it', async () => {
  await checkReplaceable(path, OWN);
  await writeFile(path, '');
  await checkReplaceable(path, OWN);
  await writeFile(path, 'own');
  await checkReplaceable(path, OWN);
  await writeFile(path, 'notes');
  await expect(checkReplaceable(path, OWN)).rejects.toThrow(/is not an own file.*--overwrite/);
  await checkReplaceable(path, { ...OWN, isAnyFile: true });
});

it('never allows to replace a link, a folder or a device', async () => {
  const any = { ...OWN, isAnyFile: true };
  await symlink(join(folder, 'missing'), path);
  await expect(checkReplaceable(path, any)).rejects.toThrow(/is a link/);
  await expect(checkReplaceable(folder, any)).rejects.toThrow(/is a folder/);
  await expect(checkReplaceable('/dev/null', any)).rejects.toThrow(/a device/);
});

it('writes through no link that someone else has made, and leaves no other file', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'precious');
  await symlink(victim, path);
  await symlink(victim, `${path}.part`);
  await writeWholeFile(path, 'new');
  expect(await readFile(victim, 'utf8')).toBe('precious');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await readdir(folder)).toSorted()).toEqual(['file', 'file.part', 'victim']);
});

it('removes the incomplete file if it can’t be put in place', async () => {
  await mkdir(join(path, 'below'), { recursive: true });
  await expect(writeWholeFile(path, 'new')).rejects.toThrow(/Couldn’t use the file/);
  expect(await readdir(folder)).toEqual(['file']);
});
