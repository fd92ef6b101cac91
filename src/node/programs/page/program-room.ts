/** @file The interface through which the command line calls its page in Chromium. The page runs programs in a sandbox. */
import type { CodeOutcome, CodeRequest } from '../../../core/contract';

/** All values are plain data, because they cross from one process to another. */
export interface ProgramRoom {
  /** Opens an interpreter for several pieces of code. @returns the number of the session */
  open(): Promise<number>;
  /**
   * Runs one piece of code. Rejects if the session is not open.
   * @param session from `open`. `null`: an interpreter for this piece of code only
   */
  run(session: number | null, code: string, request: CodeRequest): Promise<CodeOutcome>;
  close(session: number): void;
}

declare global {
  /** Defined only on the page that runs programs. */
  var podiumPrograms: ProgramRoom | undefined;
}
