/** @file `podium plan`: estimates the calls and the cost of an evaluation, without making a call. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { money, type BatchEstimate } from '../../core/contract';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { printable } from '../printable';
import { openRunFiles } from '../store/run-files';
import { createEvaluation } from './evaluation';
import { OutcomeFile } from './outcome-file';
import { loadPlanDatasets, readPlanData } from './plan-datasets';
import { PLAN_OPTIONS, readPlan } from './plan-file';
import { checkPlanPool } from './plan-pool';
import { findPlanBrowser } from './plan-programs';

const USAGE = `podium plan PLAN [options]

Checks the plan, its datasets and its workers, and estimates all shards together. Makes no calls.

  --data FILE, --map FILE, --accept-references, --measured FILE, --pool FILE, --keys FILE, --limit N, --repeats N, --seed N, -j N
                      as for podium eval
  --json              Prints the estimate as JSON

Exit codes: 0 done, 2 wrong input.
`;

export const planCommand: Command = { usage: USAGE, options: PLAN_OPTIONS, run };

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const [path, ...rest] = line.texts;
  if (path === undefined || rest.length > 0) throw new UsageError('Give the file of one plan.');
  const { batch } = await readPlan(path, line);
  const datasets = await loadPlanDatasets(batch.plan, await readPlanData(context));
  const folder = await mkdtemp(join(tmpdir(), 'podium-plan-'));
  try {
    const store = await openRunFiles(join(folder, 'runs.jsonl'), () => undefined);
    const outcomes = await OutcomeFile.open(join(folder, 'outcomes.jsonl'), batch, () => undefined);
    try {
      const engine = await createEngine({ ...engineOptions(context), conductor: 'policy', usd: null, store });
      checkPlanPool(batch, engine);
      await findPlanBrowser(batch.plan, datasets, context);
      const shard = { index: 1, of: 1 };
      const runner = createEvaluation({
        engine,
        store,
        outcomes,
        datasets,
        shard,
        programs: null,
        report: () => undefined,
      });
      const estimate = await runner.estimate(batch.plan, null, terminal.interrupted);
      terminal.out(line.has('json') ? `${JSON.stringify(estimate)}\n` : words(batch.name, estimate));
      return EXIT.done;
    } finally {
      await Promise.all([store.close(), outcomes.close()]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function words(name: string, { units, calls, usd }: BatchEstimate): string {
  const cost = usd === null ? 'unknown, because a price is missing' : `${money(usd.low)} to ${money(usd.high)}`;
  return `${printable(name)}\nRuns:  ${units}\nCalls: ${calls.low} to ${calls.high}\nCost:  ${usd?.high === 0 ? 'free' : cost}\n`;
}
