import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { main } from '../../../src/node/main';
import { startOpenAiServer } from '../../fixtures/openai-server';
import { servePodium, temporaryFolder, writePool } from '../../fixtures/podium-server';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const Row = z.object({
  prompt: z.array(z.object({ role: z.string(), content: z.string() })),
  label: z.string(),
  data_source: z.string(),
  reward_model: z.object({ ground_truth: z.string(), style: z.string() }),
  extra_info: z.object({ index: z.number(), task_id: z.string(), pool: z.array(z.string()), seed: z.number() }),
});
const Label = z.object({ task: z.looseObject({}), pool: z.array(z.string()), seed: z.number() });

/** Runs `podium prompts`. @returns the rows of the JSON Lines file, the rows of the Parquet file as `table`, and the log */
async function prompts(...args: readonly string[]) {
  const out = join(folder.path, 'prompts');
  let log = '';
  const code = await main(['prompts', '--out', out, ...args], {
    environment: {},
    out: () => undefined,
    error: (text) => void (log += text),
    interrupted: new AbortController().signal,
  });
  if (code !== 0) throw new Error(`${code}: ${log}`);
  const lines = (await readFile(`${out}.jsonl`, 'utf8')).trim().split('\n');
  const bytes = await readFile(`${out}.parquet`);
  const file = new Uint8Array(bytes).buffer;
  return {
    log,
    rows: lines.map((line) => Row.parse(JSON.parse(line))),
    table: await parquetReadObjects({ file }),
  };
}

it('writes the same rows as JSON lines and as Parquet', async () => {
  const { rows, table } = await prompts('--puzzles', '30', '--workers', '3');
  expect(rows).toHaveLength(30);
  expect(table).toEqual(rows);
});

it('chooses a random subset of the pool for each prompt, and the same subsets for the same seed', async () => {
  const { rows } = await prompts('--puzzles', '30', '--workers', '3');
  const pools = rows.map(({ extra_info }) => extra_info.pool);
  expect(pools.every((pool) => new Set(pool).size === 3)).toBe(true);
  expect(new Set(pools.map((pool) => pool.join())).size).toBeGreaterThan(10);
  expect((await prompts('--puzzles', '30', '--workers', '3')).rows).toEqual(rows);
  const other = await prompts('--puzzles', '30', '--workers', '3', '--seed', '1');
  expect(other.rows.map(({ extra_info }) => extra_info.pool)).not.toEqual(pools);
});

it('writes the task, pool and seed of each prompt to the label and the ground truth', async () => {
  const [row] = (await prompts('--puzzles', '1')).rows;
  const label = Label.parse(JSON.parse(row?.label ?? ''));
  expect(label).toMatchObject({ pool: row?.extra_info.pool, seed: row?.extra_info.seed, task: { grader: 'puzzle' } });
  expect(row?.reward_model).toEqual({ ground_truth: row?.label, style: 'rule' });
});

it('leaves out tasks whose grader `podium serve` can’t run, and rejects a task that names no grader', async () => {
  const file = join(folder.path, 'tasks.jsonl');
  const tasks = [
    { question: 'What is it?', grader: 'exact', reference: 'it' },
    { question: 'Write it.', grader: 'python' },
  ];
  await writeFile(file, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  const { rows, log } = await prompts('--tasks', file);
  expect(rows).toHaveLength(1);
  expect(log).toContain('Left out 1');
  await writeFile(file, '{"question":"Why?"}\n');
  await expect(prompts('--tasks', file)).rejects.toThrow(/^2: .*line 1: grader/);
});

it('exports exactly the messages that Podium sends to a Conductor on a server', async () => {
  const upstream = await startOpenAiServer();
  try {
    const worker = { id: 'desk', baseUrl: upstream.url, model: 'ok@conducts' };
    const pool = await writePool(folder.path, [worker], { conductor: 'endpoint:desk' });
    const file = join(folder.path, 'tasks.jsonl');
    await writeFile(file, `${JSON.stringify({ question: 'What is it?', grader: 'exact', reference: 'it' })}\n`);
    const { rows } = await prompts('--tasks', file, '--pool', pool, '--show', 'name');
    const server = await servePodium(['--model', '--pool', pool]);
    try {
      const body = { model: 'podium', messages: [{ role: 'user', content: 'What is it?' }] };
      await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    } finally {
      await server.stop();
    }
    expect(upstream.calls('ok@conducts')[0]?.body).toMatchObject({ messages: rows[0]?.prompt });
  } finally {
    await upstream.close();
  }
});

it('leaves out GPQA tasks, and reports their number', async () => {
  const file = join(folder.path, 'tasks.jsonl');
  const task = { question: 'Which?', grader: 'letter', reference: 'A' };
  const canary = 'gpqa:0000:00000000-0000-0000-0000-000000000000';
  const tasks = [task, { ...task, source: 'gpqa_diamond' }, { ...task, question: `Which? ${canary}` }];
  await writeFile(file, tasks.map((each) => JSON.stringify(each)).join('\n'));
  const { rows, log } = await prompts('--tasks', file);
  expect(rows).toHaveLength(1);
  expect(log).toContain('Left out 2 tasks of GPQA, because its questions must not be written to files.');
});
