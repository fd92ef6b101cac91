/** @file Reads a backup line by line and detects damage. The values in the lines are not validated here. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { fault, FaultError, isRecord, parseJson } from '../../../core/contract';
import { FILE_LIMITS, refused } from '../file-limits';
import { BrokenFile, type FileLines } from '../files';
import { lineProblem } from '../json-bounds';
import { RUN_FORMAT } from '../run-file';
import { FORMAT, headShape, lineShape, VERSION, type BackupHead } from './format';

export type BackupEntry =
  | {
      readonly kind: 'value';
      readonly section: string;
      readonly value: unknown;
      /** 1-based. */
      readonly line: number;
      /** Length of the line in UTF-16 units. */
      readonly length: number;
    }
  /** A line that cannot be read. `section`: the section that contains the line, or `null` if unknown. `line` is 1-based. */
  | { readonly kind: 'damaged'; readonly section: string | null; readonly line: number; readonly message: string }
  /** `intact`: the section is complete and unchanged. */
  | { readonly kind: 'end'; readonly section: string; readonly intact: boolean }
  /** The file ends unexpectedly or exceeds a limit. `line` is the number of lines that were read before that. */
  | {
      readonly kind: 'cut';
      readonly line: number;
      /** Why reading stopped, as a sentence. `null` if unknown. */
      readonly message: string | null;
    };

export interface OpenedBackup {
  readonly head: BackupHead;
  readonly entries: AsyncIterable<BackupEntry>;
}

/**
 * Reads the first line. Rejects with a `FaultError` (`bad-request`) if the file is not a backup, was made by a later version, or
 * has a damaged first line.
 */
export async function openBackup(file: FileLines): Promise<OpenedBackup> {
  const lines = file.lines[Symbol.asyncIterator]();
  const head = readHead(await firstLine(lines));
  return { head, entries: readEntries(head, lines) };
}

async function firstLine(lines: AsyncIterator<string | null>): Promise<string | null> {
  try {
    const first = await lines.next();
    return first.done ? null : first.value;
  } catch (thrown) {
    if (thrown instanceof BrokenFile) return null;
    throw thrown;
  }
}

function readHead(line: string | null): BackupHead {
  const value = line === null || lineProblem(line) !== null ? null : parseJson(line);
  const { format, version } = isRecord(value) ? value : {};
  if (format === RUN_FORMAT) refuse('This file contains runs and is not a backup. Import it on Runs.');
  if (format !== FORMAT) refuse('This is not a backup of Podium, or its beginning is damaged. Choose another file.');
  if (typeof version === 'number' && version > VERSION) {
    refuse('This backup was made by a newer version of Podium. Reload the page to get that version, then try again.');
  }
  const parsed = z.safeParse(headShape, value);
  return parsed.success
    ? parsed.data
    : refuse('The beginning of this backup is damaged, so it can’t be restored. Choose another file.');
}

async function* readEntries(
  { sections }: BackupHead,
  lines: AsyncIterator<string | null>,
): AsyncGenerator<BackupEntry, void, undefined> {
  const open = sections.map(({ name }) => name);
  let number = 1;
  let digest = sha256.create();
  let inSection = 0;
  /** Number of unreadable lines since the section began. */
  let damaged = 0;
  let cut: string | null = null;
  let bad = 0;
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done) break;
      const line = next.value;
      number += 1;
      const problem = line === null ? 'It is too long.' : lineProblem(line);
      const parsed = line === null || problem !== null ? null : parseLine(line);
      const section = open[0] ?? null;
      if (line === null || parsed === null) {
        damaged += 1;
        bad += 1;
        if (bad > FILE_LIMITS.badLines) throw refused('Too many lines of this file are damaged.');
        yield { kind: 'damaged', section, line: number, message: problem ?? 'This content was not written by Podium.' };
      } else if (isEnd(parsed)) {
        const { lines: promised, sha256: promisedHash } = parsed.end;
        const intact = damaged === 0 && inSection === promised && bytesToHex(digest.digest()) === promisedHash;
        // A section whose end line is missing is not intact.
        while (open[0] !== undefined && open[0] !== parsed.section && open.includes(parsed.section)) {
          yield { kind: 'end', section: open.shift() ?? '', intact: false };
        }
        if (open[0] === parsed.section) open.shift();
        yield { kind: 'end', section: parsed.section, intact };
        [digest, inSection, damaged] = [sha256.create(), 0, 0];
      } else {
        digest.update(utf8ToBytes(`${line}\n`));
        inSection += 1;
        yield { kind: 'value', section: parsed.section, value: parsed.value, line: number, length: line.length };
      }
    }
  } catch (thrown) {
    if (thrown instanceof FaultError) cut = thrown.fault.message;
    else if (!(thrown instanceof BrokenFile)) throw thrown;
  } finally {
    await lines.return?.();
  }
  if (open.length > 0 || cut !== null) yield { kind: 'cut', line: number, message: cut };
}

function parseLine(line: string) {
  return z.safeParse(lineShape, parseJson(line)).data ?? null;
}

type Ended = { readonly section: string; readonly end: { readonly lines: number; readonly sha256: string } };

function isEnd(line: NonNullable<ReturnType<typeof parseLine>>): line is Ended & typeof line {
  return 'end' in line && isRecord(line.end);
}

function refuse(message: string): never {
  throw new FaultError(fault('bad-request', message));
}
