import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createEngine } from '../../../src/node/engine';
import { ConductedRuns } from '../../../src/node/mcp/conducted-runs';
import { createMcpServer } from '../../../src/node/mcp/mcp-tools';
import { SavedRuns } from '../../../src/node/mcp/saved-runs';
import { createPassingStore } from '../../../src/node/serve/passing-store';
import { createServerSpending } from '../../../src/node/serve/spending';
import { systemClock } from '../../../src/platform/clock';
import { runValue } from '../../../src/platform/store/run-file';
import { streamText } from '../../fixtures/openai-scenarios';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { temporaryFolder, writePool } from '../../fixtures/podium-server';

let upstream: OpenAiServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  upstream = await startOpenAiServer();
  folder = await temporaryFolder();
});
afterEach(async () => {
  upstream.release();
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await upstream.close();
  await folder.remove();
});

interface Serving {
  readonly price?: number;
  readonly usd?: number | null;
  readonly saved?: string;
  readonly patience?: number;
  readonly most?: number;
}

/** Connects a client to a server with one worker for each model. */
async function serve(models: readonly string[], given: Serving = {}) {
  const { price = 0, usd = null, saved, patience = 20_000, most = 64 } = given;
  const workers = models.map((model) => ({ id: model, baseUrl: upstream.url, model, price }));
  const pool = await writePool(folder.path, workers, { conductor: 'template:best-single' });
  const spending = createServerSpending(usd, systemClock);
  const options = {
    pool,
    keys: null,
    environment: {},
    conductor: null,
    usd: null,
    store: createPassingStore(),
    spending,
  };
  const engine = await createEngine(options);
  const conducted = new ConductedRuns({ engine, clock: systemClock, most, patience });
  const file = saved === undefined ? null : new SavedRuns(saved);
  const server = createMcpServer({ engine, conducted, saved: file, usd });
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(mine)]);
  closers.push(async () => {
    await client.close();
    await conducted.stop();
  });
  return { client, engine, conducted };
}

const Content = z.looseObject({
  run: z.string(),
  status: z.string(),
  answer: z.nullable(z.string()),
  steps: z.array(z.looseObject({ worker: z.string(), status: z.string() })),
  cost_usd: z.nullable(z.number()),
});

type Result = Awaited<ReturnType<Client['callTool']>>;

function words({ content }: Result): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

const call = (client: Client, name: string, given: Record<string, unknown>) =>
  client.callTool({ name, arguments: given });

