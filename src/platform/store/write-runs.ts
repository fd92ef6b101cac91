/**
 * @file Writes events of several runs in one transaction. The records of events, the shared texts, the summaries and the number
 * of runs therefore change together or not at all.
 */
import {
  fault,
  FaultError,
  traitsOf,
  type Clock,
  type RunEvent,
  type RunSummary,
  type StoredEvent,
} from '../../core/contract';
import type { RunTransaction } from './database';
import { attachmentsOf, referToAttachments, releaseImages, type AttachmentReference } from './images';
import { extend, reopen, type OpenRun, type RunChange } from './open-run';
import { chunksOf, readRun } from './read-run';
import { shrinkAttempts } from './stored-events';

export type Writing = RunTransaction<'readwrite'>;

export interface Written {
  /** The cached state of the runs that are still in progress. */
  readonly open: ReadonlyMap<string, OpenRun>;
  /** The events that were rejected, each with the reason. All other events are on disk. */
  readonly refused: ReadonlyMap<RunEvent, FaultError>;
}

/** The key of a run's summary. The time is negated, so that the newest run comes first. */
export function summaryKey({ id, startedAt }: Pick<RunSummary, 'id' | 'startedAt'>): [number, string] {
  return [-startedAt, id];
}

/**
 * Appends events. The events of each run must be in order.
 * @param known cached state of runs in progress. Other runs are read from disk first
 */
export async function appendEvents(
  transaction: Writing,
  known: ReadonlyMap<string, OpenRun>,
  events: readonly RunEvent[],
): Promise<Written> {
  const open = new Map<string, OpenRun>();
  const refused = new Map<RunEvent, FaultError>();
  let begun = 0;
  const referring: [runId: string, attachments: readonly AttachmentReference[]][] = [];
  const append = async ([runId, appended]: [string, readonly RunEvent[]]) => {
    const before = await openBefore(transaction, runId, known.get(runId), appended);
    const accepted = accept(before, appended, refused);
    const change = extend(before.open, accepted);
    if (!change) return;
    if (before.open && change.summary && !(await exists(transaction, before.open))) {
      // Another tab deleted the run while it was in progress here. So the events that this tab has stored since then are
      // deleted, and the new events are rejected.
      await transaction.objectStore('chunks').delete(chunksOf(runId));
      for (const event of accepted) refused.set(event, missingRun());
      return;
    }
    // Only some events mark the run as unindexed, for example its start, its end and a new grade. While the run is in progress,
    // it still has the mark from `run-started`.
    const isMarked = accepted.some((event) => traitsOf(event).summary === 'notify');
    await writeChange(transaction, runId, change, isMarked);
    referring.push([runId, attachmentsOf(accepted)]);
    if (!before.open) begun += 1;
    if (change.open.run.status === 'running') open.set(runId, change.open);
  };
  await Promise.all([...byRun(events)].map(append));
  await referToAttachments(transaction, referring);
  await addToCount(transaction, begun);
  return { open, refused };
}

/**
 * Deletes a run and the images and files that only this run uses, and updates the number of runs. Keeps texts that several runs may share.
 */
export async function deleteRun(transaction: Writing, runId: string, clock: Pick<Clock, 'now'>): Promise<void> {
  if (await removeRecords(transaction, runId)) await addToCount(transaction, -1);
  await releaseImages(transaction, runId, clock);
}

/** Deletes the events and the summary of a run, and marks the run as unindexed. @returns whether the run existed */
export async function removeRecords(transaction: Writing, runId: string): Promise<boolean> {
  const summaries = transaction.objectStore('summaries');
  const [key] = await Promise.all([
    summaries.index('id').getKey(runId),
    transaction.objectStore('chunks').delete(chunksOf(runId)),
  ]);
  if (!key) return false;
  await Promise.all([summaries.delete(key), markUnindexed(transaction, runId)]);
  return true;
}

/** Marks a run as unindexed, so that the index of runs is updated later. */
async function markUnindexed(transaction: Writing, runId: string): Promise<void> {
  await transaction.objectStore('unindexed').put(Math.random(), runId);
}

