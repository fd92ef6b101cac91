import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { foldEvents, type Workflow } from '../../../src/core/contract';
import { practiceTasks } from '../../fixtures/evaluation/practice';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { servePodium, temporaryFolder, writePool, type PodiumServer } from '../../fixtures/podium-server';
import { step } from '../../fixtures/run-events';
import { storedRuns } from '../stored-runs';

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const servers: PodiumServer[] = [];

beforeAll(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterEach(async () => {
  upstream.release();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

async function serve(args: readonly string[] = []): Promise<PodiumServer> {
  const server = await servePodium(['--score', ...args]);
  servers.push(server);
  return server;
}

/** Starts a server with one worker for each model of the upstream server. The id of a worker is the name of its model. */
async function serveModels(models: readonly string[], args: readonly string[] = [], price = 0) {
  const workers = models.map((model) => ({ id: model, baseUrl: upstream.url, model, price }));
  return serve(['--pool', await writePool(folder.path, workers, { settings: { maxTokens: 64 } }), ...args]);
}

const Results = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      reward: z.nullable(z.number()),
      format: z.boolean(),
      correct: z.nullable(z.boolean()),
      gradable: z.boolean(),
      steps: z.number(),
      calls: z.number(),
      cost_usd: z.nullable(z.number()),
      run: z.nullable(z.string()),
      error: z.nullable(z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })),
    }),
  ),
});

