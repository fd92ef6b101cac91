/**
 * @file Locks files with a lock file, so that no two processes write them at the same time. The holder (the
 * process that has the lock) renews the lock regularly. If the holder has ended, another process on the same
 * machine replaces the lock immediately. A process on another machine or in another container can't check
 * whether the holder still runs. It replaces the lock if the lock was not renewed for five minutes.
 */
import { constants, copyFile, link, mkdir, rm, stat, utimes, writeFile, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fault, FaultError, parseJson } from '../../core/contract';
import { hasCode, storageFault } from './storage-fault';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';

/** A lock of another machine counts as stale when it has not been renewed for this time, in ms. */
const STALE = 5 * 60_000;
/** Time between two renewals, in ms. */
const RENEWAL = 30_000;
/** Time between two checks of the lock of another machine, in ms. */
const LOOK = 5000;
/** Time in ms after which a process that replaces a lock counts as ended. Replacing a lock takes only a few ms. */
const GUARD_STALE = 10_000;
/** Time between two attempts while another process replaces the lock, in ms. */
const GUARD_LOOK = 20;
/** A lock that is dated this long after now, in ms, shows that a clock is wrong. Clocks of one network differ by less. */
const AHEAD = 60_000;
/** Maximum number of attempts to get the lock. With pauses of `GUARD_LOOK`, they take longer than `GUARD_STALE`. */
const MOST_ATTEMPTS = 1000;

/** How to wait for a lock of another machine, which may be stale. */
export interface LockWait {
  readonly signal: AbortSignal;
  /** Receives a sentence about the wait before it starts. */
  readonly notify: (sentence: string) => void;
}

type Finding = 'gone' | { readonly age: number; readonly renewedAt: number; readonly holder: Holder | null };

/**
 * Acquires the lock. Throws a `FaultError` (`run-busy`) if another process has it.
 * @param wait how to wait until a lock of another machine counts as stale. If that lock is renewed or the signal aborts, the
 *   function stops waiting and throws. Absent: the function throws without waiting
 * @returns a function that releases the lock
 */
export async function lockFile(path: string, wait?: LockWait): Promise<() => Promise<void>> {
  const key = resolve(path);
  const own = ownHolder();
  const complete = `${key}.${own.id}`;
  try {
    await mkdir(dirname(key), { recursive: true });
    // The lock is a hard link to this complete file, so no process can read a partly written lock.
    await writeFile(complete, `${JSON.stringify(own)}\n`, { flag: 'wx' });
    await acquire(key, complete, wait);
  } catch (thrown) {
    throw storageFault(key, thrown);
  } finally {
    await rm(complete, { force: true }).catch(() => undefined);
  }
  return keep(key, own);
}

async function acquire(key: string, complete: string, wait: LockWait | undefined): Promise<void> {
  /** The last renewal of the lock, as found before the first wait. `null`: this process has not waited yet. */
  let awaitedRenewal: number | null = null;
  /** When this process began to wait. */
  let waitingSince = 0;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (await linked(complete, key)) return;
    const found = await look(key);
    if (found === 'gone') continue;
    const { age: shown, renewedAt, holder } = found;
    const isRunning = holder && stillRuns(holder);
    if (isRunning === true) {
      throw busy(
        `Process ${holder?.pid} already uses these files. Wait until it has ended. If that process is not Podium, delete ${key}.`,
      );
    }
    // If the lock is dated in the future, its age is unknown. The time that this process has waited for it is a part of its age.
    const age = awaitedRenewal === null ? shown : Math.max(shown, performance.now() - waitingSince);
    if (isRunning === null && age < STALE) {
      const host = holder?.host ?? 'another machine';
      const isAhead = shown < -AHEAD;
      const advice = isAhead
        ? `The lock is dated in the future, so the clock of this machine or of ${host} is wrong. If that process has ended, delete ${key}.`
        : `If that process has ended, delete ${key}, or try again in five minutes.`;
      const message = `A process on ${host} uses these files, or left its lock behind. ${advice}`;
      if (!wait || wait.signal.aborted || (awaitedRenewal ?? renewedAt) !== renewedAt) throw busy(message);
      if (awaitedRenewal === null) {
        waitingSince = performance.now();
        wait.notify(
          `Waiting up to five minutes for a process on ${host}, which may have left its lock behind. If that process has ended, delete ${key}.`,
        );
      }
      awaitedRenewal = renewedAt;
      await sleep(Math.min(LOOK, STALE - Math.max(0, age)), wait.signal);
      continue;
    }
    await remove(key, holder);
  }
  throw busy(`Another process has just locked ${key}. Wait until it has ended, then run the command again.`);
}

