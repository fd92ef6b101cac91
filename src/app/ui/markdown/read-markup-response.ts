/**
 * @file Validates the responses of the Web Worker that parses Markdown. This file is separate from the messages, so that the Web
 * Worker does not load zod.
 */
import * as z from 'zod/mini';
import type { MarkupResponse } from './markup-messages';

z.config({ jitless: true });

const block = z.object({ length: z.number(), html: z.nullable(z.string()), isTail: z.boolean() });
const response: z.ZodMiniType<MarkupResponse> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('loading') }),
  z.object({ type: z.literal('block'), block }),
  z.object({ type: z.literal('failed') }),
]);

/** Throws a `ZodError` if the data is not a response. */
export function readMarkupResponse(data: unknown): MarkupResponse {
  return z.parse(response, data);
}
