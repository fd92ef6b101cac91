/** @file The sentence models that come with Podium (`models/sentence/*.json`). */
import * as z from 'zod/mini';
import type { SentenceModel } from '../../../core/contract';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1));

/** The schema of a manifest. Rejects unknown fields, because they are probably typing errors. */
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

const files = import.meta.glob('../../../../models/sentence/*.json', { eager: true, import: 'default' });

/** All models, the smallest download first. Throws if a file does not match the schema. */
export function builtInSentenceModels(): readonly SentenceModel[] {
  return z
    .parse(z.array(sentenceModelSchema), Object.values(files))
    .sort((one, other) => one.download - other.download);
}
