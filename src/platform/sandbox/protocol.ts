/**
 * @file The messages between the page and the runtime in the sandbox. Both the guard in the sandbox and the page read every
 * message of the runtime against a schema and within limits (message-meter.ts): the code that runs there may forge any of them.
 */
import * as z from 'zod/mini';

// zod would otherwise try to compile its schemas, which the policy refuses and reports.
z.config({ jitless: true });

/** Page to guard, once, with a port for all that follows. Blobs, so that 12 MB are not copied for every run. */
export interface RuntimeFiles {
  /** The runtime's script. */
  readonly script: Blob;
  readonly wasm: Blob;
  readonly standardLibrary: Blob;
}

/** Page to guard to runtime, once. */
export interface RunOrder {
  readonly code: string;
  readonly stdin: string;
  /** Bytes. */
  readonly memoryLimit: number;
  /** UTF-16 units. */
  readonly outputLimit: number;
}

/** The runtime sends this many pieces of output at once, and the rest in larger pieces. */
export const PROMPT_MESSAGES = 200;
/** UTF-16 units of those larger pieces. */
export const PIECE = 8_192;
/** UTF-16 units of an error message. */
export const LONGEST_ERROR = 2_000;

/** `result` is the value of the code's last line; like what is printed, it is output. */
const streams = z.enum(['stdout', 'stderr', 'result']);
export type OutputStream = z.infer<typeof streams>;

const fromRuntime = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('output'), stream: streams, text: z.string() }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('memory-limit') }),
  z.object({ type: z.literal('output-limit') }),
  // Only the guard sends it, in place of what the runtime never sends.
  z.object({ type: z.literal('tampered') }),
]);

/** Runtime to page: `ready` or `failed` once, then any `output`, then one of the others. */
export type RuntimeMessage = z.infer<typeof fromRuntime>;

/** @returns `null` for anything but a message of the runtime; texts may have any length */
export function readRuntimeMessage(data: unknown): RuntimeMessage | null {
  return z.safeParse(fromRuntime, data).data ?? null;
}
