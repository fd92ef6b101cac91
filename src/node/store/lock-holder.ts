/** @file The process that holds a lock file, read from the file's content. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { parseJson } from '../../core/contract';

const holderSchema = z.object({
  /** Id of this lock. */
  id: z.string(),
  pid: z.int(),
  host: z.string(),
  /** The system in which process numbers are unique. Containers may have equal names and equal process numbers. */
  space: z.string(),
});

export type Holder = z.infer<typeof holderSchema>;

/** The ids of the locks of this process. */
const own = new Set<string>();

/** This process, as the holder of a new lock. */
export function ownHolder(): Holder {
  const id = randomUUID();
  own.add(id);
  return { id, pid: process.pid, host: hostname(), space: processSpace() };
}

/** Returns `null` if the file is damaged. Throws if it can't be read. */
export async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8');
  const parsed = z.safeParse(holderSchema, parseJson(text));
  return parsed.success ? parsed.data : null;
}

/** Whether the process still runs. `null`: unknown, because it was started elsewhere. */
export function stillRuns({ id, pid, host, space }: Holder): boolean | null {
  if (host !== hostname() || space !== processSpace()) return null;
  // If the id is unknown here, an earlier process with the same number held the lock.
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

/** The start of the system and the namespace of process numbers on Linux. Empty elsewhere. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
