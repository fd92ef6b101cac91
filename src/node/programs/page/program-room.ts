/** @file The interface between the command line and its page in Chromium, in which the sandbox runs programs. */
import type { CodeOutcome, CodeRequest } from '../../../core/contract';

/** All values are plain data, because they cross from one process to another. */
export interface ProgramRoom {
  /** Opens an interpreter for several pieces of code. @returns the number of the session */
  open(): Promise<number>;
  /**
   * Rejects if the session is not open.
   * @param session from `open`. `null`: an interpreter for this piece only
   */
  run(session: number | null, code: string, request: CodeRequest): Promise<CodeOutcome>;
  close(session: number): void;
}

declare global {
  /** Defined only on the page that runs programs. */
  var podiumPrograms: ProgramRoom | undefined;
}