/** Tries to create the lock file. @returns whether the lock was free */
async function linked(complete: string, key: string): Promise<boolean> {
  try {
    await link(complete, key).catch((thrown: unknown) => {
      if (!hasCode(thrown, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw thrown;
      // The file system has no hard links, so the file is copied. A process that reads an incomplete copy treats it as the lock
      // of another machine.
      return copyFile(complete, key, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    throw thrown;
  }
}

async function look(key: string): Promise<Finding> {
  try {
    // If the lock is replaced between these two reads, the age is that of the new lock. So a new lock never counts as stale.
    const holder = await readHolder(key);
    const { mtimeMs } = await stat(key);
    return { age: Date.now() - mtimeMs, renewedAt: mtimeMs, holder };
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return 'gone';
    throw thrown;
  }
}

/**
 * Removes a stale lock. Only the process that creates the file `.replacing` may remove the lock. It first
 * reads the lock again, because another process may have just replaced the stale lock.
 */
async function remove(key: string, left: Holder | null): Promise<void> {
  const guard = `${key}.replacing`;
  try {
    await writeFile(guard, '', { flag: 'wx' });
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
    await waitForGuard(guard);
    return;
  }
  try {
    const holder = await readHolder(key);
    if (holder?.id === left?.id) await rm(key, { force: true });
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw thrown;
  } finally {
    await rm(guard, { force: true });
  }
}

/**
 * Waits a moment for the process that replaces the lock. If that process has ended without removing its `.replacing` file,
 * removes the file.
 */
async function waitForGuard(guard: string): Promise<void> {
  const made = await stat(guard).catch(() => null);
  if (made && Date.now() - made.mtimeMs > GUARD_STALE) await rm(guard, { force: true });
  else await new Promise((done) => setTimeout(done, GUARD_LOOK));
}

/** Renews the lock until it is released. @returns a function that releases the lock */
function keep(key: string, own: Holder): () => Promise<void> {
  const isOwn = async () => (await readHolder(key).catch(() => null))?.id === own.id;
  const renew = async () => {
    const now = new Date();
    if (await isOwn()) await utimes(key, now, now);
  };
  // If a renewal fails, the next renewal makes up for it.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEWAL);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if (await isOwn()) await rm(key, { force: true });
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

function busy(message: string): FaultError {
  return new FaultError(fault('run-busy', message));
}

/** Describes the process that holds a lock file. The lock file contains this description as JSON. */
const holderSchema = z.object({
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  /** The result of `processSpace`. It distinguishes containers that have the same host name. */
  space: z.string(),
});

type Holder = z.infer<typeof holderSchema>;

/** The ids of the locks that this process created. */
const own = new Set<string>();

/** Describes this process for a new lock file. */
export function ownHolder(): Holder {
  const id = randomUUID();
  own.add(id);
  return { id, pid: process.pid, host: hostname(), space: processSpace() };
}

/** Returns `null` if the lock file is damaged. Throws if it can't be read. */
async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8');
  return z.safeParse(holderSchema, parseJson(text)).data ?? null;
}

/** Whether the process still runs. `null`: unknown, because the lock is from another machine, container or boot. */
function stillRuns({ id, pid, host, space }: Holder): boolean | null {
  if (host !== hostname() || space !== processSpace()) return null;
  // If this process did not create the lock, an earlier process with the same process number did. That process has ended.
  if (pid === process.pid) return own.has(id);
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // `EPERM`: the process runs, but belongs to another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** The ids of the current boot and of the PID namespace, in which process numbers are unique. Empty outside Linux. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
