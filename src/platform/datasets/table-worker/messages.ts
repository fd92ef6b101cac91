/**
 * @file The messages between the page and the Web Worker that decodes a table. The page reads the bytes of the file, on request of
 * the Web Worker. So the page knows whether the Web Worker is decoding or waiting. Each side validates the messages it receives.
 * The command line uses the same messages with a worker thread of Node.
 */
import * as z from 'zod/mini';
import { isRecord, TABLE_FORMATS, type Fault, type TableFormat, type TablePart } from '../../../core/contract';
import { fault } from '../../../core/contract/storage/schema-parts';
import { TEXT_ENCODINGS, type TextEncoding } from '../../../core/contract/text-encoding';
import type { TableHead } from '../open-table';

z.config({ jitless: true });

/** The file of a task, and the given encoding of its text. */
interface TaskFile {
  readonly name: string;
  readonly size: number;
  readonly format: TableFormat;
  readonly encoding?: TextEncoding | undefined;
}

/** The task of a Web Worker: to read the first rows of a table, or all rows. */
export type TableTask =
  | ({ readonly type: 'open' } & TaskFile)
  | ({
      readonly type: 'read';
      readonly columns?: readonly string[] | undefined;
      readonly footer?: number | undefined;
    } & TaskFile);

/** A message to the Web Worker. The first one is its task. */
export type TableOrder =
  | TableTask
  /** The answer to `slice` or `chunk`. `null`: the stream has ended. */
  | { readonly type: 'bytes'; readonly id: number; readonly bytes: ArrayBuffer | null }
  | { readonly type: 'no-bytes'; readonly id: number; readonly fault: Fault }
  /** The page has used a part, so the Web Worker may send another one. */
  | { readonly type: 'more' };

const encoding = z.enum(TEXT_ENCODINGS);
const format = z.enum(TABLE_FORMATS);
const file = { name: z.string(), size: z.number(), format, encoding: z.optional(encoding) };

const order: z.ZodMiniType<TableOrder> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), ...file }),
  z.object({
    type: z.literal('read'),
    ...file,
    columns: z.optional(z.array(z.string())),
    footer: z.optional(z.number()),
  }),
  z.object({ type: z.literal('bytes'), id: z.number(), bytes: z.nullable(z.instanceof(ArrayBuffer)) }),
  z.object({ type: z.literal('no-bytes'), id: z.number(), fault }),
  z.object({ type: z.literal('more') }),
]);

/** A request for bytes of the file. `stream` is the number of a stream, which the first `chunk` opens. */
export type ByteRequest =
  | { readonly type: 'slice'; readonly id: number; readonly start: number; readonly end: number }
  | { readonly type: 'chunk'; readonly id: number; readonly stream: number };

export type TableReport =
  | ByteRequest
  | { readonly type: 'cancel'; readonly stream: number }
  | { readonly type: 'progress' }
  | { readonly type: 'opened'; readonly head: TableHead }
  | { readonly type: 'part'; readonly part: TablePart }
  | { readonly type: 'finished' }
  | { readonly type: 'failed'; readonly fault: Fault };

const row = z.custom<TableHead['preview'][number]>(isRecord);
/** Checks the rows without a schema for each row, because a table can have millions of rows. */
const rows = z.custom<TablePart['rows']>(
  (value) =>
    Array.isArray(value) &&
    value.every((each) => isRecord(each) && typeof each.row === 'number' && isRecord(each.value)),
);
const report: z.ZodMiniType<TableReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('slice'), id: z.number(), start: z.number(), end: z.number() }),
  z.object({ type: z.literal('chunk'), id: z.number(), stream: z.number() }),
  z.object({ type: z.literal('cancel'), stream: z.number() }),
  z.object({ type: z.literal('progress') }),
  z.object({
    type: z.literal('opened'),
    head: z.object({
      format,
      bytes: z.nullable(z.number()),
      rowCount: z.nullable(z.number()),
      footer: z.optional(z.number()),
      encoding: z.optional(encoding),
      preview: z.array(row),
      columns: z.array(
        z.object({ name: z.string(), kind: z.enum(['text', 'number', 'boolean', 'list', 'object', 'mixed']) }),
      ),
    }),
  }),
  z.object({
    type: z.literal('part'),
    part: z.object({
      rows,
      problems: z.array(z.object({ row: z.number(), message: z.string() })),
      read: z.number(),
    }),
  }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), fault }),
]);

/** Parses a message to the Web Worker. Throws a `ZodError` if it is invalid. */
export function readOrder(data: unknown): TableOrder {
  return z.parse(order, data);
}

/** Parses a message from the Web Worker. Throws a `ZodError` if it is invalid. */
export function readReport(data: unknown): TableReport {
  return z.parse(report, data);
}
