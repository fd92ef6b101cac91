/** @file `podium open`, the default command: serves Podium's page on this machine. Ends on SIGINT, SIGTERM or SIGHUP. */
import { CACHE, SECURITY_HEADERS } from '../../../scripts/hosting';
import type { Command, CommandContext } from '../command';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { servePage, type PageServer } from '../page-server';
import { hasCode } from '../store/storage-fault';
import { untilInterrupted } from '../until-interrupted';

const USAGE = `podium [open] [options]

  --port PORT     Default: 4173. A browser stores runs and settings separately for each port
  --no-open       Only prints the address

Exit codes: 0 ended by a signal, 1 failed, 2 wrong input.
`;

const PORT = 4173;

export const openCommand: Command = {
  usage: USAGE,
  options: { port: { type: 'string' }, 'no-open': { type: 'boolean' } },
  run,
};

async function run({ line, terminal }: CommandContext): Promise<ExitCode> {
  const [text] = line.texts;
  if (text !== undefined) throw new UsageError(`“${text}” is not an option. See podium open --help.`);
  if (terminal.page === undefined) throw new UsageError('This build has no page.');
  const port = line.count('port', 0) ?? PORT;
  const server = await serve(terminal.page, port);
  // Not the IP address, because browsers allow passkeys only at host names.
  const url = `http://localhost:${server.port}/`;
  terminal.out(`Podium is at ${url}\nPress Ctrl+C to stop.\n`);
  // The address is printed, so a browser that can't be opened is no error.
  if (!line.has('no-open')) await terminal.browse?.(url).catch(() => undefined);
  await untilInterrupted(terminal.interrupted);
  await server.close();
  return EXIT.done;
}

/** Where the page hands a copy of its data over to the page that has opened it, which is at `localhost`. */
const HAND_OVER = '/hand-over';

const headersOf = (path: string) => ({
  ...SECURITY_HEADERS,
  'Cache-Control': path.startsWith('/assets/') ? CACHE.hashed : CACHE.other,
  // With `same-origin`, the two pages could not send each other messages. Other pages that open Podium still get no reference to
  // its window.
  'Cross-Origin-Opener-Policy': path === HAND_OVER ? 'unsafe-none' : 'same-origin-allow-popups',
});

/** Serves the page at `localhost`, and what it needs to bring data over from 127.0.0.1. Rejects like `servePage`. */
export const servePodium = (folder: string, port: number): Promise<PageServer> =>
  servePage(folder, { port, isLocalhost: true, headers: headersOf, aliases: { [HAND_OVER]: '/' } });

async function serve(folder: string, port: number) {
  try {
    return await servePodium(folder, port);
  } catch (thrown) {
    if (!hasCode(thrown, 'EADDRINUSE')) throw thrown;
    throw new UsageError(
      `Port ${port} is in use. If Podium is already running, open http://localhost:${port}/. If not, stop the other program: ` +
        'with another --port, the browser would not show the runs that it has stored for this one.',
    );
  }
}
