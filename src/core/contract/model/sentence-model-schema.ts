/** @file The schema of a sentence model's manifest (`models/sentence/*.json`). */
import * as z from 'zod/mini';
import type { SentenceModel } from './sentence-model';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1));

/** Rejects unknown fields, because they are probably typing errors. */
export const sentenceModelSchema: z.ZodMiniType<SentenceModel> = z.strictObject({
  id: text,
  label: text,
  hub: z.strictObject({
    id: z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/)),
    revision: z.nullable(text),
    host: z.optional(z.url()),
  }),
  download: z.int().check(z.positive()),
  licence: z.nullable(z.strictObject({ name: text, url: z.url() })),
  why: text,
});
