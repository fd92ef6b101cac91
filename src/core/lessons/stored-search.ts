/**
 * @file Searches as the page stores them: the events with their stamps, and in the first event everything that the runs of the search
 * depend on, so that another tab can continue the search.
 */
import * as z from 'zod/mini';
import type { Method, PoolWorker } from '../contract';
import type { LogStamp } from '../contract/storage/event-logs';
import { poolWorker } from '../contract/storage/schema-parts';
import { settingsShape } from '../contract/storage/settings-shape';
import type { SearchEvent } from './search-events';
import { parseSearchEvent } from './search-schema';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

/** What the runs of a search depend on, apart from its plan. */
export interface SearchSetup {
  /** The Conductor that learns, its pool, and the settings of its runs. */
  readonly settings: Method['settings'];
  /** The worker that reflects. */
  readonly reflector: PoolWorker;
  /** Whether the reflecting model may read right answers. */
  readonly showsReference: boolean;
  /** Number of runs at a time. */
  readonly concurrency: number;
  readonly dataset: SearchDataset;
}

export interface SearchDataset {
  readonly id: string;
  readonly name: string;
  readonly isConfidential: boolean;
}

export type StoredSearchEvent = LogStamp & SearchEvent & { readonly setup?: SearchSetup };

/** What remains of a deleted search: the tasks of its proof, which are no longer unseen. */
export interface UsedTests extends LogStamp {
  readonly type: 'tests-used';
  /** Id of the dataset. */
  readonly dataset: string;
  /** Ids of the tasks. */
  readonly tasks: readonly string[];
}

/** A record of the log of searches. */
export type SearchRecord = StoredSearchEvent | UsedTests;

const setupSchema: z.ZodMiniType<SearchSetup> = z.object({
  settings: z.looseObject(settingsShape),
  reflector: poolWorker,
  showsReference: z.boolean(),
  concurrency: z.int().check(z.gte(1), z.lte(64)),
  dataset: z.object({ id: z.string(), name: z.string(), isConfidential: z.boolean() }),
});

const stampSchema = z.object({
  id: z.string(),
  seq: z.int().check(z.nonnegative()),
  at: z.number(),
  setup: z.exactOptional(setupSchema),
});

const usedSchema = z.object({
  id: z.string(),
  seq: z.int().check(z.nonnegative()),
  at: z.number(),
  type: z.literal('tests-used'),
  dataset: z.string(),
  tasks: z.array(z.string()),
});

/** Reads a stored record. `null`: the value is damaged, or a later version of Podium wrote it. */
export function parseSearchRecord(value: unknown): SearchRecord | null {
  const used = usedSchema.safeParse(value).data;
  if (used) return used;
  const stamp = stampSchema.safeParse(value).data;
  const event = parseSearchEvent(value);
  return stamp && event ? { ...stamp, ...event } : null;
}
