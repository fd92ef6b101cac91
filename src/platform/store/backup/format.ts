/**
 * @file The format of backups: gzipped JSON lines, `*.podium-backup.jsonl.gz`. The first line is a header. Then come the values
 * of each section. The last line of a section contains the number of its values and their SHA-256.
 */
import * as z from 'zod/mini';
import { isMoment } from '../../../core/contract';

z.config({ jitless: true });

export const FORMAT = 'podium-backup';
/**
 * Increase this number after a change to a section that older versions of Podium cannot restore. A new section doesn't require
 * an increase, because older versions leave out sections that they don't know.
 */
export const VERSION = 1;

const name = z.string().check(z.minLength(1), z.maxLength(100));
const amount = z.int().check(z.nonnegative());

/** The first line. */
export const headShape = z.looseObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** The version of Podium that wrote the backup. */
  app: z.string().check(z.maxLength(100)),
  /** ms since the epoch. */
  madeAt: z.number().check(z.refine(isMoment)),
  /**
   * Expected number of values of each section. The section may contain fewer or more, for example if runs are deleted or added
   * during the backup.
   */
  sections: z
    .array(z.looseObject({ name, lines: amount }))
    .check(z.refine((sections) => new Set(sections.map((section) => section.name)).size === sections.length)),
});
export type BackupHead = z.infer<typeof headShape>;

/**
 * A value, or the end of a section. `sha256` covers the lines of all values of the section, including their
 * line breaks.
 */
export const lineShape = z.union([
  z.looseObject({ section: name, end: z.looseObject({ lines: amount, sha256: z.string() }) }),
  z.looseObject({ section: name, value: z.unknown() }),
]);
