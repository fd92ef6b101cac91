/** @file The exit codes of the command line, documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** The command failed for a reason that no other code covers. */
  failed: 1,
  /**
   * Invalid arguments, configuration or input files, or a browser that can’t start. No worker was
   * called.
   */
  usage: 2,
  /**
   * The work is incomplete, for example because a cap was reached. Run the command again to
   * continue.
   */
  incomplete: 3,
  /**
   * All units (see `eval/shards.ts`) that the command handles are done, but some failed or could not
   * be graded.
   */
  someFailed: 4,
  /** The share of right answers is below `--threshold`. */
  belowThreshold: 100,
  /** SIGINT, SIGTERM or SIGHUP interrupted the command. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error in the user's input. `main` prints its message without a stack trace and returns the exit code `usage`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
