/**
 * @file The messages between the page and the Web Worker that decodes a table. The page reads the bytes of the file, on request of
 * the Web Worker, which calls the page with the same protocol as the page calls it. So the page knows whether the Web Worker is decoding or waiting. Each side validates the messages it receives.
 * The command line uses the same messages with a worker thread of Node.
 */
import * as z from 'zod/mini';
import { isRecord, TABLE_FORMATS, type TableFormat, type TablePart } from '../../../core/contract';
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

/** `bytes`: the Web Worker sends its requests for bytes of the file to this port. */
export interface TableOrder {
  readonly task: TableTask;
  readonly bytes: MessagePort;
}

const encoding = z.enum(TEXT_ENCODINGS);
const format = z.enum(TABLE_FORMATS);
const file = { name: z.string(), size: z.number(), format, encoding: z.optional(encoding) };

const task: z.ZodMiniType<TableTask> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('open'), ...file }),
  z.object({
    type: z.literal('read'),
    ...file,
    columns: z.optional(z.array(z.string())),
    footer: z.optional(z.number()),
  }),
]);
const order: z.ZodMiniType<TableOrder> = z.object({ task, bytes: z.instanceof(MessagePort) });

const byteRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('slice'), start: z.number(), end: z.number() }),
  /** Requests all bytes, in chunks. */
  z.object({ type: z.literal('stream') }),
]);
/** A request for bytes of the file. */
export type ByteRequest = z.infer<typeof byteRequest>;
const bytes = z.instanceof(ArrayBuffer);

export type TableReport =
  | { readonly type: 'progress' }
  | { readonly type: 'opened'; readonly head: TableHead }
  | { readonly type: 'part'; readonly part: TablePart };

const row = z.custom<TableHead['preview'][number]>(isRecord);
/** Checks the rows without a schema for each row, because a table can have millions of rows. */
const rows = z.custom<TablePart['rows']>(
  (value) =>
    Array.isArray(value) &&
    value.every((each) => isRecord(each) && typeof each.row === 'number' && isRecord(each.value)),
);
const report: z.ZodMiniType<TableReport> = z.discriminatedUnion('type', [
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
]);

/** Parses a message to the Web Worker. Throws a `ZodError` if it is invalid. */
export function readOrder(data: unknown): TableOrder {
  return z.parse(order, data);
}

/** Parses a message from the Web Worker. Throws a `ZodError` if it is invalid. */
export function readReport(data: unknown): TableReport {
  return z.parse(report, data);
}

/** Parses a request for bytes. Throws a `ZodError` if it is invalid. */
export function readByteRequest(data: unknown): ByteRequest {
  return z.parse(byteRequest, data);
}

/** Parses bytes of the file. Throws a `ZodError` if they are invalid. */
export function readBytes(data: unknown): ArrayBuffer {
  return z.parse(bytes, data);
}
