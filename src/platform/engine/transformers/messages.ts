/**
 * @file The messages from the page to the Web Worker of a transformers.js model. The Web Worker
 * validates them on arrival. The replies are in `reports.ts`.
 */
import * as z from 'zod/mini';
import type { Named } from '../engine-faults';
import { generate } from '../generate-command';

const hub = z.object({
  kind: z.literal('hub'),
  host: z.string(),
  id: z.string(),
  revision: z.nullable(z.string()),
});
const folder = z.object({
  kind: z.literal('folder'),
  files: z.array(z.object({ path: z.string(), file: z.instanceof(File) })),
});
const device = z.enum(['webgpu', 'wasm']);

const command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    manifestId: z.string(),
    label: z.string(),
    source: z.discriminatedUnion('kind', [hub, folder]),
    device,
    /** Whether the GPU supports half precision. */
    half: z.boolean(),
    /** Maximum number of tokens in the prompt and the answer together. */
    context: z.int().check(z.positive()),
  }),
  generate,
]);

export type Command = z.infer<typeof command>;
export type LoadCommand = Extract<Command, { type: 'load' }>;

/** The names of the model and its host, for error messages. */
export function namedOf({ label, source }: LoadCommand): Named {
  return { label, host: source.kind === 'hub' ? new URL(source.host).host : null };
}

/** Parses a command. Throws a `ZodError` for any other data. */
export const readCommand = (data: unknown): Command => command.parse(data);
