/**
 * @file Running code that nobody vouches for: what is asked, what is allowed, and how it ended. Implemented by
 * platform/sandbox.
 */

export interface CodeLimits {
  /** ms of running; loading the language does not count. */
  readonly timeLimit: number;
  /** Bytes the interpreter's memory may grow to, itself included. Default 512 MiB. */
  readonly memoryLimit?: number;
  /** UTF-16 units of standard output and error together. Default 65,536. */
  readonly outputLimit?: number;
}

export interface CodeRequest extends CodeLimits {
  /** What the code reads as its standard input. Default: nothing. */
  readonly stdin?: string;
}

/**
 * - `error`: the code raised an error; the message is the end of its traceback
 * - `time-limit`, `memory-limit`, `output-limit`: it wanted more than it was given and was ended
 * - `could-not-start`: the code never ran
 */
export type CodeFaultKind = 'error' | 'time-limit' | 'memory-limit' | 'output-limit' | 'could-not-start';

export interface CodeFault {
  readonly kind: CodeFaultKind;
  /** A plain sentence, or the end of the traceback. */
  readonly message: string;
}

export interface CodeOutcome {
  /** Whether the code ran to its end. */
  readonly ok: boolean;
  /** What it printed until it ended, cut at the output limit. */
  readonly stdout: string;
  readonly stderr: string;
  /** The value of the code's last line as the language shows it, where that line is an expression with a value. */
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
