/** @file Checks what the Worker that parses Markdown reports. Apart from the messages, so that the Worker does not load zod. */
import * as z from 'zod/mini';
import type { MarkupReport } from './markup-messages';

z.config({ jitless: true });

const block = z.object({ length: z.number(), html: z.nullable(z.string()), isTail: z.boolean() });
const report: z.ZodMiniType<MarkupReport> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('loading') }),
  z.object({ type: z.literal('block'), block }),
  z.object({ type: z.literal('failed') }),
]);

/** Throws a `ZodError` where it is no report. */
export function readMarkupReport(data: unknown): MarkupReport {
  return z.parse(report, data);
}
