/**
 * @file The format of backups: gzipped JSON lines, `*.podium-backup.jsonl.gz`. The first line is a header. Then come the values
 * of each section. Each section ends with the number of its values and their SHA-256.
 */
import * as z from 'zod/mini';
import { isMoment } from '../../../core/contract';

z.config({ jitless: true });

export const FORMAT = 'podium-backup';
/**
 * Increase it when older versions can no longer restore the sections that they know. A new section alone does not require this.
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
   * Expected number of values of each section. The actual number differs if values are left out, or if runs are added or deleted
   * during the backup.
   */
  sections: z
    .array(z.looseObject({ name, lines: amount }))
    .check(z.refine((sections) => new Set(sections.map((section) => section.name)).size === sections.length)),
});
export type BackupHead = z.infer<typeof headShape>;

/** A value, or the end of a section. The digest covers all lines of the section, each with its line break. */
export const lineShape = z.union([
  z.looseObject({ section: name, end: z.looseObject({ lines: amount, sha256: z.string() }) }),
  z.looseObject({ section: name, value: z.unknown() }),
]);
