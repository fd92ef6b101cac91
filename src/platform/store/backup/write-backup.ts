/** @file Writes the lines of a backup. `format.ts` describes their format. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { BackupOptions, Clock } from '../../../core/contract';
import { FORMAT, VERSION, type BackupHead } from './format';
import type { BackupSection } from './section';
import { KEYS } from './sections';

export interface WriteOptions extends BackupOptions {
  /** The version of Podium. */
  readonly app: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** @yields the lines of the file, each with its line break */
export async function* backupLines(
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
