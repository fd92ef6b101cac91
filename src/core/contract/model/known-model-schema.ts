/** @file The schema of the files in `models/known/`, which contain published facts about models. */
import * as z from 'zod/mini';
import { BENCHMARKS, PUBLISHED_SETTINGS, type KnownModel } from './known-model';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1), z.maxLength(200));
const fact = { source: z.url(), date: z.iso.date() };
const percent = z.number().check(z.gte(0), z.lte(100));
const pattern = text.check(z.refine(isPattern, 'is not a regular expression'));

/** The content of one file. Unknown fields are rejected, because they are probably typos. */
export const knownModelSchema: z.ZodMiniType<KnownModel> = z.strictObject({
  id: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]*$/), z.maxLength(100)),
  label: text,
  ids: z.array(pattern).check(z.minLength(1)),
  context: z.nullable(z.strictObject({ tokens: z.int().check(z.positive()), ...fact })),
  vision: z.nullable(z.strictObject({ reads: z.boolean(), ...fact })),
  thinking: z.nullable(
    z.strictObject({ thinks: z.enum(['never', 'optional', 'always']), byDefault: z.optional(z.boolean()), ...fact }),
  ),
  figures: z
    .array(
      z.strictObject({
        setting: z.enum(PUBLISHED_SETTINGS),
        run: text,
        thinking: z.optional(z.boolean()),
        tables: text,
        ...fact,
        scores: z.partialRecord(z.enum(BENCHMARKS), percent),
      }),
    )
    .check(z.minLength(1)),
});

function isPattern(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
