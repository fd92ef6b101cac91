/** @file The messages between the page and the export Web Worker. Each side validates the messages that it receives. */
import * as z from 'zod/mini';
import type { ExportRequest } from './run-exports';

const table = z.enum(['runs', 'steps', 'events']);
const what = z.discriminatedUnion('format', [
  z.object({ format: z.literal('csv'), table }),
  z.object({ format: z.literal('parquet'), table }),
  z.object({ format: z.literal('open-telemetry'), content: z.boolean() }),
  z.object({ format: z.literal('inspect') }),
  z.object({ format: z.literal('podium'), compress: z.boolean() }),
]);

/** The export that a Web Worker carries out. */
export type ExportOrder = { readonly database: string } & ExportRequest;

const order: z.ZodMiniType<ExportOrder> = z.object({
  database: z.string(),
  what,
  ids: z.nullable(z.array(z.string())),
  app: z.string(),
  now: z.number(),
});

export type ExportReport =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'progress'; readonly done: number; readonly of: number }
  | { readonly type: 'left-out'; readonly message: string };

const report: z.ZodMiniType<ExportReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('bytes'), bytes: z.custom<Uint8Array<ArrayBuffer>>(isBytes) }),
  z.object({ type: z.literal('progress'), done: z.number(), of: z.number() }),
  z.object({ type: z.literal('left-out'), message: z.string() }),
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
