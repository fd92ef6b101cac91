/**
 * @file `podium eval`: carries out one shard (a part) of an evaluation plan. A shard stores its runs and outcomes in its own
 * files. A resumed shard carries out only the units without an outcome. With `--retry-errors`, it also repeats the failed
 * units. With `--regrade`, it first replaces older verdicts.
 */
import { resolve } from 'node:path';
import type { BatchProgress, LiveBatch, Regraded, BatchPlan } from '../../core/contract';
import { hasTagTasks } from '../../core/evaluation/batches/sent-question';
import { resultsTable } from '../../core/evaluation/tables/results-table';
import { tableAsMarkdown } from '../../core/evaluation/tables/export-table';
import { systemClock } from '../../platform/clock';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { printable } from '../printable';
import { lockFile } from '../store/file-lock';
import { openRunFiles } from '../store/run-files';
import { createEvaluation, withShardBudget, type EvaluationParts } from './evaluation';
import { OutcomeFile } from './outcome-file';
import { loadPlanDatasets, readPlanData } from './plan-datasets';
import { PLAN_OPTIONS, readPlan, type EvaluationPlan } from './plan-file';
import { checkPlanPool } from './plan-pool';
import { findPlanBrowser, startPrograms } from './plan-programs';
import { ProgressPrinter } from './progress-printer';
import { readShard, type Shard } from './shards';
import { readShardPlan, shardPaths, writeShardPlan, type ShardPaths } from './shard-files';
import { targetOf } from '../../platform/workers/openai-client';
import { placesOf } from '../../platform/workers/limits/call';

const USAGE = `podium eval PLAN --out FOLDER [options]

PLAN is a file that was exported on Evaluate in the page. Results in the file are ignored.
A unit of the plan is one task with one method in one repeat.

  --out FOLDER        Where the runs and outcomes are written
  --shard I/N         Only part I of N. auto/N takes the index from Slurm or Kubernetes
  --resume            Continues this shard, or starts it if it has not started
  --retry-errors      With --resume: also repeats units that failed
  --regrade           With --resume: first grades stored answers again if their verdicts are from an older version
  --data FILE         A dataset of the plan. Repeat the option for several datasets
  --map FILE          The columns of a dataset, if the plan does not contain them
  --accept-references Continues although most references of a dataset can’t be right
  --measured FILE     A measurement of podium measure: checks are trusted by it instead of by that in the plan
  --pool FILE         The workers of the plan, exported from the page
  --keys FILE         A JSON file of addresses and keys. You must be the only user who can read it
  --limit N           Only the first N tasks of each dataset
  --repeats N         Number of runs of each task by each method
  --seed N            Replaces the seed of the plan
  -j, --jobs N        Number of runs at a time
  --max-cost USD      Maximum cost of this shard
  --threshold SHARE   Fails if the share of right answers is below SHARE, from 0 to 1
  --json              Prints progress as lines of JSON
  --config FILE       The configuration (default: podium.config.json)

Exit codes: 0 done, 2 wrong input, 3 incomplete or capped, 4 some units failed, 100 below the threshold, 130 interrupted.
`;

export const evalCommand: Command = {
  usage: USAGE,
  options: {
    ...PLAN_OPTIONS,
    out: { type: 'string' },
    shard: { type: 'string' },
    resume: { type: 'boolean' },
    'retry-errors': { type: 'boolean' },
    regrade: { type: 'boolean' },
    threshold: { type: 'string' },
  },
  run,
};

interface Order {
  readonly path: string;
  readonly shard: Shard;
  readonly files: ShardPaths;
  readonly isResumed: boolean;
  readonly isRetry: boolean;
  readonly isRegraded: boolean;
  /** Minimum share of right answers. `null`: no minimum. */
  readonly threshold: number | null;
}

