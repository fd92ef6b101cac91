/** @file The interface of a `podium` command, and the context that the command receives. */
import type { CommandLine, OptionTypes } from './command-line';
import type { Config } from './config';
import type { EngineOptions } from './engine';
import type { ExitCode } from './exit-codes';

/** The process that a command runs in. Tests replace it. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Writes results to the standard output. */
  out(text: string): void;
  /** Whether the standard output is a file, in which an answer keeps its Markdown. Default: `false`. */
  readonly keepsMarkdown?: boolean;
  /** Writes progress and warnings to the error output. */
  error(text: string): void;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
  /** Aborted by the second such signal. The command then cancels the running work. Absent: never aborted. */
  readonly stopped?: AbortSignal;
  /** Folder of the built page. Absent: the page can’t be served. */
  readonly page?: string;
  /** Opens a URL in the user's browser. Absent: the machine has no display. */
  readonly browse?: (url: string) => Promise<void>;
  /** Folder of the built page that runs programs (Python code in answers). Absent: programs can’t be run. */
  readonly programs?: string;
  /** Path of the built thread that decodes tables (`eval/table-worker.ts`). Absent: tables can’t be read. */
  readonly tables?: string;
}

export interface CommandContext {
  readonly line: CommandLine;
  readonly config: Config;
  readonly terminal: Terminal;
}

export interface Command {
  readonly usage: string;
  readonly options: OptionTypes;
  /** Carries out the command. Throws a `UsageError` for wrong input and a `FaultError` for any other failure. */
  run(context: CommandContext): Promise<ExitCode>;
}

/** The options of the engine, from the command line and the configuration. The command line takes precedence. */
export function engineOptions({ line, config, terminal }: CommandContext): Omit<EngineOptions, 'store'> {
  return {
    pool: line.text('pool') ?? config.pool ?? null,
    keys: line.text('keys') ?? config.keys ?? null,
    conductor: line.text('conductor') ?? config.conductor ?? null,
    usd: line.number('max-cost', 0) ?? config.maxCost ?? null,
    environment: terminal.environment,
  };
}
