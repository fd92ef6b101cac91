/** @file Describes the process that holds a lock file. The lock file contains this description as JSON. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { parseJson } from '../../core/contract';

const holderSchema = z.object({
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  /** The result of `processSpace`. It distinguishes containers that have the same host name. */
  space: z.string(),
});

export type Holder = z.infer<typeof holderSchema>;

/** The ids of the locks that this process created. */
const own = new Set<string>();

/** Describes this process for a new lock file. */
export function ownHolder(): Holder {
  const id = randomUUID();
  own.add(id);
  return { id, pid: process.pid, host: hostname(), space: processSpace() };
}

/** Returns `null` if the lock file is damaged. Throws if it can't be read. */
export async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8');
  const parsed = z.safeParse(holderSchema, parseJson(text));
  return parsed.success ? parsed.data : null;
}

/** Whether the process still runs. `null`: unknown, because the lock is from another machine, container or boot. */
export function stillRuns({ id, pid, host, space }: Holder): boolean | null {
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