async function run(context: CommandContext): Promise<ExitCode> {
  const order = readOrder(context);
  const plan = await readPlan(order.path, context.line);
  const { batch } = plan;
  const datasets = await loadPlanDatasets(batch.plan, await readPlanData(context));
  const { files, shard } = order;
  // A process on another machine may have crashed while it held the lock. So `lockFile` calls `notify`, then
  // waits until that lock counts as stale.
  const notify = (sentence: string) => context.terminal.error(`${sentence}\n`);
  const release = await lockFile(files.lock, { signal: context.terminal.interrupted, notify });
  try {
    const isNew = await checkShard(order, plan);
    const store = await openRunFiles(files.runs, notify);
    try {
      const caps = { own: context.line.number('max-cost', 0), all: context.config.maxCost ?? null };
      const outcomes = await OutcomeFile.open(files.outcomes, withShardBudget(batch, caps, shard), notify);
      try {
        // The methods of the plan name their own Conductors, so `conductor` is only a placeholder. There is no
        // cap for a single run here, because the budget applies to the whole shard.
        const engine = await createEngine({ ...engineOptions(context), conductor: 'policy', usd: null, store });
        checkPlanPool(batch, engine);
        for (const sentence of fewerCallsSentences(batch.plan, engine)) context.terminal.error(`${sentence}\n`);
        const programs = await startPrograms(await findPlanBrowser(batch.plan, datasets, context), context);
        try {
          if (isNew) await writeShardPlan(files.plan, shard, plan);
          return await evaluate({ engine, store, outcomes, datasets, programs }, order, plan, context);
        } finally {
          await programs?.close();
        }
      } finally {
        await outcomes.close();
      }
    } finally {
      await store.close();
    }
  } finally {
    await release();
  }
}

async function evaluate(
  parts: Pick<EvaluationParts, 'engine' | 'store' | 'datasets' | 'programs'> & { readonly outcomes: OutcomeFile },
  order: Order,
  { batch }: EvaluationPlan,
  context: CommandContext,
): Promise<ExitCode> {
  const { line, terminal } = context;
  const { shard, isRetry } = order;
  if (batch.plan.history === 'before') {
    terminal.error(
      'The plan lets Conductors use earlier graded runs. The command line has no such runs, so Conductors plan without them.\n',
    );
  }
  const report = (thrown: unknown) => terminal.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  const runner = createEvaluation({ ...parts, shard, report });
  await parts.engine.runs.recover();
  if (order.isRegraded) terminal.error(`${regradedWords(await runner.regrade(batch.id, terminal.interrupted))}\n`);
  const live = await (isRetry ? runner.retryFailed(batch.id) : runner.start(batch.id));
  const progress = await follow(live, order, context);
  await parts.store.flush();
  if (shard.of === 1 && !line.has('json')) {
    const table = resultsTable(batch, await parts.outcomes.outcomes(), {
      profile: 'strict',
      hasTagTasks: await hasTagTasks(batch.plan, parts.datasets),
    });
    terminal.out(printable(tableAsMarkdown({ ...table, published: [] })));
  }
  return exitCodeOf(progress, order, context);
}

function regradedWords({ checked, nowRight, nowWrong, missing }: Regraded): string {
  const kept = missing > 0 ? ` ${missing} are no longer stored, so their verdicts stay.` : '';
  return `Answers graded again: ${checked}. Right instead of wrong: ${nowRight}. Wrong instead of right: ${nowWrong}.${kept}`;
}

function readOrder({ line, terminal }: CommandContext): Order {
  const [path, ...rest] = line.texts;
  if (path === undefined) throw new UsageError('Give the file of a plan. Export one on Evaluate in the page.');
  if (rest.length > 0) throw new UsageError(`Give one plan. Unexpected argument “${rest[0]}”.`);
  const out = line.text('out');
  if (out === null) throw new UsageError('Give the folder of the results with --out.');
  const threshold = line.number('threshold', 0);
  if (threshold !== null && threshold > 1) throw new UsageError('--threshold must be a share from 0 to 1.');
  const shard = readShard(line.text('shard'), terminal.environment);
  const isResumed = line.has('resume');
  const isRetry = line.has('retry-errors');
  if (isRetry && !isResumed)
    throw new UsageError('--retry-errors repeats units of an earlier run, so it needs --resume.');
  const isRegraded = line.has('regrade');
  if (isRegraded && !isResumed)
    throw new UsageError('--regrade grades the answers of an earlier run again, so it needs --resume.');
  return { path, shard, files: shardPaths(resolve(out), shard), isResumed, isRetry, isRegraded, threshold };
}

