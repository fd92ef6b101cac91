/**
 * @file Computes which records to write when events are added to a run, and the state of the run afterwards. All functions are
 * pure, so the old state stays valid if the write fails.
 */
import {
  applyEvents,
  isDelta,
  traitsOf,
  summarize,
  type Run,
  type RunSummary,
  type StoredEvent,
} from '../../core/contract';
import type { Chunk } from './read-run';
import { attemptEndedBy, attemptOfText, shrinkAttempts, extractTexts } from './stored-events';

/** Maximum number of events in one record. */
const FULL_CHUNK = 64;
/** If the newest record has fewer events than this, the next events are added to that record. This avoids tiny records. */
const LONG_CHUNK = 20;

export interface OpenRun {
  /** The run, computed from all events except deltas. Deltas don't affect summaries. */
  readonly run: Run;
  readonly lastSeq: number;
  /**
   * The newest record, if the next events will be added to that record. `null` if the record is long enough or contains a large
   * event, or if the run was read from disk.
   */
  readonly tail: Chunk | null;
  /**
   * For each unfinished attempt, the records that contain its text. The key is the name of the attempt. The
   * value contains the `first` of each record.
   */
  readonly texts: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The changes on disk, and the state after them. */
export interface RunChange {
  readonly open: OpenRun;
  readonly chunks: readonly Chunk[];
  /**
   * The records on disk that contain deltas of attempts that have now ended. The key is the `first` of the
   * record. The value contains the names of these attempts. The text of their deltas is removed, because the
   * event that ends an attempt contains the whole text.
   */
  readonly shrink: ReadonlyMap<number, ReadonlySet<string>>;
  /** Shared texts by hash. Texts of files are not among them, because they are deleted with their runs (see `images.ts`). */
  readonly blobs: ReadonlyMap<string, string>;
  /** The new summary. `null` if no new event requires a new summary, see `EventTraits`. */
  readonly summary: RunSummary | null;
}

/** The state of a run that was read from disk. `null` if there is no such run, or if its beginning is missing. */
export function reopen(events: readonly StoredEvent[], chunks: readonly Chunk[]): OpenRun | null {
  const run = foldForSummary(null, events);
  if (!run) return null;
  const texts = new Map<string, Set<number>>();
  for (const { first, values } of chunks) {
    for (const value of values) noteText(texts, value, first);
  }
  return { run, lastSeq: events.at(-1)?.seq ?? run.lastSeq, tail: null, texts };
}

/**
 * Adds events. The first of them must follow the last stored event.
 * @param open `null` for a run that does not exist yet
 * @returns `null` if there are no events, or if the run doesn't exist and these events don't start it
 */
export function extend(open: OpenRun | null, events: readonly StoredEvent[]): RunChange | null {
  const run = foldForSummary(open?.run ?? null, events);
  const last = events.at(-1);
  if (!run || !last) return null;

  const blobs = new Map<string, string>();
  const chunks = splitIntoChunks(open?.tail ?? null, events, blobs);
  const texts = new Map([...(open?.texts ?? [])].map(([attempt, firsts]) => [attempt, new Set(firsts)]));
  const shrink = new Map<number, Set<string>>();
  for (const { first, events } of chunks) {
    for (const event of events) {
      noteText(texts, event, first);
      const ended = attemptEndedBy(event);
      if (ended === null) continue;
      for (const place of texts.get(ended) ?? []) shrink.set(place, (shrink.get(place) ?? new Set()).add(ended));
      texts.delete(ended);
    }
  }
  const shrunk = chunks.map(({ first, values }) => {
    const attempts = shrink.get(first);
    shrink.delete(first);
    return { first, values: attempts ? shrinkAttempts(values, attempts) : values };
  });

  const newest = shrunk.at(-1);
  const closed = chunks.at(-1)?.events.some((event) => traitsOf(event).isLarge) ?? true;
  const tail = newest && !closed && newest.values.length < LONG_CHUNK ? newest : null;
  const listed = events.some((event) => traitsOf(event).summary !== 'none');
  return {
    open: { run, lastSeq: last.seq, tail, texts },
    chunks: shrunk,
    shrink,
    blobs,
    summary: listed ? summarize(run) : null,
  };
}

interface NewChunk {
  readonly first: number;
  /** All events of the record, including those of the old tail. */
  readonly values: unknown[];
  /** The new events of the record. */
  readonly events: StoredEvent[];
}

function splitIntoChunks(tail: Chunk | null, events: readonly StoredEvent[], blobs: Map<string, string>): NewChunk[] {
  const chunks: NewChunk[] = [];
  let current: NewChunk | null = tail && { first: tail.first, values: [...tail.values], events: [] };
  if (current) chunks.push(current);
  for (const event of events) {
    if (!current || current.values.length >= FULL_CHUNK) {
      current = { first: event.seq, values: [], events: [] };
      chunks.push(current);
    }
    current.values.push(extractTexts(event, event.type === 'run-started' ? new Map() : blobs));
    current.events.push(event);
  }
  return chunks;
}

function noteText(texts: Map<string, Set<number>>, value: unknown, first: number): void {
  const attempt = attemptOfText(value);
  if (attempt !== null) texts.set(attempt, (texts.get(attempt) ?? new Set()).add(first));
}

function foldForSummary(run: Run | null, events: readonly StoredEvent[]): Run | null {
  return applyEvents(
    run,
    events.filter((event) => !isDelta(event)),
  );
}
