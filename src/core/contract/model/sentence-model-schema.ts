/** @file The schema of a sentence model's manifest (`models/sentence/*.json`). */
import * as z from 'zod/mini';
import type { SentenceModel } from './sentence-model';

// A strict Content-Security-Policy forbids the code that zod would compile.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1));

/** One manifest. A field that this version does not know is refused: in a manifest it is a slip of the pen. */
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
