/**
 * @file What the page and the runtime in the sandbox say to each other. The page reads every message against a schema:
 * what comes out of the sandbox may be forged by the code that runs in it.
 */
import * as z from 'zod/mini';

/** First word to the worker, with a port for all that follows. Blobs, so that 12 MB are not copied for every run. */
export interface RuntimeFiles {
  readonly wasm: Blob;
  readonly standardLibrary: Blob;
}

/** Page to runtime, once. */
export interface RunOrder {
  readonly code: string;
  readonly stdin: string;
  /** Bytes. */
  readonly memoryLimit: number;
  /** UTF-16 units. */
  readonly outputLimit: number;
}

const fromRuntime = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('output'), stream: z.enum(['stdout', 'stderr']), text: z.string() }),
  // Python's `None` comes out as `undefined`.
  z.object({ type: z.literal('finished'), result: z.optional(z.string()) }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('memory-limit') }),
  z.object({ type: z.literal('output-limit') }),
]);

/** Runtime to page: `ready` or `failed` once, then any `output`, then one of the others. */
export type RuntimeMessage = z.infer<typeof fromRuntime>;

/** @returns `null` for what is no message of the runtime */
export function readRuntimeMessage(data: unknown): RuntimeMessage | null {
  return z.safeParse(fromRuntime, data).data ?? null;
}
