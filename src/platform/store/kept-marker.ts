/**
 * @file Remembers beside the database how many runs it holds, so that a visit that finds it empty can say that they are gone.
 * A browser that clears what a site keeps often leaves this one note behind; where it does not, nothing is said.
 */
import * as z from 'zod/mini';
import type { LostRuns } from '../../core/contract';
import type { IndexedRunStore } from './run-store';

z.config({ jitless: true });

const NAME = 'podium.kept';
const noteShape = z.object({ runs: z.int().check(z.nonnegative()), at: z.number() });
/** `lost` stays until the user has taken note of it. */
const markerShape = z.object({ ...noteShape.shape, lost: z.optional(z.nullable(noteShape)) });

export interface KeptMarker {
  /** The same store, whose changes keep the note true. */
  readonly store: IndexedRunStore;
  /** Passes on what a change made elsewhere reports, as by the file Worker, and keeps the note true around it. */
  around<Item>(change: AsyncIterable<Item>): AsyncIterable<Item>;
  /** The runs that were here and are not any more, though nobody deleted them here; `null` if none are missed. */
  lost(): Promise<LostRuns | null>;
  /** The user has taken note. */
  dismiss(): Promise<void>;
}

/** As `localStorage`. */
export interface NotePlace {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** @param place where the note lies. Looked up when it is used: where storage is switched off it throws */
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
      // Without a note nothing can be missed, and that is all.
    }
  }

  /** Once a page, before anything is written: an empty store where there was a note of runs has lost them. */
  let looked: Promise<void> | null = null;
  const look = () =>
    (looked ??= inner.count().then((runs) => {
      const before = read();
      const missed = before && before.runs > 0 && runs === 0 ? { runs: before.runs, at: before.at } : null;
      write(runs, missed ?? before?.lost ?? null);
    }));

  async function note(): Promise<void> {
    write(await inner.count(), read()?.lost ?? null);
  }

  /** The note is a courtesy: what it cannot do must not fail what was done. */
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
        // The look is begun first, but nothing waits for it: what follows must not overtake the beginning of a run.
        const looking = look();
        const written = inner.append(event);
        written.then(() => looking.then(note)).catch(() => undefined);
        return written;
      },
      delete: (runId) => afterwards(() => inner.delete(runId)),
      deleteAll: () => afterwards(() => inner.deleteAll()),
      addRuns: (runs, options) => afterwards(() => inner.addRuns(runs, options)),
    },
    async *around(change) {
      await look().catch(() => undefined);
      try {
        yield* change;
      } finally {
        await note().catch(() => undefined);
      }
    },
    async lost() {
      await look();
      return read()?.lost ?? null;
    },
    dismiss() {
      // At once: the page may be left in the very next moment.
      write(read()?.runs ?? 0, null);
      return Promise.resolve();
    },
  };
}
