import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { foldEvents, seededRandom, type Run } from '../../../src/core/contract';
import { unitsOf } from '../../../src/core/evaluation/batches/units';
import { readBatchFile } from '../../../src/core/evaluation/tables/batch-file';
import { resultsTable } from '../../../src/core/evaluation/tables/results-table';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { chunk, event, openStream, send, usage, type Reply } from '../../fixtures/openai-scenarios';
import { builtCommand, startProcess, waitFor } from '../built-command';
import { storedRuns } from '../stored-runs';
import { command } from '../terminal';
import { endpointBatch, endpointSetup, planFile, poolFile, simulatedBatch, sumsFile, testFolder } from './plans';

/** Duration of an answer, ms. */
const ANSWER = 8;
/** Number of kills, at random moments. `PODIUM_KILLS=50` tests more moments. Each kill takes about two seconds. */
const KILLS = Number(process.env.PODIUM_KILLS ?? 4);
/** Time limit of a test, ms. Every start of a process takes seconds on a busy machine. */
const PATIENCE = 300_000;
const PLAYED_KILLS = 3;
const JOBS = 3;

/**
 * A reply that reports the number of the call (1 for the first) as its input tokens. From these numbers, tests find out which
 * calls the journal contains. Calls beyond `most` get no answer.
 */
function numbered(calls: { count: number; most: number; onCall: () => void }): Reply {
  return async ({ response, released }) => {
    calls.count += 1;
    const number = calls.count;
    calls.onCall();
    openStream(response);
    if (number > calls.most) return released();
    await send(response, event(chunk({ content: 'The answer ' })));
    await new Promise((resolve) => setTimeout(resolve, ANSWER));
    await send(response, event(chunk({ content: 'is \\boxed{7}.' }, 'stop')));
    await send(response, event({ choices: [], usage: usage(number, 2) }));
    response.end(event('[DONE]'));
  };
}

async function startWorld(count: number) {
  const server = await startOpenAiServer();
  onTestFinished(() => server.close());
  const calls = { count: 0, most: Infinity, onCall: () => undefined as void };
  const setups = ['ash', 'oak'].map((id) => endpointSetup(id, server.url));
  for (const { id } of setups) server.script(id, numbered(calls));
  const folder = await testFolder();
  const { path, dataset, tasks } = await sumsFile(folder, count);
  const batch = endpointBatch(setups, { dataset, tasks });
  const plan = await planFile(folder, batch);
  const pool = await poolFile(folder, setups);
  return { server, calls, folder, batch, args: ['eval', plan, '--pool', pool, '--data', path] };
}

/** The numbers of the calls whose answers are in a journal. */
async function recordedCalls(path: string): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for (const events of (await storedRuns(path)).values()) {
    for (const each of events) {
      if (each.type === 'step-finished' && 'usage' in each) {
        const found = each.usage;
        if (typeof found === 'object' && found !== null && 'input' in found) numbers.add(Number(found.input));
      }
    }
  }
  return numbers;
}

/** All runs of a journal, by id. */
async function runsIn(path: string) {
  return new Map([...(await storedRuns(path))].toSorted());
}

/** Returns the numbers of the calls, grouped by the body of the request. */
function numbersByKey({ requests }: OpenAiServer): Map<string, number[]> {
  const byKey = new Map<string, number[]>();
  let number = 0;
  for (const { method, body } of requests) {
    if (method !== 'POST') continue;
    number += 1;
    const key = JSON.stringify(body);
    byKey.set(key, [...(byKey.get(key) ?? []), number]);
  }
  return byKey;
}

async function tableOf(folder: string, out: string) {
  const file = join(folder, `${out}.podium-batch.json`);
  const { code } = await command(['merge', join(folder, out), '--out', file]);
  const { batch, outcomes } = readBatchFile(await readFile(file, 'utf8'), 'read');
  return { code, outcomes, table: resultsTable(batch, outcomes, { profile: 'strict' }) };
}

/**
 * Returns the cells of a table without usage and cost. They are higher after kills, because interrupted calls count
 * too.
 */
function scores({ table }: Awaited<ReturnType<typeof tableOf>>) {
  return table.methods.map(({ label, cells }) => ({
    label,
    cells: cells.map((cell) => ({ ...cell, usage: null, costPerRight: null })),
  }));
}

