/**
 * @file `podium prompts`: exports prompts for training a Conductor, as JSONL and Parquet. Each
 * prompt has a label that `podium serve --score` needs for grading.
 */
import { isRecord, parseJson, WORKER_NAMINGS, type WorkerNaming } from '../../core/contract';
import { generatedTasks } from '../../core/evaluation/datasets/practice/generated-tasks';
import { checkReplaceable, writeWholeFile } from '../store/whole-file';
import { engineOptions, type Command, type CommandContext } from '../command';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { readPool, workerCount } from '../pool';
import { isScored } from '../serve/score/score-request';
import { readTaskFile } from '../task-file';
import { promptRows, type PromptTask } from './prompt-rows';
import { PromptTable } from './prompt-table';

const USAGE = `podium prompts --tasks FILE | --puzzles N [options]

  --tasks FILE        Tasks as JSON lines with question, grader, and reference if the grader needs one
  --puzzles N         Generated puzzles, which simulated workers can solve
  --out NAME          Writes NAME.jsonl and NAME.parquet (default: podium-prompts)
  --overwrite         Replaces these files even if they contain no prompts
  --workers K         Number of random workers in each prompt (default: the whole pool, in random order)
  --show number|name  How a prompt shows workers (default: number, as in the paper's training)
  --seed N            Seed. The same seed gives the same prompts (default: 0)
  --pool FILE         A pool exported from the page (default: simulated workers)

Makes no calls. docs/training-with-rewards.md describes the columns.
`;

export const promptsCommand: Command = {
  usage: USAGE,
  options: {
    tasks: { type: 'string' },
    puzzles: { type: 'string' },
    out: { type: 'string' },
    workers: { type: 'string' },
    show: { type: 'string' },
    seed: { type: 'string' },
    overwrite: { type: 'boolean' },
  },
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { line, terminal } = context;
  const seed = line.count('seed', 0) ?? 0;
  const pool = await readPool(engineOptions(context).pool);
  const workers = line.count('workers', 1) ?? pool.workers.length;
  if (workers > pool.workers.length) throw new UsageError(`The pool has only ${workerCount(pool)}.`);
  const all = await readTasks(context, seed);
  const tasks = all.filter(({ task }) => isScored(task.grader));
  if (tasks.length === 0) throw new UsageError('There is no task that podium serve --score can grade.');
  const out = line.text('out') ?? 'podium-prompts';
  const isAnyFile = line.has('overwrite');
  await checkReplaceable(`${out}.jsonl`, { isAnyFile, kind: 'a file of prompts', matches: hasPrompts });
  await checkReplaceable(`${out}.parquet`, { isAnyFile, kind: 'a file of prompts', matches: isOwnParquet });
  const table = new PromptTable();
  const lines: string[] = [];
  const options = { pool: pool.workers, preferences: pool.preferences, workers, seed, showWorkers: namingOf(context) };
  for (const row of promptRows(tasks, options)) {
    lines.push(`${JSON.stringify(row)}\n`);
    table.add(row);
  }
  await writeWholeFile(`${out}.jsonl`, lines.join(''));
  await writeWholeFile(`${out}.parquet`, table.finish());
  if (tasks.length < all.length) {
    terminal.error(
      `Left out ${all.length - tasks.length} tasks, because podium serve --score does not have their graders.\n`,
    );
  }
  terminal.error(`Wrote ${tasks.length} prompts to ${out}.jsonl and ${out}.parquet\n`);
  return EXIT.done;
}

/** Whether a file of JSON lines has prompts, and not tasks. */
function hasPrompts(content: Buffer): boolean {
  const end = content.indexOf('\n');
  const row = parseJson(content.toString('utf8', 0, Math.max(0, end)));
  return isRecord(row) && 'prompt' in row && 'label' in row && 'reward_model' in row;
}

/** Whether `PromptTable` has written a Parquet file. The name of the writer is at the end of such a file. */
function isOwnParquet(content: Buffer): boolean {
  return content.subarray(-200).includes('Podium');
}

function namingOf({ line }: CommandContext): WorkerNaming {
  const given = line.text('show') ?? 'number';
  const found = WORKER_NAMINGS.find((naming) => naming === given);
  if (!found) throw new UsageError(`--show must be ${WORKER_NAMINGS.join(' or ')}, not “${given}”.`);
  return found;
}

async function readTasks({ line, terminal }: CommandContext, seed: number): Promise<readonly PromptTask[]> {
  const [file, puzzles] = [line.text('tasks'), line.count('puzzles', 1)];
  if ((file === null) === (puzzles === null)) throw new UsageError('Give either --tasks or --puzzles.');
  if (file === null) return generatedTasks(seed, puzzles ?? 0).map((task) => ({ id: task.id, task }));
  return readTaskFile(file, (sentence) => terminal.error(`${sentence}\n`));
}
