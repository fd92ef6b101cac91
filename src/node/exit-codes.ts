/** @file The exit codes of the command line, documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** The command failed for a reason that no other code covers. */
  failed: 1,
  /** Wrong arguments, configuration or input files, or a browser that can’t start. No worker was called. */
  usage: 2,
  /** A cap was reached, or work is left for another reason. Run the command again to continue. */
  incomplete: 3,
  /** All work is done, but some units of the evaluation (see `eval/shards.ts`) failed or could not be graded. */
  someFailed: 4,
  /** The share of right answers is below the threshold that the user set. */
  belowThreshold: 100,
  /** SIGINT, SIGTERM or SIGHUP interrupted the command. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error in the user's input. `main` prints its message without a stack trace and returns the exit code `usage`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
