/** @file Adds whole runs to the store. If a run is already stored, keeps the longer copy, or both if they have diverged. */
import { FaultError, type StoredEvent } from '../../core/contract';
import { compareDamaged, compareRuns, copyId, copyPrefix, renamed, type Comparison } from './compare-runs';
import { addImages, type ImageBytes } from './add-images';
import { attachmentsOf, imagesOf, referToAttachments, type AttachmentReference } from './images';
import { extend } from './open-run';
import { readRun } from './read-run';
import { addToCount, removeRecords, writeChange, type Writing } from './write-runs';

/**
 * The outcome of adding a whole run. `present`: a stored copy already contains the added copy. `repaired`: like `present`, but
 * a missing image of the run's question was restored. `updated`: the added copy replaced the stored copy, because the added copy
 * is longer or because of `over`. `copied`: the copies have diverged, so the added copy was stored under a new id.
 */
export type AddedAs = 'added' | 'present' | 'repaired' | 'updated' | 'copied';

export interface AddOptions {
  /** Whether an added copy that is shorter or has diverged replaces the stored copy. Default: `false`. */
  readonly over?: boolean;
  /**
   * Each run that is written gets a `run-imported` event with this time, ms since the epoch. Default: `null`,
   * no such event.
   */
  readonly importedAt?: number | null;
  /** Images that came with the runs, with verified hashes. Images that none of these runs refers to are ignored. */
  readonly images?: readonly ImageBytes[];
}

/**
 * Adds runs. The events of each run are in order and begin with `run-started`.
 * @param lost the hashes of images whose data the browser has lost, see `lostImages`
 */
export async function addRuns(
  transaction: Writing,
  runs: readonly (readonly StoredEvent[])[],
  { over = false, importedAt = null, images = [] }: AddOptions,
  lost: ReadonlySet<string>,
): Promise<readonly AddedAs[]> {
  const ids = runs.map((events) => events[0]?.runId ?? '');
  const keys = await Promise.all(ids.map((id) => transaction.objectStore('summaries').index('id').getKey(id)));
  const isNew = (index: number) => keys[index] === undefined && ids.indexOf(ids[index] ?? '') === index;
  const adding = new Adding(transaction, importedAt);
  await Promise.all(runs.map((events, index) => (isNew(index) ? adding.write(events) : undefined)));
  const outcomes: AddedAs[] = [];
  for (const [index, events] of runs.entries()) {
    outcomes.push(isNew(index) ? 'added' : await adding.beside(events, over));
  }
  const restored = await addImages(transaction, images, adding.images, lost);
  await referToAttachments(transaction, adding.referring);
  await addToCount(transaction, outcomes.filter((outcome) => outcome === 'added' || outcome === 'copied').length);
  const wasHere = (index: number) => keys[index] !== undefined && ids.indexOf(ids[index] ?? '') === index;
  const hasRestoredImage = (index: number) =>
    wasHere(index) && imagesOf(runs[index] ?? []).some((hash) => restored.has(hash));
  return outcomes.map((outcome, index) => (outcome === 'present' && hasRestoredImage(index) ? 'repaired' : outcome));
}

export { lostImages } from './add-images';

/** Adds runs one by one. `referring` collects the images and files that the added runs and their stored copies use. */
class Adding {
  readonly referring: (readonly [runId: string, attachments: readonly AttachmentReference[]])[] = [];
  readonly #transaction: Writing;
  readonly #importedAt: number | null;

  constructor(transaction: Writing, importedAt: number | null) {
    this.#transaction = transaction;
    this.#importedAt = importedAt;
  }

  get images(): ReadonlySet<string> {
    return new Set(this.referring.flatMap(([, attachments]) => attachments.map(({ hash }) => hash)));
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    const runId = events[0]?.runId ?? '';
    this.referring.push([runId, attachmentsOf(events)]);
    const change = extend(null, marked(events, this.#importedAt));
    if (change) await writeChange(this.#transaction, runId, change);
  }

  /** Adds a run whose id is already stored. */
  async beside(events: readonly StoredEvent[], over: boolean): Promise<AddedAs> {
    const transaction = this.#transaction;
    const runId = events[0]?.runId ?? '';
    const comparison = await this.#compare(runId, events);
    if (comparison === 'same' || (comparison === 'shorter' && !over)) return 'present';
    if (over || comparison === 'longer') {
      await removeRecords(transaction, runId);
      await this.write(events);
      return 'updated';
    }
    // An earlier import may have stored the added copy under a new id. Since then, either of the two may have grown.
    let grown: string | null = null;
    for (const id of await copiesOf(transaction, runId)) {
      const comparison = await this.#compare(id, renamed(events, id));
      if (comparison === 'same' || comparison === 'shorter') return 'present';
      if (comparison === 'longer') grown = id;
    }
    if (grown !== null) await removeRecords(transaction, grown);
    await this.write(renamed(events, grown ?? copyId(runId, events)));
    return grown === null ? 'copied' : 'updated';
  }

  /** Compares a run with the stored run. A stored run from a later version of Podium cannot be read and counts as different. */
  async #compare(runId: string, events: readonly StoredEvent[]): Promise<Comparison> {
    try {
      const { events: here, problems } = await readRun(this.#transaction, runId);
      this.referring.push([runId, attachmentsOf(here)]);
      return problems.length > 0 ? compareDamaged(here, events) : compareRuns(here, events);
    } catch (thrown) {
      if (thrown instanceof FaultError) return 'different';
      throw thrown;
    }
  }
}

async function copiesOf(transaction: Writing, runId: string): Promise<readonly string[]> {
  const prefix = copyPrefix(runId);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  return (await transaction.objectStore('summaries').index('id').getAllKeys(range)).map(([, id]) => id);
}

function marked(events: readonly StoredEvent[], importedAt: number | null): readonly StoredEvent[] {
  const last = events.at(-1);
  if (!last || importedAt === null) return events;
  const { runId, seq, segment, elapsed } = last;
  return [...events, { type: 'run-imported', runId, seq: seq + 1, at: importedAt, segment, elapsed }];
}
