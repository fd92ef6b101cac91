/**
 * @file The messages between the page and the Python runtime in the sandbox. Untrusted code in the
 * sandbox can forge any message of the runtime. Therefore both the guard in the sandbox and the
 * page check each message against a schema and limits (message-meter.ts).
 */
import * as z from 'zod/mini';

// Without this setting, zod tries to compile its schemas. The Content Security Policy blocks this
// and reports a violation.
z.config({ jitless: true });

/**
 * The files of the Python runtime. The page sends them once, with a port for all later messages.
 * They are Blobs, so that starting the runtime doesn't copy 12 MB.
 */
export interface RuntimeFiles {
  /** The runtime's script. */
  readonly script: Blob;
  readonly wasm: Blob;
  readonly standardLibrary: Blob;
  /**
   * A snapshot of Python's memory after startup, taken before any code runs. Python starts about six
   * times as fast from the snapshot. Absent: there is no snapshot yet.
   */
  readonly snapshot?: Blob;
}

/**
 * One piece of code for the runtime. The page sends the next piece only after this piece has ended.
 */
export interface RunOrder {
  readonly code: string;
  /** Whether this is the last piece. */
  readonly isLast: boolean;
  readonly stdin: string;
  /** Bytes. */
  readonly memoryLimit: number;
  /** UTF-16 units. */
  readonly outputLimit: number;
}

/** Number of `output` messages that the runtime sends before it starts to buffer output. */
export const PROMPT_MESSAGES = 200;
/** The runtime sends buffered output when it reaches this length, in UTF-16 units. */
export const PIECE = 8_192;
/** Maximum length of an error message, in UTF-16 units. */
export const LONGEST_ERROR = 2_000;

/** `result` is the value of the code's last expression. It counts toward the output limit. */
const streams = z.enum(['stdout', 'stderr', 'result']);
export type OutputStream = z.infer<typeof streams>;

const fromRuntime = z.discriminatedUnion('type', [
  // `ready` contains a `snapshot` if the runtime started without one.
  z.object({ type: z.literal('ready'), snapshot: z.optional(z.instanceof(Blob)) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('output'), stream: streams, text: z.string() }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('error'), message: z.string() }),
  // The interpreter has ended, because the code ended or crashed it.
  z.object({ type: z.literal('crashed'), message: z.string() }),
  z.object({ type: z.literal('memory-limit') }),
  z.object({ type: z.literal('output-limit') }),
  // Sent only by the guard, in place of a forged message.
  z.object({ type: z.literal('tampered') }),
]);

/**
 * A message from the runtime to the page. The first message is `ready` or `failed`. Each piece of
 * code causes any number of `output` messages, then one message of another type that ends the
 * piece.
 */
export type RuntimeMessage = z.infer<typeof fromRuntime>;

/**
 * Parses a message from the runtime. Does not limit the length of its texts.
 * @returns `null` if the data does not match the schema
 */
export function readRuntimeMessage(data: unknown): RuntimeMessage | null {
  return z.safeParse(fromRuntime, data).data ?? null;
}
