/** @file Reads the other searches in a folder. Their proofs may have used the same test tasks. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldSearch, type SearchState } from '../../core/lessons/search-state';
import { readEventFile } from '../store/event-file';
import { SEARCH_FORMAT, SEARCH_SUFFIX } from './search-file';

/** @param id of the search that is left out */
export async function otherSearches(folder: string, id: string): Promise<SearchState[]> {
  const others: SearchState[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SEARCH_SUFFIX)) continue;
    const other = foldSearch(await readEventFile(join(folder, name), SEARCH_FORMAT));
    if (other && other.plan.id !== id) others.push(other);
  }
  return others;
}
