/** @file Builds the command line, and starts child processes. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Built {
  readonly script: string;
  /** Folder of the page that runs programs. */
  readonly programs: string;
}

/**
 * Builds the command line unless a build is newer than the sources. All test files and the end-to-end tests share this build. A
 * child process makes it, because Vitest's `NODE_ENV` would lead to a build for development.
 */
export async function builtCommand(): Promise<Built> {
  const { NODE_ENV: _env, ...env } = process.env;
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-if-stale.mjs'), 'command-line'], { env });
  return { script: join(ROOT, 'dist-node/podium.js'), programs: join(ROOT, 'dist-node/programs') };
}

export interface Running {
  readonly child: ChildProcess;
  /** `out` and `error` return the texts that the process has printed so far. */
  readonly out: () => string;
  readonly error: () => string;
  /** The exit code. `null`: the process was killed. */
  readonly ended: Promise<number | null>;
}

export function startProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const { PATH = '' } = process.env;
  const child = spawn(file, args, { env: { PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { child, out: () => out, error: () => error, ended };
}

/** Resolves when the condition holds, or when the process has ended. */
export function waitFor(running: Running, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const { exitCode, signalCode } = running.child;
      if (!holds() && exitCode === null && signalCode === null) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
}