describe('conduct', () => {
  it('returns the answer as text, and the plan, steps and cost as structured content', async () => {
    const { client } = await serve(['usage-last'], { usd: 1, price: 1 });
    const result = await call(client, 'conduct', { question: 'Is it so?' });
    expect(words(result)).toBe('Counted.');
    expect(Content.parse(result.structuredContent)).toMatchObject({
      status: 'finished',
      answer: 'Counted.',
      steps: [{ worker: 'usage-last', status: 'finished', tokens: 18 }],
      cost_usd: 0.000_42,
    });
  });

  it('passes files, and reports progress that rises', async () => {
    const { client } = await serve(['ok@files']);
    const reports: (number | string | undefined)[][] = [];
    const given = { question: 'What is in it?', files: [{ name: 'a.csv', text: 'x,y\n1,2' }] };
    await client.callTool(
      { name: 'conduct', arguments: given },
      { onprogress: ({ progress, message }) => reports.push([progress, message]) },
    );
    const sent = JSON.stringify(upstream.calls('ok@files')[0]?.body);
    expect(sent).toContain('x,y');
    expect(reports.map(([progress]) => progress)).toEqual(reports.map((_, index) => index + 1));
    expect(reports.flat().join('\n')).toContain('Plan: 1 step');
  });

  it('answers fifty simultaneous calls', async () => {
    const { client } = await serve(['ok@fifty']);
    const questions = Array.from({ length: 50 }, (_, index) => `Is it number ${index}?`);
    const results = await Promise.all(questions.map((question) => call(client, 'conduct', { question })));
    expect(results.filter((result) => words(result).includes('I was sent'))).toHaveLength(50);
    expect(new Set(upstream.calls('ok@fifty').map(({ body }) => JSON.stringify(body))).size).toBe(50);
  });

  it('cancels the call to the worker if the client cancels', async () => {
    const { client } = await serve(['stall@mcp']);
    const controller = new AbortController();
    const asked = { name: 'conduct', arguments: { question: 'Is it so?' } };
    const pending = client.callTool(asked, { signal: controller.signal });
    pending.catch(() => undefined);
    await expect.poll(() => upstream.calls('stall@mcp').length).toBe(1);
    controller.abort();
    await expect(pending).rejects.toThrow();
    expect(await upstream.calls('stall@mcp')[0]?.ended).toBe('early');
  });

  it('returns a run id if it takes too long, and “result” returns the answer later', async () => {
    upstream.script('slow@mcp', 'slow');
    const { client } = await serve(['slow@mcp'], { patience: 50 });
    const first = await call(client, 'conduct', { question: 'Is it so?' });
    const { run, status } = Content.parse(first.structuredContent);
    expect(status).toBe('running');
    expect(words(first)).toContain(run);
    await expect.poll(() => upstream.calls('slow@mcp').length).toBe(1);
    await expect
      .poll(async () => {
        upstream.release();
        return words(await call(client, 'result', { run }));
      })
      .toBe('The first words and the last.');
  });

  it('stops a run with “cancel”', async () => {
    const { client } = await serve(['stall@cancel'], { patience: 50 });
    const { run } = Content.parse((await call(client, 'conduct', { question: 'Is it so?' })).structuredContent);
    await expect.poll(() => upstream.calls('stall@cancel').length).toBe(1);
    const cancelled = await call(client, 'cancel', { run });
    expect(Content.parse(cancelled.structuredContent).status).toBe('cancelled');
    expect(await upstream.calls('stall@cancel')[0]?.ended).toBe('early');
    const result = await call(client, 'result', { run });
    expect([result.isError, words(result)]).toEqual([true, 'The run was stopped before there was an answer.']);
  });

  it.each([
    [{ question: ' ' }, 'question'],
    [{ question: 'Q', effort: 'enormous' }, 'effort'],
    [{ question: 'Q', budget: -1 }, 'budget'],
    [{ question: 'Q', conductor: 'nobody' }, 'Available: policy'],
    [{ question: 'Q', files: [{ name: 'empty.txt', text: '' }] }, 'empty'],
  ])('explains what is wrong with %j', async (given, reason) => {
    const { client } = await serve(['ok@wrong']);
    const result = await call(client, 'conduct', given);
    expect(result.isError).toBe(true);
    expect(words(result)).toContain(reason);
    expect(upstream.calls('ok@wrong')).toEqual([]);
  });

  it('explains why a worker failed, and refuses calls over the budget', async () => {
    const { client } = await serve(['unknown-model', 'ok@dear'], { price: 1000, usd: 1000 });
    const failed = await call(client, 'conduct', { question: 'Q' });
    expect([failed.isError, words(failed)]).toEqual([true, expect.stringContaining('unknown-model')]);
    const dear = await call(client, 'conduct', { question: 'Q', budget: 0.000_1 });
    expect([dear.isError, Content.parse(dear.structuredContent).cost_usd]).toEqual([true, 0]);
  });

  it('refuses more runs than allowed, until one has ended', async () => {
    const { client } = await serve(['stall@most'], { patience: 50, most: 1 });
    const { run } = Content.parse((await call(client, 'conduct', { question: 'Q' })).structuredContent);
    const refused = await call(client, 'conduct', { question: 'Q' });
    expect([refused.isError, words(refused)]).toEqual([true, expect.stringContaining('1 run')]);
    await call(client, 'cancel', { run });
    expect((await call(client, 'conduct', { question: 'Q' })).isError).toBeFalsy();
  });
});

describe('plan', () => {
  it('returns the plan and its price without calling a worker', async () => {
    const { client } = await serve(['ok@plan'], { price: 10, usd: 5 });
    const given = { question: 'Is it so?', conductor: 'template:consensus' };
    const result = await call(client, 'plan', given);
    const { steps, cost_usd, plan_cost_usd } = z
      .looseObject({
        steps: z.array(z.looseObject({ sees: z.array(z.number()) })),
        cost_usd: z.object({ low: z.number(), high: z.number() }),
        plan_cost_usd: z.number(),
      })
      .parse(result.structuredContent);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)?.sees.length).toBeGreaterThan(0);
    expect(cost_usd.high).toBeGreaterThan(cost_usd.low);
    expect(plan_cost_usd).toBe(0);
    expect(words(result)).toContain(`${steps.length}. ok@plan`);
    expect(upstream.calls('ok@plan')).toEqual([]);
  });
});

