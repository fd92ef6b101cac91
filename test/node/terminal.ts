/** @file Runs a `podium` command in this process, and collects its output. */
import { main } from '../../src/node/main';
import { tableWorker } from '../fixtures/table-worker';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

export interface TerminalOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly interrupted?: AbortSignal;
  readonly stopped?: AbortSignal;
  /** Folder of Podium's built page. */
  readonly page?: string;
  readonly browse?: (url: string) => Promise<void>;
  /** Folder of the built page in which programs run. */
  readonly programs?: string;
  /** Called with each text that is written to stderr. */
  readonly onError?: (text: string) => void;
}

export async function command(args: readonly string[], options: TerminalOptions = {}): Promise<CommandResult> {
  let out = '';
  let error = '';
  const code = await main(args, {
    environment: options.environment ?? {},
    out: (text) => void (out += text),
    error: (text) => {
      error += text;
      options.onError?.(text);
    },
    interrupted: options.interrupted ?? new AbortController().signal,
    ...(options.stopped ? { stopped: options.stopped } : {}),
    ...(options.page === undefined ? {} : { page: options.page }),
    ...(options.browse ? { browse: options.browse } : {}),
    ...(options.programs === undefined ? {} : { programs: options.programs }),
    ...(args.includes('--data') ? { tables: await tableWorker() } : {}),
  });
  return { code, out, error };
}
