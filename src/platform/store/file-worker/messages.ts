/**
 * @file The messages between the page and the Web Worker that reads files. Each side validates the
 * messages it receives.
 */
import * as z from 'zod/mini';
import type { BackupContents, ImportProgress, RestoreProgress } from '../../../core/contract';

z.config({ jitless: true });

const order = z.discriminatedUnion('type', [
  z.object({ type: z.literal('import'), database: z.string(), file: z.instanceof(Blob) }),
  z.object({ type: z.literal('inspect'), database: z.string(), file: z.instanceof(Blob) }),
  z.object({
    type: z.literal('restore'),
    database: z.string(),
    file: z.instanceof(Blob),
    mode: z.enum(['merge', 'replace']),
    isOwn: z.boolean(),
  }),
]);
/** The task of a Web Worker. A stopped task ends after the current write. */
export type FileOrder = z.infer<typeof order>;

export type FileReport =
  | { readonly type: 'imported'; readonly progress: ImportProgress }
  | { readonly type: 'restored'; readonly progress: RestoreProgress }
  | { readonly type: 'inspected'; readonly contents: BackupContents }
  | { readonly type: 'progress'; readonly done: number; readonly of: number };

const count = z.number();
const sentences = z.array(z.string());
const outcomeCounts = z.object({
  added: count,
  present: count,
  repaired: count,
  updated: count,
  copied: count,
  kept: count,
  busy: count,
  removed: count,
});
const named = { name: z.string(), one: z.string(), many: z.string() };
const report: z.ZodMiniType<FileReport> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('imported'),
    progress: z.object({
      read: count,
      of: count,
      lines: count,
      runs: outcomeCounts,
      problems: z.array(z.object({ line: count, message: z.string() })),
    }),
  }),
  z.object({
    type: z.literal('restored'),
    progress: z.object({
      read: count,
      of: count,
      parts: z.array(z.object({ ...named, counts: outcomeCounts })),
      damage: sentences,
    }),
  }),
  z.object({
    type: z.literal('inspected'),
    contents: z.object({
      madeAt: count,
      app: z.string(),
      parts: z.array(z.object({ ...named, promised: count, whole: count })),
      damage: sentences,
    }),
  }),
  z.object({ type: z.literal('progress'), done: count, of: count }),
]);

/** Parses a message to the Web Worker. Throws a `ZodError` if it is invalid. */
export function readOrder(data: unknown): FileOrder {
  return z.parse(order, data);
}

/** Parses a message from the Web Worker. Throws a `ZodError` if it is invalid. */
export function readReport(data: unknown): FileReport {
  return z.parse(report, data);
}