describe('an evaluation in a process that is killed', () => {
  it(
    `loses no outcome and repeats no finished call after ${KILLS} kills`,
    async () => {
      // There are enough tasks for all kills. A task has five calls, and at most eight calls are sent between two kills.
      const { server, calls, folder, batch, args } = await startWorld(Math.max(20, 2 * KILLS));
      const random = seededRandom(11);
      const out = join(folder, 'killed');
      const journal = join(out, 'shard-1-of-1.runs.jsonl');
      const started = [(await builtCommand()).script, ...args, '--out', out, '--resume', '-j', String(JOBS)];
      let unrecorded = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const target = calls.count + 1 + Math.floor(random() * 8);
        // Later calls get no answer, so that the evaluation can't finish before the kill on a slow machine.
        calls.most = target;
        const running = startProcess(process.execPath, started);
        await waitFor(running, () => calls.count >= target);
        await new Promise((resolve) => setTimeout(resolve, random() * 2 * ANSWER));
        running.child.kill('SIGKILL');
        expect(await running.ended, running.error()).toBe(null);
        const recorded = await recordedCalls(journal);
        // Only calls in progress at the kill may be missing from the journal.
        expect(calls.count - recorded.size - unrecorded).toBeLessThanOrEqual(JOBS * 2);
        unrecorded = calls.count - recorded.size;
      }
      calls.most = Infinity;
      const last = startProcess(process.execPath, started);
      expect(await last.ended, last.error()).toBe(0);

      const recorded = await recordedCalls(journal);
      for (const numbers of numbersByKey(server).values()) {
        // A call is repeated only if its answer never reached the journal.
        expect(numbers.slice(0, -1).filter((number) => recorded.has(number))).toEqual([]);
        expect(recorded.has(numbers.at(-1) ?? 0)).toBe(true);
      }
      const killed = await tableOf(folder, 'killed');
      expect(killed.outcomes).toHaveLength(unitsOf(batch.plan).length);

      const whole = await command([...args, '--out', join(folder, 'whole')]);
      expect(whole.code, whole.error).toBe(0);
      expect(scores(killed)).toEqual(scores(await tableOf(folder, 'whole')));
      expect(killed.table.methods.map(({ mean }) => mean?.mean)).toEqual(batch.plan.methods.map(() => 0.5));
      const runs = await storedRuns(journal);
      const folded = [...runs.values()].map((events): Run | null => foldEvents(events));
      expect(folded.every((run) => run?.status === 'finished')).toBe(true);
    },
    PATIENCE,
  );

  it(
    `stores each simulated outcome exactly once, and loses no run, after ${PLAYED_KILLS} kills`,
    async () => {
      const folder = await testFolder();
      const batch = simulatedBatch(110);
      const args = ['eval', await planFile(folder, batch)];
      const random = seededRandom(5);
      const path = join(folder, 'killed', 'shard-1-of-1.outcomes.jsonl');
      const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const started = [(await builtCommand()).script, ...args, '--out', join(folder, 'killed'), '--resume'];
      for (let kill = 1; kill <= PLAYED_KILLS; kill += 1) {
        const before = size();
        const running = startProcess(process.execPath, started);
        // Kills some processes while they start, and others while they store runs or outcomes.
        if (random() < 0.8) await waitFor(running, () => size() > before);
        await new Promise((resolve) => setTimeout(resolve, random() * 40));
        running.child.kill('SIGKILL');
        await running.ended;
      }
      const last = startProcess(process.execPath, started);
      expect(await last.ended, last.error()).toBe(0);
      const units = (await readFile(path, 'utf8')).trimEnd().split('\n');
      expect(units).toHaveLength(unitsOf(batch.plan).length);
      expect((await command([...args, '--out', join(folder, 'whole')])).code).toBe(0);
      const [killed, whole] = [await tableOf(folder, 'killed'), await tableOf(folder, 'whole')];
      expect(killed.table).toEqual(whole.table);
      expect(killed.outcomes).toEqual(whole.outcomes);
      const [one, other] = await Promise.all(
        ['killed', 'whole'].map((out) => runsIn(join(folder, out, 'shard-1-of-1.runs.jsonl'))),
      );
      expect(one).toEqual(other);
    },
    PATIENCE,
  );

  it('finishes current runs at the first signal, and later resumes without repeating a call', async () => {
    const { server, calls, folder, args } = await startWorld(10);
    const out = join(folder, 'out');
    const started = [(await builtCommand()).script, ...args, '--out', out, '--resume', '-j', '2'];
    const running = startProcess(process.execPath, started);
    await waitFor(running, () => calls.count >= 4);
    running.child.kill('SIGTERM');
    expect(await running.ended, running.error()).toBe(130);
    expect(running.error()).toContain('Finishing the current runs');
    const journal = join(out, 'shard-1-of-1.runs.jsonl');
    expect((await recordedCalls(journal)).size).toBe(calls.count);
    const again = startProcess(process.execPath, started);
    expect(await again.ended, again.error()).toBe(0);
    expect([...numbersByKey(server).values()].every((numbers) => numbers.length === 1)).toBe(true);
  });

  it('cancels its calls at the second signal and exits with 130', async () => {
    const { server, folder, args } = await startWorld(4);
    let open = 0;
    for (const model of ['ash', 'oak']) {
      server.script(model, async ({ response, released }) => {
        open += 1;
        openStream(response);
        await released();
      });
    }
    const started = [(await builtCommand()).script, ...args, '--out', join(folder, 'out'), '-j', '2'];
    const running = startProcess(process.execPath, started);
    await waitFor(running, () => open >= 2);
    running.child.kill('SIGINT');
    await waitFor(running, () => running.error().includes('Interrupt again'));
    running.child.kill('SIGINT');
    expect(await running.ended, running.error()).toBe(130);
    expect(await Promise.all(server.requests.map(({ ended }) => ended))).toEqual(server.requests.map(() => 'early'));
  });
});
