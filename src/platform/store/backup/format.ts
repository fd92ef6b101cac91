/**
 * @file The file that holds everything, line by line: what it is and what it holds, then each section's values, each section
 * closed by how many they were and their SHA-256. Gzipped JSON lines, `*.podium-backup.jsonl.gz`.
 */
import * as z from 'zod/mini';
import { isMoment } from '../../../core/contract';

z.config({ jitless: true });

export const FORMAT = 'podium-backup';
/** Raised when an older Podium could no longer restore what it knows of a file. A new section does not raise it. */
export const VERSION = 1;

const name = z.string().check(z.minLength(1), z.maxLength(100));
const amount = z.int().check(z.nonnegative());

/** The first line. */
export const headShape = z.looseObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** The version of Podium that wrote it. */
  app: z.string().check(z.maxLength(100)),
  /** ms since the epoch. */
  madeAt: z.number().check(z.refine(isMoment)),
  /** What it was to hold; runs that come or go while it is written may change that. */
  sections: z
    .array(z.looseObject({ name, lines: amount }))
    .check(z.refine((sections) => new Set(sections.map((section) => section.name)).size === sections.length)),
});
export type BackupHead = z.infer<typeof headShape>;

/** A value, or the end of a section. The digest is of all the section's lines, each with its line break. */
export const lineShape = z.union([
  z.looseObject({ section: name, end: z.looseObject({ lines: amount, sha256: z.string() }) }),
  z.looseObject({ section: name, value: z.unknown() }),
]);
