/** @file Reads where a server listens and who may use it: the options --host, --port and --allow-origin, and the token. */
import { originOf } from '../../../core/contract';
import type { CommandContext } from '../../command';
import { UsageError } from '../../exit-codes';
import { isLoopback, type Access } from './access';

const HOST = '127.0.0.1';
const MOST_PORT = 65_535;

/** @param usualPort the port if neither the command line nor the configuration names one */
export function addressOf(
  { line, config, terminal }: CommandContext,
  usualPort: number,
): Access & { readonly port: number } {
  const host = line.text('host') ?? config.serve?.host ?? HOST;
  const port = line.count('port', 0) ?? config.serve?.port ?? usualPort;
  if (port > MOST_PORT) throw new UsageError(`--port must be at most ${MOST_PORT}.`);
  const token = terminal.environment.PODIUM_TOKEN?.trim() || null;
  if (token === null && !isLoopback(host)) {
    throw new UsageError(
      `Other machines can reach ${host}. Set the environment variable PODIUM_TOKEN to a secret text.`,
    );
  }
  if (token !== null && isWeakToken(token)) {
    terminal.error(
      'Warning: PODIUM_TOKEN is easy to guess. Use at least 16 random characters, such as the output of: openssl rand -hex 16\n',
    );
  }
  return { host, port, token, origins: originsOf(line.all('allow-origin'), token) };
}

/** Throws a `UsageError` if a page could use the server without a token, or if an address is no exact origin. */
function originsOf(given: readonly string[], token: string | null): readonly string[] {
  if (given.length > 0 && token === null) {
    throw new UsageError('--allow-origin needs a token. Set the environment variable PODIUM_TOKEN to a secret text.');
  }
  const wrong = given.find((origin) => !/^https?:/.test(origin) || originOf(origin) !== origin);
  if (wrong === undefined) return given;
  throw new UsageError(`--allow-origin must be an exact origin, such as https://chat.example, not “${wrong}”.`);
}

/** Whether a secret is short or repeats few characters, so that others can guess it by trying. */
function isWeakToken(token: string): boolean {
  return token.length < 16 || new Set(token.toLowerCase()).size < 8;
}
