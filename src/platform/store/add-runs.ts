/**
 * @file Adds whole runs beside those that are here, in one transaction: what is new comes, what goes further goes on, what
 * differs stands beside, and what lacks an image gets it back.
 */
import { FaultError, type StoredEvent } from '../../core/contract';
import { compareDamaged, compareRuns, copyId, copyPrefix, renamed, type Comparison } from './compare-runs';
import { addImages, imagesOf, referToImages, type ImageBytes } from './images';
import { extend } from './open-run';
import { readRun } from './read-run';
import { addToCount, removeRecords, writeChange, type Writing } from './write-runs';

/**
 * What became of a whole run that was to be added. `present`: it is here already, as far or further on. `mended`: it is, and
 * an image of its question that was missing came back. `updated`: it was, and is brought to where the other copy is. `copied`:
 * it was and differs, so the other stands beside it under a new id.
 */
export type AddedAs = 'added' | 'present' | 'mended' | 'updated' | 'copied';

export interface AddOptions {
  /** A copy that differs replaces the one that is here. */
  readonly over?: boolean;
  /** When they came in from a file, ms since the epoch; `null` for those that are only brought back. */
  readonly importedAt?: number | null;
  /** Images that came with the runs, their hashes verified; those that no run refers to are left out. */
  readonly images?: readonly ImageBytes[];
}

/** @param lost images of which the record is here, but not the file behind it. Events stand in order and begin with `run-started`. */
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
  const came = await addImages(transaction, images, adding.images, lost);
  await referToImages(transaction, adding.referring);
  await addToCount(transaction, outcomes.filter((outcome) => outcome === 'added' || outcome === 'copied').length);
  const wasHere = (index: number) => keys[index] !== undefined && ids.indexOf(ids[index] ?? '') === index;
  const isMended = (index: number) => wasHere(index) && imagesOf(runs[index] ?? []).some((hash) => came.has(hash));
  return outcomes.map((outcome, index) => (outcome === 'present' && isMended(index) ? 'mended' : outcome));
}

/** Runs on their way in, and the images that they and those they meet here refer to. */
class Adding {
  readonly referring: (readonly [runId: string, hashes: readonly string[]])[] = [];
  readonly #transaction: Writing;
  readonly #importedAt: number | null;

  constructor(transaction: Writing, importedAt: number | null) {
    this.#transaction = transaction;
    this.#importedAt = importedAt;
  }

  get images(): ReadonlySet<string> {
    return new Set(this.referring.flatMap(([, hashes]) => hashes));
  }

  async write(events: readonly StoredEvent[]): Promise<void> {
    const runId = events[0]?.runId ?? '';
    this.referring.push([runId, imagesOf(events)]);
    const change = extend(null, marked(events, this.#importedAt));
    if (change) await writeChange(this.#transaction, runId, change);
  }

  /** Adds a run whose id is taken. */
  async beside(events: readonly StoredEvent[], over: boolean): Promise<AddedAs> {
    const transaction = this.#transaction;
    const runId = events[0]?.runId ?? '';
    const comparison = await this.#meet(runId, events);
    if (comparison === 'same' || (comparison === 'shorter' && !over)) return 'present';
    if (over || comparison === 'longer') {
      await removeRecords(transaction, runId);
      await this.write(events);
      return 'updated';
    }
    // The same copy may have come before, and have grown or been marked since.
    let grown: string | null = null;
    for (const id of await copiesOf(transaction, runId)) {
      const stands = await this.#meet(id, renamed(events, id));
      if (stands === 'same' || stands === 'shorter') return 'present';
      if (stands === 'longer') grown = id;
    }
    if (grown !== null) await removeRecords(transaction, grown);
    await this.write(renamed(events, grown ?? copyId(runId, events)));
    return grown === null ? 'copied' : 'updated';
  }

  /** How a copy stands to the run of some id here. One of a later version cannot be compared, and so differs. */
  async #meet(runId: string, events: readonly StoredEvent[]): Promise<Comparison> {
    try {
      const { events: here, problems } = await readRun(this.#transaction, runId);
      this.referring.push([runId, imagesOf(here)]);
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