const post = (server: PodiumServer, path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function score(server: PodiumServer, items: readonly object[]) {
  const response = await post(server, '/v1/score', { items });
  expect(response.status).toBe(200);
  return Results.parse(await response.json()).results;
}

const written = (workflow: Workflow) => `I think.\n\n${formatWorkflow(workflow, { access: 'fine' })}`;
const ONE_STEP = written({ steps: [step(0, 'Solve it.')] });
const PUZZLE = practiceTasks(1)[0]?.question ?? '';

/** An item to score. An answer with `now.` is right. The upstream server repeats the subtask, which contains `now.`. */
function item(models: readonly string[], more: object = {}) {
  const task = { question: 'What is it?', reference: '.*now\\..*', grader: 'pattern' };
  const completion = written({ steps: [step(0, 'Say it now.')] });
  return { id: 'a', task, pool: models, seed: 1, completion, ...more };
}

describe('/v1/score with simulated workers', () => {
  const puzzle = { question: PUZZLE, grader: 'puzzle' };
  const pool = ['sim:birch', 'sim:alder'];

  it('returns the reward 0 for a completion without a valid workflow, and calls no worker', async () => {
    const [result] = await score(await serve(), [{ id: 'x', task: puzzle, pool, seed: 1, completion: 'No idea.' }]);
    expect(result).toMatchObject({
      id: 'x',
      reward: 0,
      format: false,
      correct: null,
      calls: 0,
      run: null,
      error: null,
    });
  });

  it('returns the reward 0 for a workflow that names a worker outside the item’s pool', async () => {
    const completion = written({ steps: [step(2, 'Solve it.')] });
    const [result] = await score(await serve(), [{ id: 'x', task: puzzle, pool, seed: 1, completion }]);
    expect(result).toMatchObject({ reward: 0, format: false });
  });

  it('returns the reward 1 for a right answer, 0.5 for a wrong one, and equal rewards for equal seeds', async () => {
    const tasks = practiceTasks(20);
    const items = tasks.map(({ question }, index) => {
      return { id: `${index}`, task: { question, grader: 'puzzle' }, pool, seed: index, completion: ONE_STEP };
    });
    const [first, again] = [await score(await serve(), items), await score(await serve(), items)];
    expect(new Set(first.map(({ reward }) => reward))).toEqual(new Set([0.5, 1]));
    expect(first.every(({ reward, correct }) => reward === (correct ? 1 : 0.5))).toBe(true);
    expect(again.map(({ reward }) => reward)).toEqual(first.map(({ reward }) => reward));
    expect(first.every(({ calls, steps, cost_usd }) => calls === 1 && steps === 1 && cost_usd === 0)).toBe(true);
  });

  it('numbers the workers in the order of the item’s pool', async () => {
    const runs = join(folder.path, 'order.jsonl');
    const server = await serve(['--runs', runs]);
    const items = [pool, pool.toReversed()].map((ids, index) => {
      return { id: `${index}`, task: puzzle, pool: ids, seed: 1, completion: ONE_STEP };
    });
    const results = await score(server, items);
    await server.stop();
    const stored = await storedRuns(runs);
    const called = results.map(({ run }) => {
      const found = foldEvents(stored.get(run ?? '') ?? []);
      expect(found?.grade?.by).toBe('grader');
      return found?.rounds[0]?.steps[0]?.attempts[0]?.workerId;
    });
    expect(called).toEqual(pool);
  });

  it('returns no reward for a task that the server can’t grade, and starts no run', async () => {
    const tasks = [
      { question: 'Write a program.', grader: 'python', reference: '{}' },
      { question: 'Is it right?', grader: 'person' },
      { question: 'Not a puzzle.', grader: 'puzzle' },
    ];
    const items = tasks.map((task, index) => ({ id: `${index}`, task, pool, seed: 1, completion: ONE_STEP }));
    const results = await score(await serve(), items);
    expect(results.map(({ gradable, reward, run }) => ({ gradable, reward, run }))).toEqual(
      tasks.map(() => ({ gradable: false, reward: null, run: null })),
    );
  });

  it('answers two hundred simultaneous requests', { timeout: 120_000 }, async () => {
    const server = await serve();
    const statuses = await Promise.all(
      practiceTasks(200).map(async ({ question }, index) => {
        const one = { id: `${index}`, task: { question, grader: 'puzzle' }, pool, seed: index, completion: ONE_STEP };
        const response = await post(server, '/v1/score', { items: [one] });
        const { results } = Results.parse(await response.json());
        return results[0]?.reward;
      }),
    );
    expect(statuses.filter((reward) => reward === 0.5 || reward === 1)).toHaveLength(200);
  });
});

describe('/v1/score with workers on a server', () => {
  it('grades the answer of the last step', async () => {
    const server = await serveModels(['ok@graded']);
    const wrong = { id: 'b', completion: written({ steps: [step(0, 'Say it later.')] }) };
    const results = await score(server, [item(['ok@graded']), item(['ok@graded'], wrong)]);
    expect(results.map(({ reward }) => reward)).toEqual([1, 0.5]);
  });

  it('calls the worker once for equal items, sent together or one after the other', async () => {
    const server = await serveModels(['ok@once']);
    const same = [item(['ok@once']), item(['ok@once'])];
    const [first, second] = await Promise.all([score(server, same), score(server, same)]);
    const third = await score(server, same);
    expect(new Set([...first, ...second, ...third].map(({ run }) => run)).size).toBe(1);
    expect(upstream.calls('ok@once')).toHaveLength(1);
    await score(server, [item(['ok@once'], { id: 'another' })]);
    expect(upstream.calls('ok@once')).toHaveLength(2);
  });

  it('never has more simultaneous runs than --concurrency allows', async () => {
    upstream.script('slow@few', 'slow');
    const server = await serveModels(['slow@few'], ['--concurrency', '2']);
    const items = Array.from({ length: 5 }, (_, index) => item(['slow@few'], { id: `${index}` }));
    const pending = score(server, items);
    const open = () => upstream.calls('slow@few').filter(({ ending }) => ending === null).length;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, open())), 1);
    await expect
      .poll(() => (upstream.release(), upstream.calls('slow@few').filter(({ ending }) => ending === 'whole').length))
      .toBe(5);
    clearInterval(watch);
    expect((await pending).map(({ reward }) => reward)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(most).toBe(2);
  });

  it('responds with status 503 if the only worker is down, and runs the item on a retry', async () => {
    upstream.script('down', 'wrong-key');
    const server = await serveModels(['down']);
    const response = await post(server, '/v1/score', { items: [item(['down'])] });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    upstream.script('down', 'ok');
    expect((await score(server, [item(['down'])]))[0]?.reward).toBe(1);
  });

  it('returns no reward for an item whose worker is down, and scores the other items', async () => {
    const server = await serveModels(['wrong-key', 'ok@beside']);
    const [down, up] = await score(server, [item(['wrong-key']), item(['ok@beside'], { id: 'b' })]);
    expect(down).toMatchObject({ reward: null, correct: null, error: { code: 'worker_outage', retryable: true } });
    expect(up?.reward).toBe(1);
  });

  it('returns the reward 0.5 for a workflow whose worker returns an empty answer', async () => {
    const server = await serveModels(['empty']);
    const [result] = await score(server, [item(['empty'])]);
    expect(result).toMatchObject({ reward: 0.5, correct: false });
  });

  it('responds with status 402 once the server’s budget is spent', async () => {
    const server = await serveModels(['ok@capped'], ['--max-cost', '0.2'], 1000);
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await post(server, '/v1/score', { items: [item(['ok@capped'], { id: `${index}` })] })).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(402);
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
  });

  it('accepts --max-cost and a Conductor without a price, because it never calls the Conductor', async () => {
    const conductor = 'endpoint:mind';
    const workers = [
      { id: 'ok@priced', baseUrl: upstream.url, model: 'ok@priced', price: 1 },
      { id: 'mind', baseUrl: upstream.url, model: 'mind', price: null },
    ];
    const args = [
      '--pool',
      await writePool(folder.path, workers, { conductor, pool: ['ok@priced'] }),
      '--max-cost',
      '1',
    ];
    expect((await score(await serve(args), [item(['ok@priced'])]))[0]?.reward).toBe(1);
    await expect(servePodium(['--model', ...args])).rejects.toThrow(/price/);
  });

  it('cancels the requests in progress and their worker calls at the second stop signal', async () => {
    const server = await serveModels(['stall@cancelled']);
    const answer = post(server, '/v1/score', { items: [item(['stall@cancelled'])] });
    answer.catch(() => undefined);
    await expect.poll(() => upstream.calls('stall@cancelled').length).toBe(1);
    expect(await server.cancel()).toBe(0);
    expect(await upstream.calls('stall@cancelled')[0]?.ended).toBe('early');
    await expect(answer).rejects.toThrow();
  });

  it('returns status 200 without a reward if the run reaches a cap from the pool file', async () => {
    const workers = [{ id: 'ok@run', baseUrl: upstream.url, model: 'ok@run', price: 1000 }];
    const caps = { rounds: 1, calls: 1, tokens: null, usd: 0.000001 };
    const server = await serve(['--pool', await writePool(folder.path, workers, { settings: { caps } })]);
    const [result] = await score(server, [item(['ok@run'])]);
    expect(result).toMatchObject({ reward: null, error: { code: 'run_cap', retryable: false } });
    expect(upstream.calls('ok@run')).toHaveLength(0);
  });

  it.each([
    [{ question: 'Q', grader: 'guess' }, 'grader', 'exact and pattern'],
    [{ question: 'Q', grader: 'exact' }, 'reference', 'needs a reference'],
  ])('names what is wrong with the task %j', async (task, field, words) => {
    const response = await post(await serveModels(['ok']), '/v1/score', { items: [item(['ok'], { task })] });
    expect(response.status).toBe(400);
    const refusal = { param: `items.0.task.${field}`, message: expect.stringContaining(words) as unknown };
    expect(await response.json()).toMatchObject({ error: refusal });
  });

  it('rejects unknown or repeated workers, long completions and empty requests', async () => {
    const server = await serveModels(['ok']);
    const statusOf = async (items: readonly object[]) => (await post(server, '/v1/score', { items })).status;
    expect(await statusOf([item(['sim:alder'])])).toBe(400);
    expect(await statusOf([item(['ok', 'ok'])])).toBe(400);
    expect(await statusOf([item(['ok'], { completion: 'x'.repeat(100_001) })])).toBe(400);
    expect(await statusOf([])).toBe(400);
  });
});

