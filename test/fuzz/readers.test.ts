/**
 * @file Reads hundreds of damaged files with each reader of foreign files. A reader must either read a file or refuse it with a
 * sentence. It must never hang. Only the Parquet library can: a test of the table desk checks that it is ended. The damage is the same in every test run. `PODIUM_FUZZ=20` reads twenty times as many files.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { builtScript } from '../fixtures/table-worker';
import type { FuzzOrder, FuzzReport } from './fuzz-worker';
import { seedsOf } from './seeds';
import type { TargetName } from './targets';

const TIMES = Number(process.env.PODIUM_FUZZ ?? 1);
/** A reader hangs if it needs more than this time for a small file, ms. A busy machine needs a hundredth of it. */
const LIMIT = 20_000;
/** The same for Parquet. It is short, because each run of the test waits for some hangs. */
const PARQUET_LIMIT = 2000;

const SEEDS = seedsOf();
const COUNTS: Readonly<Record<TargetName, number>> = {
  parquet: 150,
  csv: 400,
  'csv.gz': 200,
  jsonl: 400,
  json: 400,
  pickle: 400,
  'private tests': 200,
  'run file': 300,
  backup: 300,
  'pool file': 300,
  'batch file': 300,
  'outcome file': 200,
  'runs of the command line': 200,
};

interface Findings {
  readonly crashes: string[];
  /** The numbers of the files on which the reader hangs. */
  readonly hangs: number[];
}

/** Reads damaged files in a worker thread, and continues in a new one after a hang. */
async function fuzz(order: FuzzOrder, limit: number): Promise<Findings> {
  const script = await builtScript('test/fuzz/fuzz-worker.ts');
  const findings: Findings = { crashes: [], hangs: [] };
  for (let { from, count } = order; count > 0;) {
    const worker = new Worker(script, { stderr: true });
    const reached = await new Promise<number | null>((resolve) => {
      let number = from;
      let timer = setTimeout(() => resolve(number), limit);
      worker.on('message', (report: FuzzReport) => {
        clearTimeout(timer);
        if (report.type === 'finished') return resolve(null);
        if (report.type === 'crashed') findings.crashes.push(`File ${report.number}: ${report.error}`);
        else number = report.number;
        timer = setTimeout(() => resolve(number), limit);
      });
      worker.on('error', (thrown) => {
        clearTimeout(timer);
        findings.crashes.push(`File ${number}: ${String(thrown)}`);
        resolve(number);
      });
      worker.postMessage({ ...order, from, count });
    });
    await worker.terminate();
    if (reached === null) break;
    if (!findings.crashes.some((crash) => crash.startsWith(`File ${reached}:`))) findings.hangs.push(reached);
    count -= reached + 1 - from;
    from = reached + 1;
  }
  return findings;
}

const targets = Object.entries(COUNTS) as [TargetName, number][];
it.each(targets)('reads or refuses each damaged file of the kind %s', async (target, count) => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-fuzz-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const order = { target, seeds: SEEDS[target], from: 0, count: Math.ceil(count * TIMES), file: join(folder, 'file') };
  const isParquet = target === 'parquet';
  const { crashes, hangs } = await fuzz(order, isParquet ? PARQUET_LIMIT : LIMIT);
  expect(crashes).toEqual([]);
  expect(hangs.length).toBeLessThanOrEqual(isParquet ? order.count / 40 : 0);
});