/**
 * Throws a `UsageError` if the shard's files belong to another plan, or if the shard was started before and `--resume` is
 * missing.
 * @returns whether the shard is new
 */
async function checkShard({ files, shard, isResumed }: Order, { digest }: EvaluationPlan): Promise<boolean> {
  const stored = await readShardPlan(files.plan);
  if (!stored) return true;
  if (stored.digest !== digest || stored.index !== shard.index || stored.of !== shard.of) {
    throw new UsageError(
      `${files.plan} belongs to another plan, or has other options. Choose another folder with --out.`,
    );
  }
  if (isResumed) return false;
  throw new UsageError(
    `Shard ${shard.index} of ${shard.of} is in this folder already. Add --resume to continue it, or choose another folder.`,
  );
}

/**
 * Prints the progress until the batch ends. The first interrupt pauses the batch after the current runs. The second interrupt
 * stops the current runs.
 */
async function follow(live: LiveBatch, { shard }: Order, { line, terminal }: CommandContext): Promise<BatchProgress> {
  const printer = new ProgressPrinter({ terminal, shard, isJson: line.has('json'), clock: systemClock });
  const unsubscribe = live.subscribe((progress) => printer.update(progress));
  const pause = () => {
    terminal.error('Interrupted. Finishing the current runs. Interrupt again to stop them.\n');
    live.pause();
  };
  const stop = () => live.stop();
  if (terminal.interrupted.aborted) pause();
  if (terminal.stopped?.aborted) stop();
  terminal.interrupted.addEventListener('abort', pause);
  terminal.stopped?.addEventListener('abort', stop);
  try {
    const progress = await live.done;
    printer.finish(progress);
    return progress;
  } finally {
    unsubscribe();
    terminal.interrupted.removeEventListener('abort', pause);
    terminal.stopped?.removeEventListener('abort', stop);
  }
}

function exitCodeOf(progress: BatchProgress, { threshold }: Order, { terminal }: CommandContext): ExitCode {
  const { status, failed, notGradable, graded, right, fault } = progress;
  if (fault) terminal.error(`${fault.message}\n`);
  if (status !== 'finished') {
    terminal.error('Continue with the same command and --resume.\n');
    return terminal.interrupted.aborted ? EXIT.interrupted : EXIT.incomplete;
  }
  if (failed + notGradable > 0) return EXIT.someFailed;
  const share = graded === 0 ? 0 : right / graded;
  if (threshold === null || share >= threshold) return EXIT.done;
  terminal.error(
    `${(100 * share).toFixed(1)} % of the answers are right, less than the threshold of ${(100 * threshold).toFixed(1)} %.\n`,
  );
  return EXIT.belowThreshold;
}

/** One sentence for each worker of the plan whose limit is lower than the number of parallel runs. */
function fewerCallsSentences(
  { methods, judge, concurrency }: Pick<BatchPlan, 'methods' | 'judge' | 'concurrency'>,
  { pool: { setups } }: Engine,
): readonly string[] {
  const workers = [...methods.flatMap(({ settings }) => settings.pool), ...(judge ? [judge] : [])];
  return [...new Map(workers.map((worker) => [worker.id, worker.name]))].flatMap(([id, name]) => {
    const setup = setups.get(id);
    if (!setup) return [];
    const target = targetOf(setup, null);
    const entered = target.limits.concurrent;
    const places = entered ?? placesOf(target, Number.POSITIVE_INFINITY);
    if (places >= concurrency) return [];
    const reason =
      entered === null
        ? 'It is a server of your own, and no number of parallel calls is entered for it. Enter one under Workers and export the pool again.'
        : 'You entered this limit for the worker.';
    return [`${name} gets at most ${places} calls at a time, although ${concurrency} runs are in progress. ${reason}`];
  });
}