describe('compare', () => {
  const ANALYSIS = {
    consensus: ['It is a number.'],
    contradictions: ['One says 4, two say 5.'],
    gaps: [],
    unique_insights: [],
    blind_spots: [],
  };

  it('returns the answers, which of them agree, and an analysis of their differences', async () => {
    upstream.script('four', (exchange) => streamText(exchange, 'The answer is \\boxed{4}.'));
    upstream.script('five', (exchange) => streamText(exchange, 'I get \\boxed{5}.'));
    upstream.script('also-five', (exchange) => {
      const isAnalysis = exchange.messages.at(-1)?.content.includes('<response number="3">');
      return streamText(exchange, isAnalysis ? JSON.stringify(ANALYSIS) : 'Clearly \\boxed{5}.');
    });
    const { client } = await serve(['four', 'five', 'also-five', 'ok@unused']);
    const workers = ['four', 'five', 'also-five'];
    const result = await call(client, 'compare', { question: '2 + 3?', workers, analyst: 'also-five' });
    expect(result.structuredContent).toMatchObject({
      answers: [{ worker: 'four', error: null }, { worker: 'five' }, { answer: 'Clearly \\boxed{5}.' }],
      agreeing: [['five', 'also-five'], ['four']],
      analysis: ANALYSIS,
      run: { status: 'finished' },
    });
    expect(upstream.calls('ok@unused')).toEqual([]);
  });

  it('goes on without a worker that fails, and names unknown workers', async () => {
    upstream.script('one', (exchange) => streamText(exchange, 'It is so.'));
    const { client } = await serve(['one', 'unknown-model']);
    const result = await call(client, 'compare', { question: 'Is it so?' });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({
      answers: [{ answer: 'It is so.' }, { answer: null, error: expect.any(String) as unknown }],
      analysis: null,
    });
    const unknown = await call(client, 'compare', { question: 'Q', workers: ['one', 'two'] });
    expect([unknown.isError, words(unknown)]).toEqual([true, expect.stringContaining('“two”')]);
  });
});

describe('runs', () => {
  it('finds and reads the runs of the file, except confidential ones', async () => {
    const { client, engine } = await serve(['ok@saved']);
    const ids: string[] = [];
    for (const question of ['Is the moon round?', 'Is the sun round?', 'Is it a secret?']) {
      const result = await call(client, 'conduct', { question });
      ids.push(Content.parse(result.structuredContent).run);
    }
    const [moon = [], sun = [], secret = []] = await engine.store.readMany(ids);
    const hidden = secret.map((event) => (event.type === 'run-started' ? { ...event, isConfidential: true } : event));
    const file = join(folder.path, 'runs.podium.jsonl');
    // The first run is in the format of the page, the others in that of the server.
    const lines = [runValue(moon), { events: sun }, 'damaged', { events: hidden }];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const reading = (await serve(['ok@saved'], { saved: file })).client;
    const found = async (search: string) => {
      const { structuredContent } = await call(reading, 'runs', { search });
      return z
        .looseObject({ runs: z.array(Content) })
        .parse(structuredContent)
        .runs.map(({ run }) => run);
    };
    expect(await found('ROUND moon')).toEqual([ids[0]]);
    expect((await found('')).toSorted()).toEqual([ids[0], ids[1]].toSorted());
    expect(await found('secret')).toEqual([]);
    const read = await call(reading, 'runs', { run: ids[1] });
    expect(read.structuredContent).toMatchObject({
      runs: [{ steps: [{ output: expect.stringContaining('I was sent') as unknown }] }],
    });
    expect((await call(reading, 'runs', { run: ids[2] })).isError).toBe(true);
  });

  it('is no tool of a server without a file', async () => {
    const { client } = await serve(['ok']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['conduct', 'plan', 'compare', 'result', 'cancel']);
  });
});
