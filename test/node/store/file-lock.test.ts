import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lockFile, ownHolder } from '../../../src/node/store/file-lock';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-lock-'));
  path = join(folder, 'own.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MINUTE = 60_000;

/** Writes the lock file of a holder that last renewed the lock `age` ms ago. */
async function leave(holder: Partial<ReturnType<typeof ownHolder>>, age = 0): Promise<void> {
  await writeFile(path, JSON.stringify({ ...ownHolder(), id: 'left', ...holder }));
  await renewAt(Date.now() - age);
}

async function renewAt(ms: number): Promise<void> {
  await utimes(path, new Date(ms), new Date(ms));
}

/** Returns the id of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version']);
  await new Promise((resolve) => child.on('exit', resolve));
  return child.pid ?? 0;
}

const REFUSED = { fault: { code: 'run-busy' } };

it('rejects a second holder until the release, which deletes the lock file', async () => {
  const release = await lockFile(path);
  await expect(lockFile(path)).rejects.toMatchObject(REFUSED);
  await release();
  expect(await readdir(folder)).toEqual([]);
  const again = await lockFile(path);
  expect(await readdir(folder)).toEqual(['own.lock']);
  await again();
  expect(await readdir(folder)).toEqual([]);
});

it('replaces the lock of a process that has ended', async () => {
  await leave({ pid: await deadProcess() });
  await (
    await lockFile(path)
  )();
});

it('replaces the lock of an earlier process with the same process id', async () => {
  await leave({});
  await (
    await lockFile(path)
  )();
});

it('gives the lock of an ended process to only one of 20 simultaneous calls', async () => {
  const pid = await deadProcess();
  for (let round = 0; round < 20; round += 1) {
    await leave({ pid });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['own.lock']);
    for (const result of results) if (result.status === 'fulfilled') await result.value();
  }
});

it.each([
  ['another machine', { host: 'another-machine' }],
  ['a container with the same name and process number', { space: 'another space' }],
])(
  'replaces the lock of %s after 5 minutes without renewal, and earlier reports which file to delete',
  async (_, holder) => {
    await leave(holder, 4 * MINUTE);
    await expect(lockFile(path)).rejects.toMatchObject({
      fault: { message: expect.stringContaining(`delete ${path}`) },
    });
    await leave(holder, 6 * MINUTE);
    await (
      await lockFile(path)
    )();
  },
);

it('replaces an empty, perhaps half-written lock file only when it is older than 5 minutes', async () => {
  await writeFile(path, '');
  await expect(lockFile(path)).rejects.toMatchObject(REFUSED);
  await renewAt(Date.now() - 6 * MINUTE);
  await (
    await lockFile(path)
  )();
});

it('waits for the lock of another machine to expire, and names the machine meanwhile', async () => {
  await leave({ host: 'another-machine' }, 5 * MINUTE - 300);
  const notices: string[] = [];
  const release = await lockFile(path, {
    signal: new AbortController().signal,
    notify: (sentence) => void notices.push(sentence),
  });
  expect(notices).toEqual([expect.stringContaining('another-machine')]);
  await release();
});

it('stops waiting when the other machine renews its lock or the user interrupts', async () => {
  await leave({ host: 'another-machine' }, 5 * MINUTE - 300);
  const { signal } = new AbortController();
  const renewed = lockFile(path, { signal, notify: () => void renewAt(Date.now()) });
  await expect(renewed).rejects.toMatchObject(REFUSED);

  await leave({ host: 'another-machine' });
  const interrupted = new AbortController();
  const waiting = lockFile(path, { signal: interrupted.signal, notify: () => interrupted.abort() });
  await expect(waiting).rejects.toMatchObject(REFUSED);
});

it('renews a held lock, and on release keeps the lock file of another holder', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const release = await lockFile(path);
    await renewAt(0);
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(0));
    await leave({ host: hostname() });
    await release();
    expect(await readFile(path, 'utf8')).toContain('"left"');
  } finally {
    vi.useRealTimers();
  }
});
