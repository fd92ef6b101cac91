import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/core/contract';
import { parseMeasurementEvent } from '../../../src/core/contract/measurement/measurement-schema';
import { foldMeasurement, spentOf } from '../../../src/core/contract/measurement/measurement-state';
import { MEASURED_FAMILIES } from '../../../src/core/measurement/families';
import { GENERATED_TASKS } from '../../../src/core/measurement/session/generated-tasks';
import { readCommandLine } from '../../../src/node/command-line';
import { PLAN_OPTIONS, readPlan } from '../../../src/node/eval/plan-file';
import { readPool } from '../../../src/node/pool';
import { batchOf, methodSettings } from '../../fixtures/evaluation/practice';
import { singleWorkerMethods } from '../../fixtures/evaluation/template-methods';
import { answerJson, chunk, event, openStream } from '../../fixtures/openai-scenarios';
import { temporaryFolder, writePool } from '../../fixtures/podium-server';
import { planFile, puzzleTasks } from '../eval/plans';
import { command } from '../terminal';

const chat = z.object({
  model: z.string(),
  seed: z.number(),
  messages: z.array(z.object({ content: z.string() })),
});
/** Calls by model. */
const calls = new Map<string, number>();
let onCall: () => void = () => undefined;
/** Output tokens of each answer. */
let tokens = 50;
let server: Server;
let url = '';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const out = () => join(folder.path, 'measured.jsonl');

const eventsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const event = parseMeasurementEvent(parseJson(line));
      if (!event) throw new Error(`Unreadable line: ${line}`);
      return event;
    });

/** The strong worker is always right. The weak one is right in maths, and elsewhere at the lowest level only. */
function answerOf({ model, seed, messages }: z.infer<typeof chat>): string {
  const worker = model === 'strong' ? 0 : 1;
  const lines = readFileSync(out(), 'utf8').trim().split('\n');
  const item = lines
    .slice(-20)
    .flatMap((line) => eventsIn(line))
    .flatMap((each) => (each.type === 'asked' ? each.item : []))
    .findLast(
      (each) =>
        each.worker === worker &&
        each.seed % 2 ** 31 === seed % 2 ** 31 &&
        (each.planted !== undefined) === isCheck(messages),
    );
  if (!item) return 'No such task.';
  if (item.planted !== undefined)
    return `Verdict on response 1: ${item.planted || model === 'weak' ? 'right' : 'wrong'}`;
  const domain = MEASURED_FAMILIES.find(({ id }) => id === item.family)?.domain;
  const knows = model === 'strong' || domain === 'maths' || item.level === 0;
  return knows ? GENERATED_TASKS.make(item).right : 'Answer: unknown to me';
}