describe('/get_reward', () => {
  const label = JSON.stringify({ task: { question: PUZZLE, grader: 'puzzle' }, pool: ['sim:birch'], seed: 1 });
  // The prompt contains a valid workflow, which the server must not mistake for the completion.
  const prompt = `<|im_start|>user\nExample:\n${ONE_STEP}\n${PUZZLE}<|im_end|>\n<|im_start|>assistant\n`;
  const Rewards = z.object({
    rewards: z.array(z.number()),
    scores: z.array(z.number()),
    extra_logs: z.record(z.string(), z.array(z.number())),
  });

  it('scores the completion after the prompt, and responds in OpenRLHF’s format', async () => {
    const server = await serve();
    const query = [`${prompt}${ONE_STEP}<|im_end|>`, `${prompt}No idea.<|im_end|>`];
    const response = await post(server, '/get_reward', { query, prompts: [prompt, prompt], labels: [label, label] });
    const { rewards, scores, extra_logs } = Rewards.parse(await response.json());
    expect(rewards[0]).toBeGreaterThanOrEqual(0.5);
    expect(rewards[1]).toBe(0);
    expect(scores).toEqual(rewards);
    expect(extra_logs).toMatchObject({ format: [1, 0], steps: [1, 0] });
  });

  it('finds the completion even if the query does not start with the prompt', async () => {
    const server = await serve();
    const body = { query: [`${prompt}No idea.`], prompts: [PUZZLE], labels: [label] };
    const { rewards } = Rewards.parse(await (await post(server, '/get_reward', body)).json());
    expect(rewards).toEqual([0]);
  });

  it('reads completions with much white space or many special tokens in linear time', async () => {
    const server = await serve();
    const tails = [`${' \n'.repeat(1_000_000)}x`, ' <|im_end|></s>'.repeat(80_000), `${'<|im_end|> '.repeat(80_000)}x`];
    const statuses = tails.map(async (tail) => {
      const body = { query: [`${prompt}${ONE_STEP}${tail}`], prompts: [prompt], labels: [label] };
      return (await post(server, '/get_reward', body)).status;
    });
    expect(await Promise.all(statuses)).toEqual([400, 200, 400]);
  });

  it('rejects tasks that the server can’t grade, and labels that are not JSON', async () => {
    const server = await serve();
    const task = { question: 'Write a program.', grader: 'python' };
    const labels = [JSON.stringify({ task, pool: ['sim:birch'], seed: 1 })];
    const body = { query: [`${prompt}${ONE_STEP}`], prompts: [prompt], labels };
    expect((await post(server, '/get_reward', body)).status).toBe(422);
    expect((await post(server, '/get_reward', { ...body, labels: ['42, exactly'] })).status).toBe(400);
  });
});
