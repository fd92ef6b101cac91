/** @file Stores a search for lessons as JSON lines, one event a line. An event is on disk before the search goes on. */
import { parseJson } from '../../core/contract';
import type { SearchEvent } from '../../core/lessons/search-events';
import { parseSearchEvent } from '../../core/lessons/search-schema';
import { AppendFile, readCompleteLines } from '../store/append-file';
import { UsageError } from '../exit-codes';

/** How the names of such files end. */
export const SEARCH_SUFFIX = '.podium-search.jsonl';
/** How the lines of such a file start. */
const STARTS = ['{"type":"search-started"'];

export class SearchFile {
  readonly events: readonly SearchEvent[];
  readonly #file: AppendFile;

  private constructor(file: AppendFile, events: readonly SearchEvent[]) {
    this.#file = file;
    this.events = events;
  }

  /** Throws a `FaultError` or `UsageError` if the file can't be used. A partial last line is removed. */
  static async open(path: string): Promise<SearchFile> {
    const file = await AppendFile.open(path, STARTS);
    try {
      const events: SearchEvent[] = [];
      for await (const { text } of file.lines()) events.push(eventOf(text, path));
      return new SearchFile(file, events);
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  async append(event: SearchEvent): Promise<void> {
    await this.#file.append([JSON.stringify(event)], true);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The events of a search that another process may continue. */
export async function readSearchFile(path: string): Promise<readonly SearchEvent[]> {
  const events: SearchEvent[] = [];
  for await (const text of readCompleteLines(path)) events.push(eventOf(text, path));
  return events;
}

/** A missing event would change the search, so a damaged line can't be left out. */
function eventOf(text: string, path: string): SearchEvent {
  const event = parseSearchEvent(parseJson(text));
  if (event) return event;
  throw new UsageError(`${path} has a damaged line. Start a new search with another --out.`);
}
