/** @file Writes plan, pool and dataset files for tests of evaluations on the command line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import {
  DEFAULT_PREFERENCES,
  toPoolWorker,
  type Batch,
  type BatchPlan,
  type Dataset,
  type DatasetMap,
  type EvaluationTask,
  type Method,
  type WorkerSetup,
} from '../../../src/core/contract';
import { conductorMethod } from '../../../src/core/evaluation/batches/methods';
import { createDatasetImporter } from '../../../src/core/evaluation/datasets/importer';
import { writeBatchFile } from '../../../src/core/evaluation/tables/batch-file';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { writePoolFile } from '../../../src/platform/store/pool-file';
import { createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { batchOf, methodSettings } from '../../fixtures/evaluation/practice';
import { FakeClock } from '../../fixtures/fake-clock';
import { singleWorkerMethods, templateMethods } from '../../fixtures/evaluation/template-methods';
import { practiceDataset, practiceTasks } from '../../../src/core/evaluation/datasets/practice/with-practice';

/** Creates a folder that is deleted after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'podium-eval-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A batch of the first puzzles of the practice set, with seven methods that use simulated workers. */
export function simulatedBatch(count: number, more: Partial<BatchPlan> = {}): Batch {
  const settings = methodSettings();
  const methods = [
    ...singleWorkerMethods(settings),
    conductorMethod(HEURISTIC_INFO, settings),
    conductorMethod(POLICY_INFO, settings),
  ];
  const { dataset, tasks } = puzzleTasks(count);
  return batchOf(dataset, tasks, { methods, ...more });
}

export interface TestTasks {
  readonly dataset: Dataset;
  readonly tasks: readonly EvaluationTask[];
}

/** The first puzzles of the practice set. */
export function puzzleTasks(count: number): TestTasks {
  const puzzles = practiceTasks().filter(({ grader }) => grader === 'puzzle');
  return { dataset: practiceDataset(), tasks: puzzles.slice(0, count) };
}

/** Writes a file of questions. Their right answers alternate between 7 and 8. */
export async function sumsFile(folder: string, count: number): Promise<TestTasks & { readonly path: string }> {
  const rows = Array.from({ length: count }, (_, index) => ({
    question: `Question ${index}?`,
    answer: `${7 + (index % 2)}`,
  }));
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const path = join(folder, 'sums.jsonl');
  await writeFile(path, text);
  return { path, ...(await importInPage('sums.jsonl', text)) };
}

/** Imports a dataset file with the importer that the page uses. @param assigned columns that the user assigns */
export async function importInPage(name: string, text: string, assigned?: DatasetMap): Promise<TestTasks> {
  const store = createMemoryDatasetStore();
  const clock = new FakeClock('auto');
  const importer = createDatasetImporter({
    store,
    batches: { list: async () => [] },
    clock,
    tables: createTableOpener(openTable, clock),
  });
  const { signal } = new AbortController();
  const table = await importer.openFile(new File([text], name), signal);
  const map =
    assigned ??
    (table.recognized === null
      ? ({ kind: 'columns', map: importer.suggest(table) } as const)
      : ({ kind: 'known', set: table.recognized } as const));
  for await (const event of importer.import(table, map, { name: 'Own', isConfirmed: true }, signal)) {
    if (event.kind !== 'finished') continue;
    const { id } = event.dataset;
    const outline = await store.outline(id);
    const tasks = await store.tasks(
      id,
      outline.map(({ id }) => id),
    );
    return { dataset: event.dataset, tasks };
  }
  throw new Error('The import did not finish.');
}

/** @returns the path of a plan file in the format of the page's export */
export async function planFile(folder: string, batch: Batch, name = 'plan.podium-batch.json'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, writeBatchFile(batch, [], { app: 'test', exportedAt: 0 }));
  return path;
}

export function endpointSetup(id: string, baseUrl: string): WorkerSetup {
  return {
    id,
    name: id,
    mark: id.slice(0, 2),
    colour: 1,
    baseUrl,
    model: id,
    price: { input: 20, output: 40 },
    description: '',
    needsKey: false,
  };
}

export async function poolFile(folder: string, workers: readonly WorkerSetup[]): Promise<string> {
  const path = join(folder, 'pool.json');
  await writeFile(
    path,
    writePoolFile({ pool: null, workers, conductor: null, preferences: DEFAULT_PREFERENCES }, 'test'),
  );
  return path;
}

/**
 * A batch for workers on servers: each worker alone, and a Mixture of Agents. With two workers, the mixture makes three calls.
 * Each method has its own output limit, so no two methods send equal requests.
 */
export function endpointBatch(workers: readonly WorkerSetup[], { dataset, tasks }: TestTasks): Batch {
  // Tests that kill a process and resume need a high cap, because the calls of the killed process also count.
  const caps = { rounds: 1, calls: 1000, tokens: null, usd: null };
  const settings = methodSettings({ pool: workers.map((setup) => toPoolWorker(setup)), caps });
  const methods = [...singleWorkerMethods(settings), ...templateMethods('mixture-of-agents', settings)].map(
    (method, index): Method => ({
      ...method,
      settings: { ...method.settings, sampling: { temperature: 0, maxTokens: 100 + index } },
    }),
  );
  return batchOf(dataset, tasks, { methods });
}
