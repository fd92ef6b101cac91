/**
 * @file `podium serve`: serves the Conductor as a model with the OpenAI API, or serves rewards to training libraries. Ends on
 * SIGINT, SIGTERM or SIGHUP.
 */
import { systemClock } from '../../platform/clock';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { workerCount } from '../pool';
import { lockFile } from '../store/file-lock';
import { openRunFiles, type FileRunStore } from '../store/run-files';
import { addressOf } from './http/address';
import { aboutRoutes } from './http/about';
import { startServer, type Route } from './http/server';
import { chatRoutes } from './model/chat';
import { TOOL_MODES } from './model/tools';
import { createPassingStore } from './passing-store';
import { requestOf } from './score/play-workflow';
import { scoreRoutes } from './score/routes';
import { createScorer } from './score/scorer';
import { createServerSpending } from './spending';
import { untilInterrupted } from '../until-interrupted';
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, storageFault } from '../store/storage-fault';

const USAGE = `podium serve --model | --score [options]

  --model             Serves the Conductor with its pool as the model “podium” of the OpenAI API
  --score             Serves rewards: POST /v1/score, and POST /get_reward for OpenRLHF
  --host HOST         Default: 127.0.0.1. Other hosts need a token in the variable PODIUM_TOKEN
  --port PORT         Default: 8000
  --concurrency N     Maximum number of runs at once (default: 64)
  --max-cost USD      Maximum total cost of the server until it is stopped
  --progress on|off   Whether clients get the plan and its progress as reasoning (default: on). Only with --model
  --tools MODE        What to do with tools of clients: refuse, ignore or forward (default: refuse). Only with --model
  --allow-origin URL  Lets web pages of this origin use the server. Needs a token. Can be repeated
  --runs FILE         Stores the runs in this file (default: runs are not stored)
  --pool FILE         A pool exported from the page (default: simulated workers)
  --keys FILE         A JSON file of addresses and keys. You must be the only user who can read it
  --conductor ID      The Conductor, such as policy or template:consensus. Only with --model
  --config FILE       The configuration (default: podium.config.json)

Exit codes: 0 ended by a signal after answering the requests in progress, 1 failed, 2 wrong input.
`;

const PORT = 8000;
const CONCURRENCY = 64;
/** Maximum sizes of a request body, in bytes. A request for rewards may be larger, because it contains many completions, and one for an answer may have images and files. */
const MOST_BYTES = { model: 32 * 2 ** 20, score: 64 * 2 ** 20 };
/** What the server's page says, and the path that clients use. */
const ABOUT = {
  model: { what: 'the model “podium” with the API of OpenAI', base: '/v1' },
  score: { what: 'rewards for training a Conductor', base: '/v1/score' },
} as const;
/** `ScorerOptions.patience` and `longestRun`, in ms. OpenRLHF waits 180 s for an answer, so `patience` is shorter. */
const TIMES = { patience: 170_000, longestRun: 600_000 };
/** Maximum total size of the request bodies that are being read, in bytes. */
const MOST_READING = 256 * 2 ** 20;

