/**
 * @file The schema of manifests. A manifest describes a local model: its source, size and hardware requirements. Podium bundles
 * some manifests (`models/*.json`). Manifests that users add are stored, so later versions must be able to read them.
 */
import * as z from 'zod/mini';
import type { ModelManifest } from './local-engine';

// By default, zod generates code at runtime, which a strict Content-Security-Policy forbids.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1));
const bytes = z.nullable(z.int().check(z.positive()));
const revision = z.nullable(text);
const digest = z.string().check(z.regex(/^sha(256|384|512)-[\w+/]+=*$/));
const integrity = z.strictObject({
  config: z.optional(digest),
  library: z.optional(digest),
  tokenizer: z.optional(z.record(z.string(), digest)),
});

const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('prebuilt'), id: text }),
  z.strictObject({
    kind: z.literal('mlc'),
    weights: z.url(),
    library: z.url(),
    revision,
    integrity: z.optional(integrity),
  }),
  z.strictObject({
    kind: z.literal('hub'),
    id: z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/)),
    revision,
    host: z.optional(z.url()),
  }),
  z.strictObject({ kind: z.literal('folder'), name: text }),
]);

/** One manifest. Unknown fields are rejected, because they are probably typos. */
export const manifestSchema: z.ZodMiniType<ModelManifest> = z.strictObject({
  id: text,
  label: text,
  engine: z.enum(['webllm', 'transformers']),
  source,
  withoutHalf: z.optional(text),
  download: bytes,
  largestTensor: z.optional(z.int().check(z.positive())),
  memory: bytes,
  context: z.int().check(z.positive()),
  licence: z.nullable(z.strictObject({ name: text, url: z.url() })),
  why: text,
  needs: z.array(z.literal('shader-f16')),
  prompt: z.nullable(z.strictObject({ fixed: z.string(), question: text })),
  showWorkers: z.enum(['number', 'name']),
});