const isCheck = (messages: readonly { readonly content: string }[]) =>
  messages.some(({ content }) => content.includes('Verdict on response'));

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const read = chat.safeParse(parseJson(body));
    if (!read.success) return answerJson(response, 400, { error: { message: body } });
    calls.set(read.data.model, (calls.get(read.data.model) ?? 0) + 1);
    onCall();
    openStream(response);
    response.write(event(chunk({ content: answerOf(read.data) })) + event(chunk({}, 'stop')));
    response.write(event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: tokens } }));
    response.end(event('[DONE]'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/v1` : '';
});
afterAll(() => void server.close());
beforeEach(async () => {
  folder = await temporaryFolder();
  calls.clear();
  onCall = () => undefined;
  tokens = 50;
});
afterEach(() => folder.remove());

const measure = async (args: readonly string[], price = 0, interrupted?: AbortSignal) => {
  const workers = ['strong', 'weak'].map((model) => ({ id: model, baseUrl: url, model, price }));
  const pool = await writePool(folder.path, workers);
  const all = ['measure', '--pool', pool, '--seed', '3', '--out', out(), ...args];
  return command(all, interrupted ? { interrupted } : {});
};

it('shows what the budget buys without a call', async () => {
  const { code, error } = await measure(['--dry-run', '--max-cost', '0.5'], 2);
  expect(code).toBe(0);
  expect(error).toMatch(/^Measures 2 workers for about \$0\.\d+, at most \$0\.50, in about \d+ minutes:/);
  expect(error).toContain('30 tasks in each of 5 domains');
  expect(calls.size).toBe(0);
});

it('tells workers apart by domain, stops at a signal, and continues without repeating a call', async () => {
  const interrupted = new AbortController();
  onCall = () => [...calls.values()].reduce((sum, each) => sum + each, 0) === 40 && interrupted.abort();
  const budget = ['--max-cost', '0.4'];
  const stopped = await measure(budget, 1, interrupted.signal);
  expect(stopped.code).toBe(130);
  expect(stopped.error).toContain('Continue it with the same command.');
  onCall = () => undefined;
  const done = await measure([...budget, '--json'], 1);
  expect(done.code).toBe(0);
  const events = eventsIn(await readFile(out(), 'utf8'));
  const asked = events.flatMap((each) => (each.type === 'asked' ? `${each.item.worker}:${each.item.number}` : []));
  expect(new Set(asked).size).toBe(asked.length);

  const report = z.parse(reportShape, parseJson(done.out));
  const [first, second] = report.cards;
  // The call that the signal stopped does not count.
  expect(first?.worker.id).toBe('strong');
  expect(first?.right).toBe(first?.tasks);
  expect(first?.tasks).toBeGreaterThan(50);
  expect(second?.right).toBeLessThan(50);
  expect(second?.checks.wrong).toMatchObject({ wrong: 0, unsure: 0 });
  expect(first?.checks.wrong.right).toBe(0);
  const tied = new Map(report.rankings.map(({ scope, tied: own }) => [scope, own.map(({ id }) => id)]));
  expect(tied.get('overall')).toEqual([]);
  const weak = second?.ability.domains ?? {};
  expect(weak.maths?.mean).toBeGreaterThan((weak.code?.mean ?? 1) + 0.2);

  const before = [...calls];
  const again = await measure(budget, 1);
  expect(again.error).toContain('has finished already');
  expect(again.out).toMatch(/Overall: strong \d+ %, weak \d+ %\. strong is the best/);
  expect(again.out).toMatch(/weak: \d+ % \(\d+ to \d+ %\)\n {2}maths \d+ %/);
  expect([...calls]).toEqual(before);

  const answered = join(folder.path, 'answered.podium.jsonl');
  const pool = join(folder.path, 'pool.json');
  const run = ['run', 'What is 6 · 7?', '--conductor', 'heuristic', '--pool', pool, '--out', answered];
  await command([...run, '--measured', out()]);
  const trust = z.parse(ranWith, parseJson(await readFile(answered, 'utf8'))).events[0]?.trust.checkers;
  expect(trust?.weak?.ofWrong.of).toBeGreaterThan(3);
  expect(trust?.weak?.ofWrong.right).toBe(trust?.weak?.ofWrong.of);
  expect(trust?.strong?.ofWrong.right).toBe(0);

  const workers = [...(await readPool(pool)).workers];
  const methods = singleWorkerMethods(methodSettings({ pool: workers }));
  const batch = batchOf(puzzleTasks(1).dataset, puzzleTasks(1).tasks, { methods });
  const planned = await planFile(folder.path, batch);
  const { batch: read, digest } = await readPlan(planned, readCommandLine(['--measured', out()], PLAN_OPTIONS));
  expect(digest).not.toBe((await readPlan(planned, readCommandLine([], PLAN_OPTIONS))).digest);
  const weakly = read.plan.measuredChecks?.filter(({ checker }) => checker === 'weak') ?? [];
  expect(weakly.length).toBeGreaterThan(1);
  for (const { wrong: planted } of weakly) expect(planted).toMatchObject({ wrong: 0, unsure: 0 });
});

const rates = z.object({ ofWrong: z.object({ right: z.number(), of: z.number() }) });
const ranWith = z.object({
  events: z.array(
    z.object({ trust: z._default(z.object({ checkers: z.record(z.string(), rates) }), { checkers: {} }) }),
  ),
});

const reportShape = z.object({
  cards: z.array(
    z.object({
      worker: z.object({ id: z.string() }),
      tasks: z.number(),
      right: z.number(),
      ability: z.object({ domains: z.record(z.string(), z.object({ mean: z.number() })) }),
      checks: z.object({ wrong: z.object({ right: z.number(), wrong: z.number(), unsure: z.number() }) }),
    }),
  ),
  rankings: z.array(z.object({ scope: z.string(), tied: z.array(z.object({ id: z.string() })) })),
});

it('never spends more than the budget, and says that it was reached', async () => {
  // The plan expects answers of 1,500 tokens.
  tokens = 8_000;
  const { code, out: printed } = await measure(['--max-cost', '0.4'], 10);
  expect(code).toBe(3);
  const state = foldMeasurement(eventsIn(await readFile(out(), 'utf8')));
  expect(state?.items.length).toBeGreaterThan(1);
  expect(state && spentOf(state)).toBeLessThanOrEqual(0.4);
  expect(printed).toContain('Stopped: ');

  const small = await measure(['--max-cost', '0.01', '--dry-run'], 10);
  expect(small).toMatchObject({ code: 2, error: expect.stringContaining('buys no task') });
});

it('refuses a pool without workers on servers, and a file that is no measurement', async () => {
  expect(await command(['measure'])).toMatchObject({ code: 2, error: expect.stringContaining('--pool') });
  await writeFile(out(), '{"id":"x","seq":0}\n');
  const { code, error } = await measure([]);
  expect([code, error]).toEqual([2, expect.stringContaining('damaged line')]);
});
