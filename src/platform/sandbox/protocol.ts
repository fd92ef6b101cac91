/**
 * @file The messages between the page and the runtime in the sandbox. The code that runs there can forge any message of the
 * runtime. Therefore both the guard in the sandbox and the page check each message against a schema and limits
 * (message-meter.ts).
 */
import * as z from 'zod/mini';

// Without this setting, zod tries to compile its schemas, which the Content Security Policy blocks and reports.
z.config({ jitless: true });

/**
 * The page sends this message to the guard once, with a port for all later messages. The files are Blobs, so that 12 MB are not
 * copied for every run.
 */
export interface RuntimeFiles {
  /** The runtime's script. */
  readonly script: Blob;
  readonly wasm: Blob;
  readonly standardLibrary: Blob;
  /**
   * A snapshot of Python's memory after its start, before any code ran. Starting from the snapshot takes a tenth of the time.
   * Absent: there is no snapshot yet.
   */
  readonly snapshot?: Blob;
}

/**
 * One piece of code. The page sends it through the guard to the runtime. The page sends the next piece when this piece has
 * ended.
 */
export interface RunOrder {
  readonly code: string;
  /** Whether no other piece follows. */
  readonly isLast: boolean;
  readonly stdin: string;
  /** Bytes. */
  readonly memoryLimit: number;
  /** UTF-16 units. */
  readonly outputLimit: number;
}

/** The runtime sends this many pieces of output immediately, then collects output into larger pieces. */
export const PROMPT_MESSAGES = 200;
/** Size of a larger piece in UTF-16 units. */
export const PIECE = 8_192;
/** Maximum length of an error message, in UTF-16 units. */
export const LONGEST_ERROR = 2_000;

/** `result` is the value of the code's last line. It counts towards the output limit, like printed text. */
const streams = z.enum(['stdout', 'stderr', 'result']);
export type OutputStream = z.infer<typeof streams>;

const fromRuntime = z.discriminatedUnion('type', [
  // A runtime that started without a snapshot sends a `snapshot`.
  z.object({ type: z.literal('ready'), snapshot: z.optional(z.instanceof(Blob)) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('output'), stream: streams, text: z.string() }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('memory-limit') }),
  z.object({ type: z.literal('output-limit') }),
  // Sent only by the guard, in place of a forged message.
  z.object({ type: z.literal('tampered') }),
]);

/**
 * A message of the runtime to the page. The runtime first sends `ready` or `failed` once. For each piece of code, it then sends
 * any number of `output` messages and one message of another type.
 */
export type RuntimeMessage = z.infer<typeof fromRuntime>;

/** @returns `null` if the data is not a message of the runtime. Texts may have any length */
export function readRuntimeMessage(data: unknown): RuntimeMessage | null {
  return z.safeParse(fromRuntime, data).data ?? null;
}
