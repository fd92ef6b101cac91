/**
 * @file Builds the command line once for each test file. If requested, also builds the page that runs programs. Starts child
 * processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Built {
  readonly script: string;
  /** Folder of the page that runs programs. It is built only on request. */
  readonly programs: string;
}

/** Must be called at the top of a test file. @returns a function that builds the command at its first call */
export function builtCommand({ withPrograms = false } = {}): () => Promise<Built> {
  let built: Promise<Built> | null = null;
  let folder: string | null = null;
  afterAll(async () => {
    await built?.catch(() => undefined);
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  });
  return () =>
    (built ??= (async () => {
      folder = await mkdtemp(join(tmpdir(), 'podium-built-'));
      // The built script looks for the page in the folder `programs` beside itself.
      const programs = join(folder, 'programs');
      await buildInto(folder, 'vite.node.config.ts');
      if (withPrograms) {
        await buildInto(programs, 'vite.programs.config.ts');
        // The script imports Playwright from this folder.
        await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
      }
      return { script: join(folder, 'podium.js'), programs };
    })());
}

async function buildInto(folder: string, config: string): Promise<void> {
  await build({
    configFile: join(ROOT, config),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, sourcemap: false },
  });
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
