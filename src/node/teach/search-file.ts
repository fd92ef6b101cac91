/** @file The files of searches for lessons. */
import type { SearchEvent } from '../../core/lessons/search-events';
import { parseSearchEvent } from '../../core/lessons/search-schema';
import type { EventFormat } from '../store/event-file';

/** How the names of such files end. */
export const SEARCH_SUFFIX = '.podium-search.jsonl';

export const SEARCH_FORMAT: EventFormat<SearchEvent> = {
  starts: ['{"type":"search-started"'],
  parse: parseSearchEvent,
};
