/** @file Reads the other searches in a folder. Their proofs may have used the same test tasks. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldSearch } from '../../core/lessons/search-state';
import { readEventFile } from '../store/event-file';
import { SEARCH_FORMAT, SEARCH_SUFFIX } from './search-file';

/** The tasks of the proofs of other searches. @param id of the search that is left out */
export async function usedTests(folder: string, id: string): Promise<readonly (readonly string[])[]> {
  const used: (readonly string[])[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SEARCH_SUFFIX)) continue;
    const other = foldSearch(await readEventFile(join(folder, name), SEARCH_FORMAT));
    if (other?.proof && other.plan.id !== id) used.push(other.proof.tasks);
  }
  return used;
}
