/** @file The interface for running untrusted code: the request, its limits, and the outcome. `platform/sandbox` implements it. */

/**
 * Maximum UTF-16 units of the output of one run of code: printed text and the value of the last line together. The output of a
 * step that runs code is at most about twice as long, because the fences around it can be long.
 */
export const CODE_OUTPUT_LIMIT = 32_768;

export interface CodeLimits {
  /** Maximum running time in ms, without the time to load the language. */
  readonly timeLimit: number;
  /** Maximum bytes of the interpreter's memory, including the interpreter. Default 512 MiB. */
  readonly memoryLimit?: number;
  /** Maximum UTF-16 units of standard output, standard error and result together. Default: `CODE_OUTPUT_LIMIT`. */
  readonly outputLimit?: number;
}

export interface CodeRequest extends CodeLimits {
  /** The standard input. Default: empty. */
  readonly stdin?: string;
}

/**
 * - `error`: the code raised an error. The message is the end of its traceback
 * - `time-limit`, `memory-limit`, `output-limit`: the code exceeded the limit and was stopped
 * - `tampered`: the code forged messages of the sandbox and was stopped
 * - `could-not-start`: the code never ran
 */
export type CodeFaultKind = 'error' | 'time-limit' | 'memory-limit' | 'output-limit' | 'tampered' | 'could-not-start';

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
   * The value of the last line as the language shows it, within the output limit. Absent if that line is not an expression that
   * has a value.
   */
  readonly result?: string;
  /** Present unless `ok`. */
  readonly fault?: CodeFault;
  /** Time that the code ran, ms. */
  readonly time: number;
}

export interface CodeRunner {
  /**
   * Runs code in isolation: without data of earlier runs, network, storage or access to the page. Only one run is in progress at a
   * time, and others wait. If the code fails, the promise still resolves, and the outcome reports the failure. When the signal
   * aborts, the code is stopped, and the call rejects with an `AbortError`.
   */
  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
  /**
   * Opens an interpreter for several pieces of code, one after another, because starting an interpreter takes time. Other runs
   * wait until the session is closed, so the caller must close it. Rejects with an `AbortError` when the signal aborts before the
   * session is open.
   */
  open(signal: AbortSignal): Promise<CodeSession>;
  /** Releases the interpreter that is kept ready for the next run. A later run loads an interpreter again. */
  dispose(): void;
}

/**
 * Several pieces of code in one interpreter, isolated like a single run. Later pieces see the names that earlier pieces have
 * defined.
 */
export interface CodeSession {
  /**
   * Runs the next piece, with its own limits and its own standard input. The memory limit of the first piece applies to all
   * pieces. After any fault except `error` the session is over, and further pieces end with the same fault. When the signal
   * aborts, the session is over, and the call rejects with an `AbortError`.
   */
  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
  /** Ends the session. Further calls have no effect. */
  close(): void;
}
