/**
 * @file Tests the shims of docs/training-with-rewards.md. A shim is a Python file that connects a trainer, such as TRL, to the
 * rewards of `podium serve`. The tests call the shims as the documentation of the trainers describes.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { practiceTasks } from '../../fixtures/evaluation/practice';
import { servePodium, temporaryFolder, writePool, type PodiumServer } from '../../fixtures/podium-server';
import { step } from '../../fixtures/run-events';

const run = promisify(execFile);
const PYTHON = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!PYTHON) console.log('Skips the test of the Python in docs/training-with-rewards.md: python3 is not installed.');

/** Returns the Python blocks of docs/training-with-rewards.md, by the file name in their first line. */
async function blocks(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile(new URL('../../../docs/training-with-rewards.md', import.meta.url), 'utf8');
  const found = [...page.matchAll(/^```python\n# (\S+)\n(.*?)^```$/gms)];
  return new Map(found.map(([, name = '', code = '']) => [name, code]));
}

const SHIMS = ['podium_rewards.py', 'podium_trl.py', 'podium_verl.py', 'podium_taskset.py'];
const plans = [formatWorkflow({ steps: [step(0, 'Solve it.')] }, { access: 'fine' }), 'I have no idea.'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: PodiumServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await servePodium(['--score'], { environment: { PODIUM_TOKEN: 'secret' } });
  const code = await blocks();
  for (const name of code.keys()) await writeFile(join(folder.path, name), code.get(name) ?? '');
  await writeFile(join(folder.path, 'plans.json'), JSON.stringify(plans));
  await writePrompts({ question: practiceTasks(1)[0]?.question ?? '', grader: 'puzzle' });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

async function writePrompts(task: object, pool: readonly string[] = ['sim:birch']): Promise<void> {
  const label = JSON.stringify({ task, pool, seed: 1 });
  const row = {
    prompt: [],
    label,
    data_source: 'podium',
    reward_model: { ground_truth: label, style: 'rule' },
    extra_info: {},
  };
  await writeFile(join(folder.path, 'podium-prompts.jsonl'), `${JSON.stringify(row)}\n`.repeat(plans.length));
}

async function call(trainer: string, url = server.url): Promise<unknown> {
  const fixtures = new URL('../../fixtures/trainers/', import.meta.url).pathname;
  const env = {
    ...process.env,
    PYTHONPATH: `${fixtures}:${folder.path}`,
    PYTHONDONTWRITEBYTECODE: '1',
    PODIUM_URL: url,
    PODIUM_TOKEN: 'secret',
  };
  const { stdout } = await run('python3', [join(fixtures, 'call.py'), trainer], { cwd: folder.path, env });
  const value: unknown = JSON.parse(stdout);
  return value;
}

/** Calls `score` of podium_rewards.py, without its pauses. @returns the rewards, and the ids of each request's items */
async function scoreWith(replies: readonly Reply[], patience = 3600) {
  const requests: string[][] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(JSON.parse(body));
      requests.push(items.map(({ id }) => id));
      const reply = replies[Math.min(requests.length, replies.length) - 1];
      if (reply === 'broken') return void response.destroy();
      if (reply === 'silent' || reply === undefined) return;
      if (typeof reply === 'number') return void response.writeHead(reply, { 'retry-after': '60' }).end('{}');
      const results = items.map(({ id }, index) => {
        const reward = reply[index] ?? null;
        return { id, reward, error: reward === null ? { code: 'worker_outage', message: '', retryable: true } : null };
      });
      response.writeHead(200).end(JSON.stringify({ results }));
    });
  };
  const other = createServer(listener);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const code = [
    'import json, podium_rewards, time',
    'time.sleep = lambda seconds: None',
    `print(json.dumps(podium_rewards.score(["{}", "{}"], ["one", "two"], ${patience})))`,
  ];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PODIUM_URL: `http://127.0.0.1:${port}` };
  try {
    const { stdout } = await run('python3', ['-c', code.join('\n')], { cwd: folder.path, env });
    const rewards: unknown = JSON.parse(stdout);
    return { rewards, requests };
  } finally {
    other.closeAllConnections();
    other.close();
  }
}

/** An HTTP status, rewards for the items, a closed connection, or no response. */
type Reply = number | readonly (number | null)[] | 'broken' | 'silent';

describe.runIf(PYTHON)('the shims', () => {
  it('repeat a request after broken connections, outages and timeouts, but only for items without a result', async () => {
    const { rewards, requests } = await scoreWith(['broken', 503, 504, [null, 0.5], [null], [1]]);
    expect(rewards).toEqual([1, 0.5]);
    expect(requests.map(({ length }) => length)).toEqual([2, 2, 2, 2, 1, 1]);
    expect(requests.at(-1)).toEqual([requests[0]?.[0]]);
  });

  it('fail if no request succeeds within the time limit, or if a retry can’t help', async () => {
    await expect(scoreWith(['silent'], 1)).rejects.toMatchObject({
      stderr: expect.stringContaining('timed out') as string,
    });
    await expect(scoreWith([504], 30)).rejects.toMatchObject({ stderr: expect.stringContaining('504') as string });
    await expect(scoreWith([402])).rejects.toMatchObject({ stderr: expect.stringContaining('402') as string });
  });

  it('return `None` for an item whose reward does not arrive before the time limit', async () => {
    expect((await scoreWith([[0.5, null]], 4)).rewards).toEqual([0.5, null]);
  });

  it('have at most twenty lines each', async () => {
    const code = await blocks();
    for (const name of SHIMS) expect(code.get(name)?.trimEnd().split('\n').length, name).toBeLessThanOrEqual(20);
  });

  it.each(['trl', 'verl', 'verifiers'])('return the rewards of a valid and an invalid plan to %s', async (trainer) => {
    const rewards = await call(trainer);
    expect([
      [1, 0],
      [0.5, 0],
    ]).toContainEqual(rewards);
  });

  it('return `None` to TRL, but stop verl, if a task can’t be graded', async () => {
    await writePrompts({ question: 'Write a program.', grader: 'python' });
    expect(await call('trl')).toEqual([null, null]);
    await expect(call('verl')).rejects.toMatchObject({ code: 1 });
  });

  it('stop verl, instead of returning the reward 0, if a call could exceed the budget', async () => {
    // The address is never called, because the call could cost more than the cap.
    const worker = { id: 'dear', baseUrl: 'http://127.0.0.1:9/v1', model: 'dear', price: 1_000_000 };
    const args = ['--score', '--pool', await writePool(folder.path, [worker]), '--max-cost', '0.01'];
    const capped = await servePodium(args, { environment: { PODIUM_TOKEN: 'secret' } });
    try {
      await writePrompts({ question: 'What is it?', reference: 'it', grader: 'exact' }, ['dear']);
      await expect(call('verl', capped.url)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('402') as string,
      });
    } finally {
      await capped.stop();
    }
  });
});
