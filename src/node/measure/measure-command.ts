/**
 * @file `podium measure`: asks the workers of a pool generated tasks, and shows how able each of them is in five domains. The
 * measurement is stored as JSON lines and can be continued.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isAbort, money, type PoolWorker } from '../../core/contract';
import type { MeasurementState } from '../../core/contract/measurement/measurement-state';
import { reportOf } from '../../core/measurement/report/report';
import { GENERATED_TASKS } from '../../core/measurement/session/generated-tasks';
import type { LiveMeasurement } from '../../core/measurement/session/live';
import { Measurer } from '../../core/measurement/session/measurer';
import { planFor, storedPlan, type Measurable } from '../../core/measurement/session/plan';
import { systemClock } from '../../platform/clock';
import { engineOptions, type Command, type CommandContext } from '../command';
import { createEngine, type Engine } from '../engine';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { faultText } from '../fault-text';
import { createPassingStore } from '../serve/passing-store';
import { createServerSpending } from '../serve/spending';
import { EventFile } from '../store/event-file';
import { lockFile } from '../store/file-lock';
import { MEASUREMENT_FORMAT } from './measurement-file';
import { planWords, reportWords } from './report-words';

const USAGE = `podium measure --pool FILE [options]

Asks the workers of the pool generated tasks of known difficulty, and shows how able each of them is in maths, code, logic, language
and data, with 90 % intervals. Part of the calls give a worker an answer to check.

  --max-cost USD      Maximum cost (default: 1). It is never exceeded
  --out FILE          Where each answer is written (default: podium-measure.jsonl). If the file has a measurement, continues it
  --dry-run           Shows what the budget buys, and makes no calls
  --seed N            Seed of the tasks (default: random)
  --json              Prints the result as JSON
  --pool FILE, --keys FILE, --config FILE

Exit codes: 0 done, 2 wrong input, 3 a budget was reached, 130 interrupted.
`;

export const measureCommand: Command = {
  usage: USAGE,
  options: { out: { type: 'string' }, 'dry-run': { type: 'boolean' }, seed: { type: 'string' } },
  run,
};

/** US dollars. */
const USUAL_BUDGET = 1;

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const { usd, ...options } = engineOptions(context);
  const budget = usd ?? USUAL_BUDGET;
  const spending = createServerSpending(budget, systemClock);
  const engine = await createEngine({ ...options, usd: null, store: createPassingStore(), spending });
  const measurables = measurablesOf(engine);
  if (measurables.length === 0) {
    throw new UsageError(
      'This pool has no workers that can be measured. Export a pool with workers on servers from the page, and give it with --pool.',
    );
  }
  const planned = planFor(measurables, budget);
  if (planned.workers.length === 0) {
    const full = money(planned.plan.fullCost);
    throw new UsageError(
      `A budget of ${money(budget)} buys no task, or no worker has a price. A full measurement costs about ${full}. Give more with --max-cost.`,
    );
  }
  terminal.error(`${planWords(planned, budget)}\n`);
  if (line.has('dry-run')) return EXIT.done;
  const out = resolve(line.text('out') ?? 'podium-measure.jsonl');
  const release = await lockFile(`${out}.lock`);
  try {
    const file = await EventFile.open(out, MEASUREMENT_FORMAT);
    try {
      const measurer = new Measurer({
        store: {
          read: async (id) => file.events.filter((event) => event.id === id),
          append: (event) => file.append(event),
        },
        tasks: GENERATED_TASKS,
        workers: engine.directory,
        spending,
        locks: engine.locks,
        clock: systemClock,
        newId: randomUUID,
        isPrivate: () => Promise.resolve(false),
        report: (thrown) => terminal.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`),
      });
      const known = file.events.find(({ type }) => type === 'started');
      const before = known ? await measurer.read(known.id) : null;
      if (before?.isFinished) {
        terminal.error(
          'This measurement has finished already. No calls are made. To measure again, choose another --out.\n',
        );
        return show(context, before);
      }
      const seed = line.count('seed', 0) ?? randomInt(2 ** 31);
      const given = { seed, usd: budget, revision: GENERATED_TASKS.revision };
      const live = await (known ? measurer.resume(known.id) : measurer.start(storedPlan(planned, given)));
      return await follow(live, context);
    } finally {
      await file.close();
    }
  } finally {
    await release();
  }
}

/** Simulated workers solve only Podium's own puzzles, so they are left out. */
function measurablesOf({ pool }: Engine): readonly Measurable[] {
  return pool.workers.flatMap((worker: PoolWorker): Measurable[] => {
    if (worker.kind !== 'endpoint') return [];
    const { reasoning, reasoningTokens } = pool.setups.get(worker.id) ?? {};
    return [
      {
        worker,
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
      },
    ];
  });
}

/** The first signal, such as SIGINT, stops the measurement. What was answered so far is shown. */
async function follow(live: LiveMeasurement, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context;
  const stop = () => live.stop();
  if (terminal.interrupted.aborted) stop();
  terminal.interrupted.addEventListener('abort', stop);
  let shown = 0;
  const unsubscribe = live.subscribe(({ plan, items }) => {
    const done = items.filter(({ answer }) => answer !== null).length;
    const all = plan.workers.reduce((sum, { tasks, checks }) => sum + tasks + checks, 0);
    const tenth = Math.floor((10 * done) / Math.max(1, all));
    if (tenth <= shown) return;
    shown = tenth;
    terminal.error(`${done} of ${all} calls\n`);
  });
  try {
    const { state, fault } = await live.done;
    if (fault && !isAbort(fault)) terminal.error(`${faultText(fault)}\n`);
    const code = show(context, state);
    if (terminal.interrupted.aborted) {
      terminal.error('Stopped. Continue it with the same command.\n');
      return EXIT.interrupted;
    }
    const isCapped =
      fault?.code === 'cap-reached' || [...state.ended.values()].some(({ code: own }) => own === 'cap-reached');
    return isCapped ? EXIT.incomplete : code;
  } finally {
    unsubscribe();
    terminal.interrupted.removeEventListener('abort', stop);
  }
}

function show({ line, terminal }: CommandContext, state: MeasurementState): ExitCode {
  const report = reportOf(state, GENERATED_TASKS.families);
  terminal.out(`${line.has('json') ? JSON.stringify(report) : reportWords(report)}\n`);
  return EXIT.done;
}
