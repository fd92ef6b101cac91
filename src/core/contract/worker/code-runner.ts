/**
 * @file Running code that nobody vouches for: what is asked, what is allowed, and how it ended. Implemented by
 * platform/sandbox.
 */

/**
 * UTF-16 units of all output of one run of code: what it prints and the value of its last line together. The text of a step
 * that runs code is at most about twice as long, for the fences around its output.
 */
export const CODE_OUTPUT_LIMIT = 32_768;

export interface CodeLimits {
  /** ms of running; loading the language does not count. */
  readonly timeLimit: number;
  /** Bytes the interpreter's memory may grow to, itself included. Default 512 MiB. */
  readonly memoryLimit?: number;
  /** UTF-16 units of standard output, standard error and result together. Default: `CODE_OUTPUT_LIMIT`. */
  readonly outputLimit?: number;
}

export interface CodeRequest extends CodeLimits {
  /** What the code reads as its standard input. Default: nothing. */
  readonly stdin?: string;
}

/**
 * - `error`: the code raised an error; the message is the end of its traceback
 * - `time-limit`, `memory-limit`, `output-limit`: it wanted more than it was given and was ended
 * - `tampered`: it forged messages of the sandbox and was ended
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
  /** What it printed until it ended, within the output limit. */
  readonly stdout: string;
  readonly stderr: string;
  /** The value of the code's last line as the language shows it, where that line is an expression with a value. Within the same limit. */
  readonly result?: string;
  /** There unless `ok`. */
  readonly fault?: CodeFault;
  /** ms that the code ran. */
  readonly time: number;
}

export interface CodeRunner {
  /**
   * Runs code on its own: nothing of an earlier run is there, no network, no storage, no page. One run at a time; others
   * wait. Whatever the code does is in the outcome; throws an `AbortError` when the signal aborts, which ends the code.
   */
  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome>;
  /** Lets go of what is kept ready for the next run. A later run starts anew. */
  dispose(): void;
}