interface Before {
  readonly open: OpenRun | null;
  /** The events that were read from disk. Empty for runs with cached state. */
  readonly stored: readonly StoredEvent[];
}

/**
 * The run before the append. The cached state is used only if the first new event directly follows it. Otherwise, another tab may
 * have continued the run, so the run is read from disk.
 */
async function openBefore(
  transaction: Writing,
  runId: string,
  known: OpenRun | undefined,
  events: readonly RunEvent[],
): Promise<Before> {
  if (known && events[0]?.seq === known.lastSeq + 1) return { open: known, stored: [] };
  const { events: stored, chunks } = await readRun(transaction, runId);
  return { open: reopen(stored, chunks), stored };
}

/** The events that may be written, because they follow the stored events without a gap. */
function accept(before: Before, events: readonly RunEvent[], refused: Map<RunEvent, FaultError>): RunEvent[] {
  const accepted: RunEvent[] = [];
  let last = before.open?.lastSeq ?? null;
  for (const event of events) {
    const follows = last === null ? event.type === 'run-started' : event.seq === last + 1;
    if (follows) {
      accepted.push(event);
      last = event.seq;
    } else if (last === null) {
      refused.set(event, missingRun());
    } else if (!before.stored.some((stored) => isSame(stored, event))) {
      refused.set(event, outOfOrder(event, last));
    }
  }
  return accepted;
}

/**
 * Whether an event is already on disk. If the connection is lost before the browser reports a successful write, the write is
 * repeated.
 */
function isSame(stored: StoredEvent, event: RunEvent): boolean {
  return stored.seq === event.seq && stored.type === event.type && stored.at === event.at;
}

async function exists(transaction: Writing, { run }: OpenRun): Promise<boolean> {
  return (await transaction.objectStore('summaries').getKey(summaryKey(run))) !== undefined;
}

/** @param isMarked whether to mark the run as unindexed */
export async function writeChange(
  transaction: Writing,
  runId: string,
  change: RunChange,
  isMarked = true,
): Promise<void> {
  const { chunks, shrink, blobs, summary } = change;
  // `put` can throw synchronously. The async functions turn such an error into a rejection.
  await Promise.all([
    ...chunks.map(async ({ first, values }) => transaction.objectStore('chunks').put(values, [runId, first])),
    ...[...shrink].map(async ([first, attempts]) => shrinkChunk(transaction, [runId, first], attempts)),
    ...[...blobs].map(async ([hash, text]) => transaction.objectStore('blobs').put(text, hash)),
    ...[summary].map(async (each) => each && transaction.objectStore('summaries').put(each, summaryKey(each))),
    ...(summary && isMarked ? [markUnindexed(transaction, runId)] : []),
  ]);
}

async function shrinkChunk(transaction: Writing, key: [string, number], attempts: ReadonlySet<string>): Promise<void> {
  const chunks = transaction.objectStore('chunks');
  const values = await chunks.get(key);
  if (values) await chunks.put(shrinkAttempts(values, attempts), key);
}

/** Adds to the stored number of runs. */
export async function addToCount(transaction: Writing, change: number): Promise<void> {
  if (change === 0) return;
  const counts = transaction.objectStore('counts');
  await counts.put(Math.max(0, ((await counts.get('runs')) ?? 0) + change), 'runs');
}

function byRun(events: readonly RunEvent[]): Map<string, RunEvent[]> {
  const groups = new Map<string, RunEvent[]>();
  for (const event of events) {
    const group = groups.get(event.runId);
    if (group) group.push(event);
    else groups.set(event.runId, [event]);
  }
  return groups;
}

function missingRun(): FaultError {
  const message = 'This run was deleted, so nothing can be added to it.';
  return new FaultError(fault('storage-failed', message));
}

function outOfOrder(event: RunEvent, last: number): FaultError {
  const detail = `Event ${event.seq} does not follow event ${last}.`;
  const message =
    event.seq <= last
      ? 'This run was changed in another tab. Open it again, then repeat your change.'
      : 'An earlier part of this run isn’t saved yet, so this part can’t be saved yet.';
  return new FaultError(fault('storage-failed', message, { detail, retryable: event.seq > last }));
}
