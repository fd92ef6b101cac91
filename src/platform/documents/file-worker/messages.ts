/** @file The messages between the page and the Web Worker that reads an attached file. Each side validates what it receives. */
import * as z from 'zod/mini';
import type { FileText } from '../read-bytes';

z.config({ jitless: true });

/** The task of a Web Worker: the file to read. */
export interface FileOrder {
  readonly name: string;
  readonly file: Blob;
}

export interface FileReport {
  readonly content: FileText;
  readonly hash: string;
}

const order = z.object({ name: z.string(), file: z.instanceof(Blob) });
const report: z.ZodMiniType<FileReport> = z.object({
  content: z.object({ kind: z.string(), text: z.string() }),
  hash: z.string(),
});

/** Parses a message to the Web Worker. Throws a `ZodError` if it is invalid. */
export function readOrder(data: unknown): FileOrder {
  return z.parse(order, data);
}

/** Parses a message from the Web Worker. Throws a `ZodError` if it is invalid. */
export function readReport(data: unknown): FileReport {
  return z.parse(report, data);
}
