/**
 * @file Stores the number of saved runs in a note in `localStorage`. If the browser clears the database, the note often
 * remains. Podium then finds fewer runs than the note counts, and can warn the user.
 */
import * as z from 'zod/mini';
import type { LostRuns } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

z.config({ jitless: true });

const NAME = 'podium.kept';
const noteShape = z.object({ runs: z.int().check(z.nonnegative()), at: z.number() });
/**
 * `runs` is the number of saved runs at the time `at`. `lost` is an older note whose runs have disappeared. `lost` is stored
 * until the user dismisses the warning.
 */
const markerShape = z.object({ ...noteShape.shape, lost: z.optional(z.nullable(noteShape)) });

export interface KeptMarker {
  /** The given run store, wrapped so that the note is updated whenever runs are added or deleted. */
  readonly store: IndexedRunStore;
  /**
   * For changes to the saved runs that bypass `store`, such as an import in a Web Worker. Forwards the progress
   * reports of the change, and updates the note when the change ends.
   * @param addedBy returns how many runs were added up to this report, minus the number of deleted runs.
   * Default: always 0
   */
  around<Item>(change: AsyncIterable<Item>, addedBy?: (report: Item) => number): AsyncIterable<Item>;
  /** The number of lost runs, and the time of the note that counted them. `null` if no runs were lost. */
  lost(): Promise<LostRuns | null>;
  /** Dismisses the warning about lost runs. */
  dismiss(): Promise<void>;
}

/** The part of `localStorage` that this file uses. */
export interface NotePlace {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** @param place returns the storage of the note. Called for each read and write. May throw if the browser blocks storage */
export function createKeptMarker(inner: IndexedRunStore, place: () => NotePlace, now: () => number): KeptMarker {
  function read() {
    try {
      return z.safeParse(markerShape, JSON.parse(place().getItem(NAME) ?? 'null')).data ?? null;
    } catch {
      return null;
    }
  }

  function write(runs: number, lost: LostRuns | null): void {
    try {
      place().setItem(NAME, JSON.stringify({ runs, at: now(), lost }));
    } catch {
      // Without the note, Podium can't warn about lost runs. Nothing else depends on the note.
    }
  }

  let looking: Promise<void> | null = null;
  let hasLooked = false;
  /** Number of runs that were started or imported since the page loaded. */
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
   * Checks for lost runs. Runs are lost if the note says that there were runs, but the store contains only runs that were
   * added since the page loaded. The check usually happens before any write. A successful check is not repeated until the page
   * reloads.
   */
  function look(): Promise<void> {
    looking ??= compare().catch((thrown: unknown) => {
      looking = null;
      throw thrown;
    });
    return looking;
  }

  /**
   * Updates the note, but only after the check has succeeded. Until then, the old note is the only evidence
   * of lost runs.
   */
  async function note(): Promise<void> {
    if (hasLooked) write(await inner.count(), read()?.lost ?? null);
  }

  /** Makes a change, then updates the note. An error of the check or of the note does not make the change fail. */
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
        // The check starts before the write. If the write waited for the check, a later event could overtake
        // `run-started`.
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
