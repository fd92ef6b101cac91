import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toPoolWorker } from '../../../src/core/contract';
import { equalCostControl } from '../../../src/core/evaluation/batches/equal-cost';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { batchOf, methodSettings } from '../../fixtures/evaluation/practice';
import { answerJson, streamText, type Reply } from '../../fixtures/openai-scenarios';
import { startOpenAiServer } from '../../fixtures/openai-server';
import { command } from '../terminal';
import {
  endpointBatch,
  endpointSetup,
  importInPage,
  planFile,
  poolFile,
  puzzleTasks,
  simulatedBatch,
  testFolder,
} from './plans';
import { singleWorkerMethods } from '../../fixtures/evaluation/template-methods';

const REFUSE: Reply = ({ response }) => answerJson(response, 400, { error: { message: 'Not today.' } });
const ANSWER: Reply = (exchange) => streamText(exchange, 'The answer is 7.');

async function endpointWorld(tasks: number) {
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  const setups = ['ash', 'oak'].map((id) => endpointSetup(id, server.url));
  for (const { id } of setups) server.script(id, ANSWER);
  const folder = await testFolder();
  const batch = endpointBatch(setups, puzzleTasks(tasks));
  const plan = await planFile(folder, batch);
  const pool = await poolFile(folder, setups);
  const args = ['eval', plan, '--pool', pool, '--out', join(folder, 'out')];
  return { server, setups, folder, batch, plan, args };
}

/** The last line that the command printed with `--json`. */
function ended(out: string): Record<string, unknown> {
  const value: unknown = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  expect(value).toMatchObject({ type: 'ended' });
  return value as Record<string, unknown>;
}

describe('the exit code of an evaluation', () => {
  it('is 4 if some runs failed, and 0 after --retry-errors repeats only the failed runs', async () => {
    const { server, batch, args } = await endpointWorld(3);
    server.script('oak', REFUSE);
    const first = await command([...args, '--json']);
    expect(first.code).toBe(4);
    const failed = Number(ended(first.out).failed);
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(unitsOf(batch.plan).length);

    const calls = server.requests.length;
    expect((await command([...args, '--resume'])).code).toBe(4);
    expect(server.requests).toHaveLength(calls);

    server.script('oak', ANSWER);
    const ash = server.calls('ash').length;
    const retried = await command([...args, '--resume', '--retry-errors', '--json']);
    expect(retried.code, retried.error).toBe(0);
    expect(ended(retried.out)).toMatchObject({ failed: 0, done: unitsOf(batch.plan).length });
    // The method that calls only Ash succeeded, so it is not repeated. The last step of a failed Mixture of Agents may call Ash
    // again.
    expect(server.calls('ash').length - ash).toBeLessThanOrEqual(3);
  });

  it('is 3 if a call could exceed the cap, and 0 after resuming with a higher cap', async () => {
    const { batch, args } = await endpointWorld(4);
    const cap = 0.02;
    const capped = await command([...args, '--max-cost', String(cap), '--json']);
    expect(capped.code).toBe(3);
    expect(capped.error).toContain('could exceed the budget');
    const { usd, done } = ended(capped.out);
    expect(Number(done)).toBeGreaterThan(0);
    expect(Number(done)).toBeLessThan(unitsOf(batch.plan).length);
    expect(Number(usd)).toBeGreaterThan(0);
    expect(Number(usd)).toBeLessThanOrEqual(cap);

    const continued = await command([...args, '--resume', '--max-cost', '5', '--json']);
    expect(continued.code, continued.error).toBe(0);
    expect(Number(ended(continued.out).usd)).toBeGreaterThan(Number(usd));
  });

  it('is 3 if a shard reaches its part of the configured `maxCost`, and 0 with a higher --max-cost', async () => {
    const { folder, args } = await endpointWorld(4);
    const config = join(folder, 'podium.config.json');
    const cap = 0.04;
    await writeFile(config, JSON.stringify({ maxCost: cap }));
    const shard = [...args, '--config', config, '--shard', '1/2', '--resume', '--json'];
    const capped = await command(shard);
    expect(capped.code, capped.error).toBe(3);
    expect(Number(ended(capped.out).usd)).toBeLessThanOrEqual(cap / 2);
    expect((await command([...shard, '--max-cost', '5'])).code).toBe(0);
  });

  it('is 100 if fewer answers are right than the threshold requires, and 0 at the threshold', async () => {
    const folder = await testFolder();
    const plan = await planFile(folder, simulatedBatch(10));
    const args = ['eval', plan, '--out', join(folder, 'out'), '--resume'];
    const first = await command([...args, '--threshold', '1', '--json']);
    expect(first.code).toBe(100);
    expect(first.error).toContain('of the answers are right');
    const { right, graded } = ended(first.out);
    const share = Number(right) / Number(graded);
    expect(share).toBeLessThan(1);
    expect((await command([...args, '--threshold', String(share)])).code).toBe(0);
  });

  it('is 130 if the evaluation is interrupted', async () => {
    const { server, args } = await endpointWorld(3);
    const interrupted = new AbortController();
    interrupted.abort();
    const result = await command(args, { interrupted: interrupted.signal });
    expect(result.code).toBe(130);
    expect(result.error).toContain('--resume');
    expect(server.requests).toEqual([]);
  });
});

