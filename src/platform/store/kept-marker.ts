/**
 * @file Stores the number of runs in a note outside the database. The note lets Podium warn the user if the browser has cleared
 * the database. When a browser clears a site's databases, the note often remains. Without the note, there is no warning.
 */
import * as z from 'zod/mini';
import type { LostRuns } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

z.config({ jitless: true });

const NAME = 'podium.kept';
const noteShape = z.object({ runs: z.int().check(z.nonnegative()), at: z.number() });
/** `lost` is the note from before the loss. It stays until the user has dismissed the warning. */
const markerShape = z.object({ ...noteShape.shape, lost: z.optional(z.nullable(noteShape)) });

export interface KeptMarker {
  /** Wraps the given store: all methods that add or delete runs also update the note. */
  readonly store: IndexedRunStore;
  /**
   * Forwards the reports of a change that is made elsewhere, such as in the Web Worker that reads files. Updates the note when
   * the change ends.
   * @param addedBy the number of runs that the change has added so far, minus those it has deleted, according to a report.
   *   Default: 0
   */
  around<Item>(change: AsyncIterable<Item>, addedBy?: (report: Item) => number): AsyncIterable<Item>;
  /** The number of runs that disappeared without being deleted here. `null` if there are none. */
  lost(): Promise<LostRuns | null>;
  /** Removes the warning. Call it when the user dismisses the warning. */
  dismiss(): Promise<void>;
}

/** The part of `localStorage` that this file uses. */
export interface NotePlace {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** @param place returns the place where the note is stored. Called at each use. May throw, if storage is disabled */
export function createKeptMarker(inner: IndexedRunStore, place: () => NotePlace, now: () => number): KeptMarker {
  function read() {
    try {
      const parsed = z.safeParse(markerShape, JSON.parse(place().getItem(NAME) ?? 'null'));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  function write(runs: number, lost: LostRuns | null): void {
    try {
      place().setItem(NAME, JSON.stringify({ runs, at: now(), lost }));
    } catch {
      // Without a note, only the warning is missing.
    }
  }

  let looking: Promise<void> | null = null;
  let hasLooked = false;
  /** Number of runs that this page has added: those that it started to write, and those of its other changes, such as imports. */
  let added = 0;

  async function compare(): Promise<void> {
    const own = added;
    const runs = await inner.count();
    const before = read();
    const lost = before && before.runs > 0 && runs <= own ? { runs: before.runs, at: before.at } : null;
    write(runs, lost ?? before?.lost ?? null);
    hasLooked = true;
  }

  /**
   * The check for lost runs, which succeeds once for each page load, usually before any write. If the note counts runs but the
   * store has no runs except those of this page, the counted runs are lost. A check that fails is repeated at the next use.
   */
  function look(): Promise<void> {
    looking ??= compare().catch((thrown: unknown) => {
      looking = null;
      throw thrown;
    });
    return looking;
  }

  /** Updates the note. Before the check has succeeded, the old note stays, because it is the only evidence of lost runs. */
  async function note(): Promise<void> {
    if (hasLooked) write(await inner.count(), read()?.lost ?? null);
  }

  /** Makes a change, then updates the note. If updating the note fails, the change must still succeed. */
  async function afterwards<Result>(work: () => Promise<Result>): Promise<Result> {
    await look().catch(() => undefined);
    const result = await work();
    await note().catch(() => undefined);
    return result;
  }

  return {
    store: {
      ...inner,
      append(event) {
        if (event.type !== 'run-started') return inner.append(event);
        // The check starts before the write, but is not awaited, so that no later event overtakes `run-started`.
        const looked = look();
        added += 1;
        const written = inner.append(event);
        Promise.all([written, looked])
          .then(note)
          .catch(() => undefined);
        return written;
      },
      delete: (runId) => afterwards(() => inner.delete(runId)),
      deleteAll: () => afterwards(() => inner.deleteAll()),
      addRuns: (runs, options) =>
        afterwards(async () => {
          const outcomes = await inner.addRuns(runs, options);
          added += outcomes.filter((outcome) => outcome === 'added' || outcome === 'copied').length;
          return outcomes;
        }),
    },
    async *around(change, addedBy = () => 0) {
      await look().catch(() => undefined);
      let reported = 0;
      try {
        for await (const report of change) {
          const count = addedBy(report);
          added += count - reported;
          reported = count;
          yield report;
        }
      } finally {
        await note().catch(() => undefined);
      }
    },
    async lost() {
      await look();
      return read()?.lost ?? null;
    },
    dismiss() {
      // The write is synchronous, because the user may leave the page right afterwards.
      write(read()?.runs ?? 0, null);
      return Promise.resolve();
    },
  };
}
