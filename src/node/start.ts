/** @file The entry point of the command line: connects `main` to this process. */
import { fstatSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import open from 'open';
import { main } from './main';
import { printable } from './printable';

const interrupted = new AbortController();
const stopped = new AbortController();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
function receive(): void {
  if (!interrupted.signal.aborted) return interrupted.abort();
  stopped.abort();
  // From now on, the next signal ends the process at once.
  for (const signal of SIGNALS) process.off(signal, receive);
}
for (const signal of SIGNALS) process.on(signal, receive);
// A reader such as `head` may close the pipe early. The resulting errors are ignored.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const hasDisplay =
  process.platform === 'darwin' ||
  process.platform === 'win32' ||
  Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  keepsMarkdown: fstatSync(process.stdout.fd).isFile(),
  // Messages may contain texts from providers and files, so control characters are removed.
  error: (text) => void process.stderr.write(printable(text)),
  interrupted: interrupted.signal,
  stopped: stopped.signal,
  page: path('../dist/'),
  ...(hasDisplay && !process.env.CI ? { browse: async (url: string) => void (await open(url)) } : {}),
  // This folder contains the page that runs programs. `vite.programs.config.ts` builds the page.
  programs: path('./programs/'),
  tables: path('./table-worker.js'),
});
