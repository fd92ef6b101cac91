/**
 * @file `podium mcp`: serves the Conductor as tools of the Model Context Protocol, on the standard input and output or over HTTP.
 * Nothing else is written to the standard output.
 */
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { chargedBy, isFree } from '../../core/contract';
import { systemClock } from '../../platform/clock';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { workerCount } from '../pool';
import { aboutRoutes } from '../serve/http/about';
import { addressOf } from '../serve/http/address';
import { startServer } from '../serve/http/server';
import { createPassingStore } from '../serve/passing-store';
import { createServerSpending } from '../serve/spending';
import { untilInterrupted } from '../until-interrupted';
import { ConductedRuns, PATIENCE } from './conducted-runs';
import { MCP_PATH, mcpRoute } from './mcp-route';
import { createMcpServer } from './mcp-tools';
import { SavedRuns } from './saved-runs';

const USAGE = `podium mcp [options]

Without --http, a client such as a coding agent starts this command, and they talk over the standard input and output.

  --http              Serves the tools at http://127.0.0.1:8001/mcp
  --host HOST         With --http. Default: 127.0.0.1. Other hosts need a token in the variable PODIUM_TOKEN
  --port PORT         With --http. Default: 8001
  --allow-origin URL  With --http: lets web pages of this origin use the server. Needs a token. Can be repeated
  --concurrency N     Maximum number of runs at once (default: 64)
  --max-cost USD      Maximum total cost until the command ends. Required if a worker costs money
  --runs FILE         A file of runs that clients may search and read: exported from the page, or of podium serve --runs
  --pool FILE         A pool exported from the page (default: simulated workers)
  --keys FILE         A JSON file of addresses and keys. You must be the only user who can read it
  --conductor ID      The Conductor, such as policy or template:consensus
  --config FILE       The configuration (default: podium.config.json)

Exit codes: 0 ended by a signal or by the client, 1 failed, 2 wrong input.
`;

const PORT = 8001;
const CONCURRENCY = 64;
/** Maximum size of a request body, and of all bodies that are being read, in bytes. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_READING = 256 * 2 ** 20;

export const mcpCommand: Command = {
  usage: USAGE,
  options: {
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string' },
    'allow-origin': { type: 'string', multiple: true },
    concurrency: { type: 'string' },
    runs: { type: 'string' },
  },
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const [unknown] = line.texts;
  if (unknown !== undefined) throw new UsageError(`“${unknown}” is not an option. See podium mcp --help.`);
  const path = line.text('runs');
  const saved = path === null ? null : new SavedRuns(path);
  // Reports a file that can't be read now, and not at the first search.
  await saved?.all();
  const { usd, ...options } = engineOptions(context);
  const clock = systemClock;
  const spending = createServerSpending(usd, clock);
  const engine = await createEngine({ ...options, usd: null, store: createPassingStore(), spending });
  if (usd === null) checkFree(engine);
  const most = line.count('concurrency', 1) ?? CONCURRENCY;
  const conducted = new ConductedRuns({ engine, clock, most, patience: PATIENCE });
  const createServer = () => createMcpServer({ engine, conducted, saved, usd });
  const report = (thrown: unknown) => terminal.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  for (const notice of engine.pool.notices) terminal.error(`${notice}\n`);
  const about = `Tools of the Model Context Protocol (${engine.conductor.label}, ${workerCount(engine.pool)})`;
  try {
    if (line.has('http')) await serveHttp(context, { createServer, about, report });
    else await serveStreams(context, { createServer, about, report });
  } finally {
    await conducted.stop();
  }
  return EXIT.done;
}

interface Served {
  readonly createServer: () => ReturnType<typeof createMcpServer>;
  readonly about: string;
  readonly report: (thrown: unknown) => void;
}

async function serveHttp(context: CommandContext, { createServer, about, report }: Served): Promise<void> {
  const { terminal } = context;
  const address = addressOf(context, PORT);
  const mcp = mcpRoute(createServer, address.origins, report);
  const what = 'tools of the Model Context Protocol';
  const server = await startServer({
    ...address,
    routes: [...aboutRoutes({ what, base: MCP_PATH }), ...mcp.routes],
    mostBytes: MOST_BYTES,
    mostReading: MOST_READING,
    report,
  });
  terminal.error(`${about} at ${server.url}${MCP_PATH}\n`);
  await untilInterrupted(terminal.interrupted);
  terminal.error('Finishing the requests in progress. A second signal cancels them.\n');
  terminal.stopped?.addEventListener('abort', () => server.disconnect(), { once: true });
  if (terminal.stopped?.aborted) server.disconnect();
  await server.close();
  await mcp.close();
}

/** Serves until the client closes its end, or a signal arrives. */
async function serveStreams({ terminal }: CommandContext, { createServer, about, report }: Served): Promise<void> {
  const ended = new AbortController();
  process.stdin.once('end', () => ended.abort()).once('close', () => ended.abort());
  const handle = serveStdio(createServer, { transport: new StdioServerTransport(), onerror: report });
  terminal.error(`${about}\n`);
  await untilInterrupted(AbortSignal.any([ended.signal, terminal.interrupted]));
  await handle.close();
}

/** Throws a `UsageError` if a call may cost money. */
function checkFree({ pool, conductor }: Engine): void {
  const paid = [chargedBy(conductor), ...pool.workers].find((each) => !isFree(each));
  if (!paid) return;
  throw new UsageError(
    `Calls to ${paid.name} cost money. Give the most that this server may spend, such as --max-cost 2.`,
  );
}
