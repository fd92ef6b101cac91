/** @file Finds out whether test tasks have served an earlier search. Then they are no longer unseen. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchPlan } from '../../core/lessons/search-events';
import { foldSearch } from '../../core/lessons/search-state';
import { readEventFile } from '../store/event-file';
import { SEARCH_FORMAT, SEARCH_SUFFIX } from './search-file';

/** Whether no other search in the folder was proved on any of the test tasks. */
export async function isUnseen(folder: string, { id, split }: Pick<SearchPlan, 'id' | 'split'>): Promise<boolean> {
  const own = new Set(split.test);
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SEARCH_SUFFIX)) continue;
    const other = foldSearch(await readEventFile(join(folder, name), SEARCH_FORMAT));
    if (other && other.plan.id !== id && other.proof?.tasks.some((task) => own.has(task))) return false;
  }
  return true;
}