export const serveCommand: Command = {
  usage: USAGE,
  options: {
    model: { type: 'boolean' },
    score: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string' },
    concurrency: { type: 'string' },
    runs: { type: 'string' },
    progress: { type: 'string' },
    tools: { type: 'string' },
    'allow-origin': { type: 'string', multiple: true },
  },
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const isScore = line.has('score');
  if (isScore === line.has('model')) throw new UsageError('Give either --model or --score.');
  if (line.texts.length > 0) throw new UsageError(`“${line.texts[0]}” is not an option. See podium serve --help.`);
  const address = addressOf(context, PORT);
  const file = line.text('runs') === null ? null : await realPathOf(line.text('runs') ?? '');
  const release = file === null ? null : await lockFile(`${file}.lock`);
  try {
    const runs = file === null ? null : await openRunFiles(file, (sentence) => terminal.error(`${sentence}\n`));
    try {
      const { routes, stop, about } = await service(context, isScore, runs);
      const server = await startServer({
        ...address,
        routes: [...aboutRoutes(isScore ? ABOUT.score : ABOUT.model), ...routes],
        mostBytes: isScore ? MOST_BYTES.score : MOST_BYTES.model,
        mostReading: MOST_READING,
        report: (thrown) =>
          terminal.error(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`),
      });
      terminal.error(`${about} at ${server.url}${isScore ? '/v1/score' : '/v1'}\n`);
      await untilInterrupted(terminal.interrupted);
      terminal.error('Finishing the requests in progress. A second signal cancels them.\n');
      const cancel = () => {
        server.disconnect();
        void stop();
      };
      terminal.stopped?.addEventListener('abort', cancel, { once: true });
      if (terminal.stopped?.aborted) cancel();
      await server.close();
      await stop();
      return EXIT.done;
    } finally {
      await runs?.close();
    }
  } finally {
    await release?.();
  }
}

interface Service {
  readonly routes: readonly Route[];
  /** Stops the current runs, and resolves when they have ended. */
  stop(): Promise<void>;
  /** The description of the service that the command prints before the address. */
  readonly about: string;
}

async function service(context: CommandContext, isScore: boolean, runs: FileRunStore | null): Promise<Service> {
  const { usd, ...options } = engineOptions(context);
  const clock = systemClock;
  const spending = createServerSpending(usd, clock);
  // `--max-cost` limits the whole server, so the engine does not use it as a cap on each run.
  const engine = await createEngine({ ...options, usd: null, store: runs ?? createPassingStore(), spending });
  checkPrices(engine, usd, isScore);
  // An earlier server that crashed may have left unfinished runs in the file of `--runs`.
  await engine.runs.recover();
  const { line } = context;
  const concurrency = line.count('concurrency', 1) ?? context.config.serve?.concurrency ?? CONCURRENCY;
  const workers = workerCount(engine.pool);
  if (isScore) {
    const { terminal } = context;
    const report = (thrown: unknown) =>
      terminal.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    const scorer = createScorer({ engine, clock, runs, usd, concurrency, ...TIMES, report });
    return { routes: scoreRoutes(scorer), stop: () => scorer.stop(), about: `Scores with ${workers}` };
  }
  const ended = (runId: string) => (runs ? Promise.resolve() : engine.store.delete(runId));
  const progress = line.choice('progress', ['on', 'off']) !== 'off';
  const tools = line.choice('tools', TOOL_MODES) ?? 'refuse';
  const routes = chatRoutes({ engine, clock, concurrency, progress, tools, usd, ended });
  // Each run ends with its request, so there is no run to stop.
  const stop = () => Promise.resolve();
  return { routes, stop, about: `The model “podium” (${engine.conductor.label}, ${workers})` };
}

/**
 * Throws a `UsageError` if the server has a cap on its spending, but the price of a worker or of the
 * Conductor is unknown. Without this check, the server would start, but each request would fail.
 */
function checkPrices(engine: Engine, usd: number | null, isScore: boolean): void {
  const question = 'Is this allowed?';
  const given = { question, pool: engine.pool.workers, seed: 0, workflow: { steps: [] } };
  // With `--score`, the server never calls the Conductor, so the Conductor's price is not checked.
  const request = isScore ? requestOf(given, { engine, usd }) : { ...engine.request(question), dayUsd: usd };
  const refusal = engine.runs.check(request);
  if (refusal) throw new UsageError(refusal.message);
}

/** Follows the links in the path of a file, which may be missing. Throws a `FaultError` if this fails. */
async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  try {
    return await realpath(whole);
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw storageFault(path, thrown);
  }
  // The file is missing, or it is a link to a missing file. The real path of a loop of links fails above.
  const target = await readlink(whole).catch(() => null);
  const folder = dirname(whole);
  if (target !== null) return realPathOf(resolve(folder, target));
  return folder === whole ? whole : join(await realPathOf(folder), basename(whole));
}
