/**
 * @file Which test tasks the proofs in a folder have used: those of the other searches in the folder, and those that are remembered in
 * a file of their own, also after a search was deleted.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { foldSearch } from '../../core/lessons/search-state';
import { exists } from '../exists';
import { EventFile, readEventFile, type EventFormat } from '../store/event-file';
import { lockFile, type LockWait } from '../store/file-lock';
import { SEARCH_FORMAT, SEARCH_SUFFIX } from './search-file';

const USED = 'podium-teach.used-tests.jsonl';

const usedSchema = z.object({ type: z.literal('tests-used'), search: z.string(), tasks: z.array(z.string()) });

const USED_FORMAT: EventFormat<z.infer<typeof usedSchema>> = {
  starts: ['{"type":"tests-used"'],
  parse: (value) => usedSchema.safeParse(value).data ?? null,
};

/** The tasks of proofs before the proof of a search starts. @param id of this search */
export async function usedTests(folder: string, id: string): Promise<readonly (readonly string[])[]> {
  const path = join(folder, USED);
  // A remembered proof of this search belongs to a deleted file, because its own file has no proof yet.
  const remembered = (await exists(path)) ? await readEventFile(path, USED_FORMAT) : [];
  const used = remembered.map(({ tasks }): readonly string[] => tasks);
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SEARCH_SUFFIX)) continue;
    const other = foldSearch(await readEventFile(join(folder, name), SEARCH_FORMAT));
    if (other?.proof && other.plan.id !== id) used.push(other.proof.tasks);
  }
  return used;
}

/** Remembers that the proof of a search uses these tasks. Throws a `FaultError` if another process is writing the file. */
export async function rememberTests(
  folder: string,
  search: string,
  tasks: readonly string[],
  wait: LockWait,
): Promise<void> {
  const path = join(folder, USED);
  const release = await lockFile(`${path}.lock`, wait);
  try {
    const file = await EventFile.open(path, USED_FORMAT);
    try {
      const isKnown = file.events.some((each) => each.search === search && each.tasks.join('\n') === tasks.join('\n'));
      if (!isKnown) await file.append({ type: 'tests-used', search, tasks: [...tasks] });
    } finally {
      await file.close();
    }
  } finally {
    await release();
  }
}
