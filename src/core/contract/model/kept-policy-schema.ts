/**
 * @file The schema of a saved policy in storage and backups. The schema is loose, so that unknown fields from later versions
 * are kept.
 */
import * as z from 'zod/mini';
import { isMoment, LONGEST_NAME } from '../storage/bounds';
import type { KeptPolicy } from './kept-policy';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME));
/**
 * Maximum length of `weights`, in base64 characters: about five times the length of the bundled policy's
 * weights.
 */
const LONGEST_WEIGHTS = 1_000_000;
const count = z.int().check(z.nonnegative());
const interval = z.looseObject({ mean: z.number(), low: z.number(), high: z.number() });
const settling = z.looseObject({ cutShort: count, right: count, repaired: count, broken: count });
const standing = { right: interval, calls: z.number(), settling: z.optional(settling) };
const rival = { ...standing, lead: interval };

export const policyFileSchema = z.looseObject({
  format: z.literal('podium-policy'),
  revision: text,
  weights: z.string().check(z.minLength(1), z.maxLength(LONGEST_WEIGHTS)),
});

export const heldOutSchema = z.looseObject({
  items: count,
  candidate: z.looseObject(standing),
  heuristic: z.looseObject(rival),
  inUse: z.looseObject({ ...rival, revision: text }),
});

export const keptPolicySchema: z.ZodMiniType<KeptPolicy> = z.looseObject({
  id: text,
  name: text,
  madeAt: z.number().check(z.refine(isMoment)),
  origin: z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('trained'),
      seed: z.number(),
      loss: text,
      planned: count,
      updates: count,
      from: z.nullable(text),
      runs: z.catch(count, 0),
    }),
    z.looseObject({ kind: z.literal('imported'), file: z.string() }),
  ]),
  heldOut: z.nullable(heldOutSchema),
  wasUsed: z.optional(z.boolean()),
  checkpoint: policyFileSchema,
});
