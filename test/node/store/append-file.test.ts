import { execFileSync } from 'node:child_process';
import { appendFile, link, mkdtemp, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppendFile } from '../../../src/node/store/append-file';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'podium-append-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The shared prototype of all file handles. Tests replace its methods to simulate a disk that fails. */
async function handles(): Promise<Awaited<ReturnType<typeof open>>> {
  const handle = await open(join(folder, 'any'), 'w');
  await handle.close();
  const shared: unknown = Object.getPrototypeOf(handle);
  return shared as typeof handle;
}
afterEach(() => void vi.restoreAllMocks());

/** Makes each call read or write only half of the requested bytes. */
function halve(shared: Awaited<ReturnType<typeof handles>>, name: 'read' | 'write'): void {
  const all: unknown = Reflect.get(shared, name);
  if (typeof all !== 'function') throw new Error(`A file handle has no ${name}.`);
  const half = function (this: unknown, ...given: unknown[]): unknown {
    const [buffer, offset, length, position] = given;
    return Reflect.apply(all, this, [buffer, offset, Math.ceil(Number(length) / 2), position]) as unknown;
  };
  vi.spyOn(shared, name).mockImplementation(half as never);
}

async function texts(file: AppendFile): Promise<string[]> {
  const found: string[] = [];
  for await (const { text } of file.lines()) found.push(text);
  return found;
}

/** Accepts every file. */
const ANY = [''];

describe('a file of lines', () => {
  test('in UTF-16 is refused with its encoding, and not changed', async () => {
    const path = join(folder, 'file.jsonl');
    const bytes = Buffer.from('\ufeff{"events":[]}\r\n', 'utf16le');
    await writeFile(path, bytes);
    const fault = { message: `${path} has the encoding UTF-16. Save it as UTF-8, then try again.` };
    await expect(AppendFile.open(path, ANY)).rejects.toMatchObject({ fault });
    await expect(AppendFile.openToRead(path)).rejects.toMatchObject({ fault });
    expect(await readFile(path)).toEqual(bytes);
  });

  test('is created with its parent folder, and only the owner can read and write the file', async () => {
    const path = join(folder, 'deep', 'file.jsonl');
    const file = await AppendFile.open(path, ANY);
    await file.append(['one'], true);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('one\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('reads all lines in order, and each line by its position', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\n\p{Cs}]/u.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (groups) => {
        const file = await AppendFile.open(join(folder, crypto.randomUUID()), ANY);
        const positions = [];
        for (const group of groups) positions.push(...(await file.append(group, false)));
        expect(await texts(file)).toEqual(groups.flat());
        expect(await Promise.all(positions.map((position) => file.read(position)))).toEqual(groups.flat());
        await file.close();
      }),
      { numRuns: 50 },
    );
  });

  test('reads lines that are longer than a block', async () => {
    const long = 'é'.repeat(1_500_000);
    const file = await AppendFile.open(join(folder, 'long'), ANY);
    await file.append(['short', long, 'end'], true);
    expect(await texts(file)).toEqual(['short', long, 'end']);
    await file.close();
  });

  test.each([
    ['an incomplete last line', 'one\ntwo\nthr', 'one\ntwo\n'],
    ['only an incomplete line', 'on', ''],
    ['an incomplete line longer than a block', `one\n${'x'.repeat(2_500_000)}`, 'one\n'],
    ['no incomplete line', 'one\n', 'one\n'],
    ['no line', '', ''],
  ])('keeps complete lines and continues after them when opened with %s', async (_name, before, kept) => {
    const path = join(folder, 'file');
    await writeFile(path, before);
    const file = await AppendFile.open(path, ANY);
    await file.append(['next'], true);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe(`${kept}next\n`);
  });

  test('ignores lines that another process added after the file was opened', async () => {
    const path = join(folder, 'file');
    const file = await AppendFile.open(path, ANY);
    await file.append(['one'], true);
    await appendFile(path, 'two\n');
    expect(await texts(file)).toEqual(['one']);
    await file.close();
  });

  test('removes a line that could not be stored, and then stores the next line', async () => {
    const path = join(folder, 'file');
    const file = await AppendFile.open(path, ANY);
    await file.append(['one'], true);
    const shared = await handles();
    vi.spyOn(shared, 'datasync').mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(file.append(['two'], true)).rejects.toMatchObject({ fault: { code: 'storage-full' } });
    await file.append(['three'], true);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('one\nthree\n');
  });

  test('rejects further lines if a line can be neither stored nor removed', async () => {
    const path = join(folder, 'file');
    const file = await AppendFile.open(path, ANY);
    await file.append(['one'], true);
    const shared = await handles();
    vi.spyOn(shared, 'datasync').mockRejectedValueOnce(new Error('broken'));
    vi.spyOn(shared, 'truncate').mockRejectedValueOnce(new Error('broken'));
    await expect(file.append(['two'], true)).rejects.toMatchObject({ fault: { code: 'storage-failed' } });
    const before = await readFile(path);
    await expect(file.append(['three'], true)).rejects.toThrow('could not be removed');
    expect(await readFile(path)).toEqual(before);
    await file.close();
  });

  test('writes and reads whole lines, even if each system call handles only a part', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'zero\ntorn');
    const shared = await handles();
    halve(shared, 'read');
    halve(shared, 'write');
    const file = await AppendFile.open(path, ANY);
    const positions = await file.append(['a long line', 'and another one'], true);
    expect(await Promise.all(positions.map((position) => file.read(position)))).toEqual([
      'a long line',
      'and another one',
    ]);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('zero\na long line\nand another one\n');
  });

  test('names the file in the error if the file cannot be opened', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(AppendFile.open(join(folder, 'file', 'below'), ANY)).rejects.toThrow(/Couldn’t use the file .*below/);
  });
});

describe('a file that the user names', () => {
  test.each(['a note\nwithout a newline at its end', '{"name":"a package"}', '\0\0'])(
    'is refused and stays unchanged if it contains %j',
    async (content) => {
      const path = join(folder, 'file');
      await writeFile(path, content);
      await expect(AppendFile.open(path, ['{"events":'])).rejects.toThrow(/file of another kind/);
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );

  test('is opened if it has only a part of a first line', async () => {
    const path = join(folder, 'file');
    for (const content of ['{"ev', '{"events":[{"run']) {
      await writeFile(path, content);
      await (await AppendFile.open(path, ['{"events":'])).close();
      expect(await readFile(path, 'utf8')).toBe('');
    }
  });

  test('is refused if it is a link, a folder or a pipe, or has a second name', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '{"events":[]}\n');
    await symlink(path, join(folder, 'link'));
    await expect(AppendFile.open(join(folder, 'link'), ANY)).rejects.toThrow(/is a link/);
    await expect(AppendFile.open(folder, ANY)).rejects.toThrow(/folder/);
    await expect(AppendFile.openToRead(folder)).rejects.toThrow(/folder/);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(AppendFile.open(join(folder, 'pipe'), ANY)).rejects.toThrow(/a pipe/);
    await expect(AppendFile.openToRead(join(folder, 'pipe'))).rejects.toThrow(/a pipe/);
    await link(path, join(folder, 'other'));
    await expect(AppendFile.open(path, ANY)).rejects.toThrow(/second name/);
  });
});
