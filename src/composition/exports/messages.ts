/** @file The messages between the page and the export Web Worker. Each side validates the messages that it receives. */
import * as z from 'zod/mini';
import type { Fault } from '../../core/contract';
import * as part from '../../core/contract/storage/schema-parts';
import type { ExportRequest } from './run-exports';

const table = z.enum(['runs', 'steps', 'events']);
const what = z.discriminatedUnion('format', [
  z.object({ format: z.literal('csv'), table }),
  z.object({ format: z.literal('parquet'), table }),
  z.object({ format: z.literal('open-telemetry'), content: z.boolean() }),
  z.object({ format: z.literal('inspect') }),
  z.object({ format: z.literal('podium'), compress: z.boolean() }),
]);

/**
 * A message to the Web Worker. `export` starts the export. `next` requests the next piece of the file.
 * Each Web Worker carries out one export.
 */
export type ExportOrder =
  ({ readonly type: 'export'; readonly database: string } & ExportRequest) | { readonly type: 'next' };

const order: z.ZodMiniType<ExportOrder> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('export'),
    database: z.string(),
    what,
    ids: z.nullable(z.array(z.string())),
    app: z.string(),
    now: z.number(),
  }),
  z.object({ type: z.literal('next') }),
]);

export type ExportReport =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'progress'; readonly done: number; readonly of: number }
  | { readonly type: 'left-out'; readonly message: string }
  | { readonly type: 'finished' }
  | { readonly type: 'failed'; readonly fault: Fault };

const report: z.ZodMiniType<ExportReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bytes'), bytes: z.custom<Uint8Array<ArrayBuffer>>(isBytes) }),
  z.object({ type: z.literal('progress'), done: z.number(), of: z.number() }),
  z.object({ type: z.literal('left-out'), message: z.string() }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), fault: part.fault }),
]);

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
}

/** Parses an order. Throws a `ZodError` if `data` is not an order. */
export function readOrder(data: unknown): ExportOrder {
  return z.parse(order, data);
}

/** Parses a report. Throws a `ZodError` if `data` is not a report. */
export function readReport(data: unknown): ExportReport {
  return z.parse(report, data);
}
