/** @file The interface for running untrusted code: the request, its limits, and the outcome. `platform/sandbox` implements it. */

/**
 * Maximum output of one code run, in UTF-16 units. Printed text and the value of the last line both count. A
 * workflow step encloses this output in two Markdown fences. If the output contains long fences, the two fences
 * together can be about as long as the output. So the text of the step is at most about twice as long as this
 * limit.
 */
export const CODE_OUTPUT_LIMIT = 32_768;

export interface CodeLimits {
  /** Maximum running time in ms. Loading the interpreter does not count. */
  readonly timeLimit: number;
  /** Maximum memory in bytes, including the interpreter itself. Default: 512 MiB. */
  readonly memoryLimit?: number;
  /**
   * Maximum total length of standard output, standard error and result, in UTF-16 units. Default:
   * `CODE_OUTPUT_LIMIT`.
   */
  readonly outputLimit?: number;
}

export interface CodeRequest extends CodeLimits {
  /** The standard input. Default: empty. */
  readonly stdin?: string;
}

/**
 * - `error`: the code raised an error. The message is the end of its traceback
 * - `crashed`: the code ended or crashed the interpreter
 * - `time-limit`, `memory-limit`, `output-limit`: the code exceeded the limit and was stopped
 * - `tampered`: the code forged messages of the sandbox and was stopped
 * - `could-not-start`: the code never ran
 */
export type CodeFaultKind =
  'error' | 'crashed' | 'time-limit' | 'memory-limit' | 'output-limit' | 'tampered' | 'could-not-start';

export interface CodeFault {
  readonly kind: CodeFaultKind;
  /** A plain sentence, or the end of the traceback. */
  readonly message: string;
}

export interface CodeOutcome {
  /** Whether the code ran to its end. */
  readonly ok: boolean;
  /** The text printed to standard output, within the output limit. */
  readonly stdout: string;
  /** The text printed to standard error, within the output limit. */
  readonly stderr: string;
  /**
   * The value of the last line, formatted by the language, within the output limit. Absent if the last
   * line has no value.
   */
  readonly result?: string;
  /** Present unless `ok`. */
  readonly fault?: CodeFault;
  /** Time that the code ran, ms. */
  readonly time: number;
}

export interface CodeRunner {
  /**
   * Runs code in isolation. The code can't access the network, storage, the page or the data of earlier
   * runs. Runs happen one at a time, in a queue. If the code fails, the call resolves, and the outcome
   * has the fault. When the signal aborts, the code is stopped, and the call rejects with an `AbortError`.
   */
  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
  /**
   * Opens a session: one interpreter for several pieces of code. A session saves the time to start an
   * interpreter for each piece. Other runs wait until the session is closed, so the caller must close it.
   * Rejects with an `AbortError` when the signal aborts before the session is open.
   */
  open(signal: AbortSignal): Promise<CodeSession>;
  /** Releases the preloaded interpreter. The next run loads a new one. */
  dispose(): void;
}

/**
 * Runs several pieces of code in one interpreter, isolated like a single run. Later pieces can use
 * the names that earlier pieces defined.
 */
export interface CodeSession {
  /**
   * Runs the next piece with its own standard input, time limit and output limit. The memory limit of
   * the first piece applies to all pieces. After any fault except `error`, the session is over, and later
   * calls return the same fault. When the signal aborts, the session is over, and the call rejects with
   * an `AbortError`.
   */
  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
  /** Ends the session. Can be called repeatedly. */
  close(): void;
}
