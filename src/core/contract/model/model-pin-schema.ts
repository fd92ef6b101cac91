/** @file The schema of a model pin (`models/pins/*.json`): the digests that Podium expects for the files of a model. */
import * as z from 'zod/mini';
import type { ModelPin } from './model-pin';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const revision = z.string().check(z.regex(/^[\da-f]{40}$/));
const file = {
  bytes: z.int().check(z.positive()),
  sha256: z.string().check(z.regex(/^[\da-f]{64}$/)),
};

export const modelPinSchema: z.ZodMiniType<ModelPin> = z.strictObject({
  revision,
  files: z.record(z.string().check(z.minLength(1)), z.strictObject(file)),
  library: z.strictObject({ url: z.url(), revision, ...file }),
});
