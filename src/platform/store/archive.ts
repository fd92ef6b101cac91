/**
 * @file Writes and restores backups, imports runs and finds the largest runs. These are
 * parts of the interface `Archive` (see `app/services.ts`). This module is lazy-loaded.
 */
import type { BackupOptions, Clock, Locks, ProgressListener, RunSize } from '../../core/contract';
import type { Database } from './database';
import { backupSections, KEYS } from './backup/sections';
import type { FileReader } from './file-reader';
import { gzip, streamLines } from './files';
import type { IndexedRunStore } from './run-store';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { FORMAT, VERSION, type BackupHead } from './backup/format';
import type { BackupSection } from './backup/section';

export interface ArchiveDependencies {
  readonly database: Database;
  readonly store: IndexedRunStore;
  readonly locks: Locks;
  readonly clock: Pick<Clock, 'now'>;
  /** The version of Podium. */
  readonly app: string;
  /** Reads backups and run files, on the page or in a Web Worker. */
  readonly reader: FileReader;
}

const PAGE = 50;

export function createArchive({ database, store, locks, clock, app, reader }: ArchiveDependencies) {
  const sections = () => backupSections(database, store, { locks, importedAt: null });
  return {
    backup: (options: BackupOptions) => gzip(streamLines(backupLines(sections(), { ...options, app, clock }))),
    ...reader,
    async largestRuns(
      most: number,
      signal: AbortSignal,
      onprogress: ProgressListener = () => {},
    ): Promise<readonly RunSize[]> {
      const of = await store.count();
      let largest: RunSize[] = [];
      let done = 0;
      for (let after: string | null = null; ;) {
        signal.throwIfAborted();
        const page: Awaited<ReturnType<typeof store.summaries>> = await store.summaries({ limit: PAGE, after });
        const sizes = await store.sizes(page.summaries.map(({ id }) => id));
        const found = page.summaries.map(({ id, question, startedAt }, index): RunSize => {
          return { id, question, startedAt, bytes: sizes[index] ?? 0 };
        });
        largest = [...largest, ...found].toSorted((one, other) => other.bytes - one.bytes).slice(0, most);
        done += page.summaries.length;
        onprogress(Math.min(done, of), of);
        if (page.next === null) return largest;
        after = page.next;
      }
    },
  };
}

/** Writes the lines of a backup. `format.ts` describes their format. */
interface WriteOptions extends BackupOptions {
  /** The version of Podium. */
  readonly app: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** @yields the lines of the file, each with its line break */
async function* backupLines(
  all: readonly BackupSection[],
  { keys, signal, onprogress = () => {}, leftOut = () => {}, app, clock }: WriteOptions,
): AsyncGenerator<string, void, undefined> {
  const sections = all.filter(({ name }) => keys || name !== KEYS);
  const counts = await Promise.all(sections.map((section) => section.count()));
  const head: BackupHead = {
    format: FORMAT,
    version: VERSION,
    app,
    madeAt: clock.now(),
    sections: sections.map(({ name }, index) => ({ name, lines: counts[index] ?? 0 })),
  };
  yield `${JSON.stringify(head)}\n`;
  const of = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const { name, read } of sections) {
    const digest = sha256.create();
    let lines = 0;
    for await (const value of read(signal, leftOut)) {
      signal.throwIfAborted();
      const line = `${JSON.stringify({ section: name, value })}\n`;
      digest.update(utf8ToBytes(line));
      lines += 1;
      yield line;
      done += 1;
      onprogress(Math.min(done, of), of);
    }
    yield `${JSON.stringify({ section: name, end: { lines, sha256: bytesToHex(digest.digest()) } })}\n`;
  }
  onprogress(of, of);
}