it('says that a server of the user gets fewer calls at a time than there are runs', async () => {
  const { args } = await endpointWorld(1);
  const many = await command([...args, '-j', '32']);
  expect(many.error.match(/gets at most 5 calls at a time, although 32 runs are in progress/g)).toHaveLength(2);
  expect((await command([...args, '--resume', '-j', '2'])).error).not.toContain('calls at a time');
});

describe('wrong input', () => {
  it('is rejected before any file is written', async () => {
    const folder = await testFolder();
    const plan = await planFile(folder, simulatedBatch(1));
    const out = join(folder, 'out');
    const given = [plan, '--out', out];
    const cases: readonly (readonly [readonly string[], string])[] = [
      [[], 'Give the file of a plan'],
      [[plan], '--out'],
      [[join(folder, 'none.json'), '--out', out], 'Couldn’t read'],
      [[...given, '--shard', '4/3'], 'There is no shard 4 of 3'],
      [[...given, '--shard', 'two'], '--shard must look like'],
      [[...given, '--shard', 'auto/3'], 'SLURM_ARRAY_TASK_ID'],
      [[...given, '--limit', '0'], '--limit'],
      [[...given, '-j', 'many'], '--jobs'],
      [[...given, '--threshold', '2'], '--threshold'],
      [[...given, '--retry-errors'], '--resume'],
      [[...given, '--data', join(folder, 'none.csv')], 'Couldn’t read'],
      [[...given, '--data', plan.replace('.json', '.txt')], 'is not a table'],
    ];
    for (const [args, sentence] of cases) {
      const { code, error } = await command(['eval', ...args]);
      expect([code, error]).toEqual([2, expect.stringContaining(sentence)]);
    }
    expect(await readdir(folder)).toEqual(['plan.podium-batch.json']);
  });

  it('is rejected without --resume if the folder has results, and with --resume if the options changed', async () => {
    const folder = await testFolder();
    const args = ['eval', await planFile(folder, simulatedBatch(2)), '--out', join(folder, 'out')];
    expect((await command(args)).code).toBe(0);
    expect(await command(args)).toMatchObject({ code: 2, error: expect.stringContaining('Add --resume') });
    expect(await command([...args, '--resume', '--limit', '1'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('other options'),
    });
  });

  it('is rejected if the folder has outcomes of another plan, even without that plan’s file', async () => {
    const folder = await testFolder();
    const args = ['eval', await planFile(folder, simulatedBatch(2)), '--out', join(folder, 'out')];
    expect((await command([...args, '--seed', '1'])).code).toBe(0);
    await rm(join(folder, 'out', 'shard-1-of-1.plan.json'));
    const { code, error } = await command([...args, '--seed', '2', '--resume']);
    expect([code, error]).toEqual([2, expect.stringContaining('outcomes of another plan')]);
    expect((await command([...args, '--seed', '1', '--resume'])).code).toBe(0);
  });

  it('is rejected if the pool lacks a worker of the plan, or has another model under the worker’s id', async () => {
    const { server, folder, setups, plan, args } = await endpointWorld(1);
    const without = ['eval', plan, '--out', join(folder, 'out')];
    const missing = await command(without);
    expect([missing.code, missing.error]).toEqual([2, expect.stringContaining('needs the worker ash (ash)')]);
    await poolFile(
      folder,
      setups.map((setup) => ({ ...setup, model: 'larger' })),
    );
    const other = await command(args);
    expect([other.code, other.error]).toEqual([2, expect.stringContaining('but the pool has larger')]);
    expect(server.requests).toEqual([]);
  });
});

describe('the table of results', () => {
  it('contains no control characters from labels, whether `eval` or `merge` prints it', async () => {
    const folder = await testFolder();
    const batch = simulatedBatch(1);
    const methods = batch.plan.methods.map((method) => ({ ...method, label: `\u001b[2J${method.label}` }));
    const plan = await planFile(folder, { ...batch, plan: { ...batch.plan, methods } });
    const out = join(folder, 'out');
    const evaluated = await command(['eval', plan, '--out', out]);
    const merged = await command(['merge', out, '--out', join(folder, 'merged.podium-batch.json')]);
    for (const table of [evaluated.out, merged.out]) {
      expect(table).toContain(`| \\[2J${batch.plan.methods[0]?.label}`);
      expect(table).not.toContain('\u001b');
    }
  });
});

describe('the estimate of a plan', () => {
  it('shows the maximum calls and cost of the evaluation, without making a call', async () => {
    const { server, plan, folder, batch, args } = await endpointWorld(2);
    const estimated = await command(['plan', plan, '--pool', join(folder, 'pool.json'), '--json']);
    expect(estimated.code, estimated.error).toBe(0);
    expect(server.requests).toEqual([]);
    const estimate: unknown = JSON.parse(estimated.out);
    const { units, calls, usd } = estimate as { units: number; calls: { high: number }; usd: { high: number } };
    expect(units).toBe(unitsOf(batch.plan).length);
    const done = await command([...args, '--json']);
    expect(server.requests.length).toBeLessThanOrEqual(calls.high);
    expect(Number(ended(done.out).usd)).toBeLessThanOrEqual(usd.high);
    expect(usd.high).toBeGreaterThan(0);
    const words = await command(['plan', plan, '--pool', join(folder, 'pool.json'), '--limit', '1']);
    expect(words.out).toContain(`Runs:  ${units / 2}\n`);
    expect((await command(['plan', plan])).code).toBe(2);
  });
});

describe('the dataset of a plan', () => {
  it('is read from a file, which must have the revision that the plan names', async () => {
    const { server, folder, setups } = await endpointWorld(1);
    const text = '{"question":"What is 3 + 4?","answer":"7"}\n{"question":"What is 4 + 4?","answer":"8"}\n';
    const { dataset, tasks } = await importInPage('sums.jsonl', text);
    const settings = methodSettings({ pool: setups.map((setup) => toPoolWorker(setup)) });
    const methods = singleWorkerMethods(settings);
    const plan = await planFile(folder, batchOf(dataset, tasks, { methods, repeats: 2 }), 'sums.podium-batch.json');
    const args = ['eval', plan, '--pool', join(folder, 'pool.json'), '--json'];
    for (const id of ['ash', 'oak']) server.script(id, (exchange) => streamText(exchange, 'It is \\boxed{7}.'));

    const without = await command([...args, '--out', join(folder, 'none')]);
    expect([without.code, without.error]).toEqual([2, expect.stringContaining('Give its file with --data')]);
    await writeFile(join(folder, 'sums.jsonl'), text.replace('"8"', '"9"'));
    const data = ['--data', join(folder, 'sums.jsonl')];
    const changed = await command([...args, ...data, '--out', join(folder, 'changed')]);
    expect([changed.code, changed.error]).toEqual([2, expect.stringContaining('has a different revision')]);

    await writeFile(join(folder, 'sums.jsonl'), text);
    const done = await command([...args, ...data, '--out', join(folder, 'out')]);
    expect(done.code, done.error).toBe(0);
    // There are two tasks, two workers and two repeats. The workers' answer is right for one of the two tasks.
    expect(ended(done.out)).toMatchObject({ units: 8, graded: 8, right: 4 });
    const limited = await command([...args, ...data, '--out', join(folder, 'few'), '--limit', '1', '--repeats', '1']);
    expect(ended(limited.out)).toMatchObject({ units: 2 });
  });

  it('with program tasks can’t be graded if no browser is found, and no worker is called', async () => {
    const { server, folder, setups } = await endpointWorld(1);
    const row = {
      task_id: 'BigCodeBench/0',
      complete_prompt: 'def task_func(x):',
      canonical_solution: '    return x',
      test: 'import unittest\nclass TestCases(unittest.TestCase):\n    def test(self):\n        pass',
      entry_point: 'task_func',
      libs: ['re'],
    };
    const text = `${JSON.stringify(row)}\n`;
    const { dataset, tasks } = await importInPage('bigcodebench.jsonl', text);
    const settings = methodSettings({ pool: setups.map((setup) => toPoolWorker(setup)) });
    const batch = batchOf(dataset, tasks, { methods: singleWorkerMethods(settings) });
    const plan = await planFile(folder, batch, 'programs.podium-batch.json');
    await writeFile(join(folder, 'bigcodebench.jsonl'), text);
    const result = await command([
      ...['eval', plan, '--pool', join(folder, 'pool.json'), '--out', join(folder, 'out'), '--json'],
      ...['--data', join(folder, 'bigcodebench.jsonl')],
    ]);
    expect(result.code).toBe(4);
    expect(ended(result.out)).toMatchObject({ units: 2, notGradable: 2, failed: 0 });
    expect(await readFile(join(folder, 'out', 'shard-1-of-1.outcomes.jsonl'), 'utf8')).toContain(
      'no Chromium or Chrome was found',
    );
    expect(server.requests).toEqual([]);
  });
});

it('an equal-cost control runs last, also after --resume, and the table states the result', async () => {
  const folder = await testFolder();
  const batch = simulatedBatch(20);
  const rules = batch.plan.methods.find(({ settings }) => settings.conductor.kind === 'heuristic');
  if (!rules) throw new Error('There is no method to compare.');
  const methods = [...batch.plan.methods, equalCostControl(rules)];
  const plan = await planFile(folder, { ...batch, plan: { ...batch.plan, methods } });
  const args = ['eval', plan, '--out', join(folder, 'out')];
  const { code, out } = await command(args);
  expect(code).toBe(0);
  expect(out).toContain('| At equal cost |');
  expect(out).toMatch(
    /On these 20 tasks, .+ rules is \d+\.\d ± \d+\.\d points (above|below) .+, with \d\.\d times as many calls; at equal cost the difference is /,
  );
  // Without the outcomes of the control, the same runs are found again.
  const path = join(folder, 'out', 'shard-1-of-1.outcomes.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const control = methods.length - 1;
  await writeFile(path, lines.filter((line) => !line.includes(`"method":${control}`)).join('\n'));
  const again = await command([...args, '--resume']);
  expect(again.code).toBe(0);
  expect(again.out).toBe(out);
  expect((await readFile(path, 'utf8')).split('\n').toSorted()).toEqual(lines.toSorted());
});
