import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import {
  batchLock,
  unitKey,
  type EvaluationTask,
  type RestoreMode,
  type RestoreProgress,
} from '../../../src/core/contract';
import { createArchive } from '../../../src/platform/store/archive';
import { createBatchStore } from '../../../src/platform/store/batches';
import { openConfidentialityCheck } from '../../../src/platform/store/confidential-runs';
import { createDatasetStore } from '../../../src/platform/store/datasets';
import { DATASET_STORES } from '../../../src/platform/store/dataset-records';
import { createFileReader } from '../../../src/platform/store/file-reader';
import { createRunStore } from '../../../src/platform/store/run-store';
import { exportRuns } from '../../../src/platform/store/transfer';
import { batchPlan, evaluationTask, outcome, storedBatch, storedDataset } from '../../fixtures/evaluation/batches';
import { MemoryLocks } from '../../fixtures/memory-locks';
import { runStarted, stampEvents } from '../../fixtures/run-events';
import { testDatabase } from './harness';

const { signal } = new AbortController();
const clock = { now: () => 1_770_000_000_000 };
const SECRET = 'a question that must not leave';

async function* arriving(tasks: readonly EvaluationTask[]) {
  yield* tasks;
}

function browser() {
  const database = testDatabase();
  const parts = { database, store: createRunStore(database), locks: new MemoryLocks().tab(), clock };
  const archive = createArchive({ ...parts, app: '9.9.9', reader: createFileReader(parts) });
  const [datasets, batches] = [createDatasetStore(database, clock), createBatchStore(database)];
  const records = () =>
    database.transact(DATASET_STORES, 'readonly', (transaction) =>
      Promise.all(DATASET_STORES.map((name) => transaction.objectStore(name).count())),
    );
  return { archive, database, datasets, batches, records, runs: parts.store, locks: parts.locks };
}
type Browser = ReturnType<typeof browser>;

const tasksOf = (count: number) => Array.from({ length: count }, (_, index) => evaluationTask(`t${index}`));

async function addDataset(
  { datasets }: Browser,
  id: string,
  count: number,
  more: Parameters<typeof storedDataset>[2] = {},
) {
  const tasks = more.isConfidential ? [evaluationTask('s', { question: SECRET })] : tasksOf(count);
  await datasets.add(arriving(tasks), () => storedDataset(id, tasks.length, more), signal);
}

async function backup({ archive }: Browser) {
  const leftOut: string[] = [];
  const stream = archive.backup({ keys: false, signal, leftOut: (message) => leftOut.push(message) });
  const file = await new Response(stream).blob();
  const text = await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
  return { file, leftOut, text };
}

async function restore({ archive }: Browser, file: Blob, mode: RestoreMode = 'merge', isOwn = true) {
  let last: RestoreProgress | null = null;
  for await (const progress of archive.restore(file, { mode, isOwn }, signal)) last = progress;
  if (!last) throw new Error('It reported no progress.');
  const counts = Object.fromEntries(
    last.parts.map(({ name, counts }) => [
      name,
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ]),
  );
  return { counts, damage: last.damage };
}

describe('a backup', () => {
  it('restores a dataset with recorded answers of a worker', async () => {
    const from = browser();
    const answer = { worker: 'lynx', text: 'Lima', usd: 0.002, latency: 800, input: null, output: null };
    const task = evaluationTask('t0', { recorded: [answer] });
    const dataset = storedDataset('d', 1, { recordedWorkers: ['lynx'] });
    await from.datasets.add(arriving([task]), () => dataset, signal);
    const to = browser();
    await restore(to, (await backup(from)).file);
    expect(await to.datasets.get('d')).toEqual(dataset);
    expect(await to.datasets.tasks('d', ['t0'])).toEqual([task]);
  });

  it('restores datasets, batches and outcomes in a new browser, and counts them as present when restored again', async () => {
    const from = browser();
    await addDataset(from, 'd', 120);
    // A list in most records has at most 5,000 entries. This plan has 6,000 tasks, to test that the limit does not
    // apply to plans.
    const [first] = batchPlan().datasets;
    if (!first) throw new Error('The plan has no dataset.');
    const taskIds = Array.from({ length: 6000 }, (_, index) => `t${index}`);
    const batch = storedBatch('batch', { plan: batchPlan({ datasets: [{ ...first, taskIds }] }) });
    await from.batches.put(batch);
    await from.batches.addOutcomes([outcome(true), outcome(null, { taskId: 't1' })]);
    const { file } = await backup(from);
    expect((await from.archive.inspect(file, signal)).damage).toEqual([]);

    const into = browser();
    const restored = await restore(into, file);
    expect(restored).toMatchObject({
      counts: { tasks: { added: 120 }, datasets: { added: 1 }, batches: { added: 1 }, outcomes: { added: 2 } },
      damage: [],
    });
    expect(await into.datasets.list()).toEqual(await from.datasets.list());
    expect(await into.datasets.outline('d')).toEqual(await from.datasets.outline('d'));
    expect(await into.datasets.tasks('d', ['t119'])).toEqual([evaluationTask('t119')]);
    expect(await into.batches.list()).toEqual([batch]);
    expect(await into.batches.outcomes('batch')).toEqual(await from.batches.outcomes('batch'));

    for (const mode of ['merge', 'replace'] as const) {
      const again = await restore(into, file, mode);
      expect(again.counts).toMatchObject({
        tasks: { present: 120 },
        datasets: { present: 1 },
        outcomes: { present: 2 },
      });
      expect(await into.records()).toEqual([1, 120, 1, 0]);
    }
  });

  it('leaves out confidential datasets and names them', async () => {
    const from = browser();
    await addDataset(from, 'open', 3);
    await addDataset(from, 'gated', 1, { isConfidential: true, name: 'GPQA' });
    const { file, leftOut, text } = await backup(from);
    expect(text).not.toContain(SECRET);
    expect(leftOut).toEqual(['The dataset “GPQA” is left out, because its tasks must not leave this browser.']);
    const parts = (await from.archive.inspect(file, signal)).parts.map(({ name, whole, promised }) => [
      name,
      whole,
      promised,
    ]);
    expect(parts).toContainEqual(['tasks', 3, 3]);
    expect(parts).toContainEqual(['datasets', 1, 1]);
  });
});

describe('runs and results on a confidential dataset', () => {
  const SENTENCE = 'The answer secret does not match the reference.';
  const verdicts = { strict: { correct: false, detail: SENTENCE } };
  const run = (runId: string, isConfidential: boolean) => {
    const of = { id: 'batch', dataset: 'd', task: 't', method: 'm', repeat: 0 };
    const batch = isConfidential ? { ...of, isConfidential: true as const } : of;
    const text = isConfidential ? SECRET : 'an open question';
    return stampEvents([runStarted({ question: { text }, batch }), { type: 'run-cancelled' }], { runId });
  };
  const store = async (into: Browser) => {
    const stored = storedBatch('batch');
    const datasets = stored.plan.datasets.map((dataset) => ({ ...dataset, isConfidential: true }));
    await into.batches.put({ ...stored, plan: { ...stored.plan, datasets } });
    await into.batches.addOutcomes([outcome(false, { verdicts })]);
    await into.runs.addRuns([run('secret', true), run('open', false)]);
  };

  it('leave no texts in a backup, which reports how many runs are left out', async () => {
    const from = browser();
    await store(from);
    const { text, leftOut } = await backup(from);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(SENTENCE);
    expect(text).toContain('an open question');
    expect(leftOut).toEqual(['1 run is left out, because its task must not leave this browser.']);
  });

  it('are kept when a backup without them is restored in mode `replace`', async () => {
    const from = browser();
    await store(from);
    const { file } = await backup(from);
    await from.runs.addRuns([run('later', false), run('later-secret', true)]);
    await from.batches.addOutcomes([outcome(false, { verdicts, taskId: 'later' })]);
    const stored = await from.batches.outcomes('batch');
    await restore(from, file, 'replace');
    const { summaries } = await from.runs.summaries({ limit: 10 });
    expect(summaries.map(({ id }) => id).toSorted()).toEqual(['later-secret', 'open', 'secret']);
    expect(stored.map(({ taskId }) => taskId).toSorted()).toEqual(['later', outcome(false).taskId].toSorted());
    expect(await from.batches.outcomes('batch')).toEqual(stored);
  });

  it('are kept, as is their batch, when a backup without the batch is restored in mode `replace`', async () => {
    const from = browser();
    const { file } = await backup(from);
    await store(from);
    await from.batches.put(storedBatch('open'));
    await from.batches.addOutcomes([outcome(true, { batchId: 'open' })]);
    await restore(from, file, 'replace');
    expect((await from.batches.list()).map(({ id }) => id)).toEqual(['batch']);
    expect(await from.batches.outcomes('batch')).toHaveLength(1);
    expect(await from.batches.outcomes('open')).toEqual([]);
  });
});

describe('older runs on a confidential dataset, without `isConfidential` in their events', () => {
  const of = { id: 'batch', dataset: 'gated', task: 's', method: 'm', repeat: 0 };
  const store = async (into: Browser) => {
    await addDataset(into, 'gated', 1, { isConfidential: true });
    const secret = { question: { text: SECRET } };
    const starts = [
      ['run', { ...secret, batch: of }],
      ['fork', { ...secret, parent: { runId: 'run', round: 0, step: 0 } }],
      ['follow-up', { question: { text: 'Why?', context: { runId: 'fork', question: SECRET, answer: 'So.' } } }],
      ['open', { question: { text: 'an open question' } }],
    ] as const;
    await into.runs.addRuns(
      starts.map(([runId, more]) => stampEvents([runStarted(more), { type: 'run-cancelled' }], { runId })),
    );
  };

  it('stay out of backups and exports, together with their forks and follow-ups', async () => {
    const from = browser();
    await store(from);
    const { text, leftOut } = await backup(from);
    expect(text).not.toContain(SECRET);
    expect(text).toContain('an open question');
    expect(leftOut).toContain('3 runs are left out, because their tasks must not leave this browser.');
    const isConfidential = await openConfidentialityCheck(from.database, from.runs);
    const lines: string[] = [];
    for await (const line of exportRuns(from.runs, null, { signal, isConfidential })) lines.push(line);
    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toContain(SECRET);
  });

  it('are kept when a backup is restored in mode `replace`', async () => {
    const from = browser();
    await store(from);
    const { file } = await backup(from);
    await restore(from, file, 'replace');
    expect(await from.runs.count()).toBe(4);
  });
});

describe('a result that this version can’t read', () => {
  it('is left out of a backup, and the backup reports this', async () => {
    const from = browser();
    const stored = storedBatch('batch');
    const datasets = stored.plan.datasets.map((dataset) => ({ ...dataset, isConfidential: true }));
    await from.batches.put({ ...stored, plan: { ...stored.plan, datasets } });
    const verdicts = { strict: { correct: false, detail: SECRET } };
    const unreadable = { ...outcome(false, { verdicts }), rounds: 'one' };
    await from.batches.addOutcomes([outcome(true, { taskId: 't1' })]);
    await from.database.transact(['outcomes'], 'readwrite', (transaction) =>
      transaction.objectStore('outcomes').put(unreadable, [unreadable.batchId, unitKey(unreadable)]),
    );
    const { file, text, leftOut } = await backup(from);
    expect(text).not.toContain(SECRET);
    expect(leftOut).toEqual(['1 result of a batch is left out, because this version of Podium can’t read it.']);
    expect((await from.archive.inspect(file, signal)).damage).toEqual([]);
  });

  it('is kept by a restore in mode `replace`, unlike a readable result that the backup lacks', async () => {
    const from = browser();
    await from.batches.put(storedBatch('batch'));
    const { file } = await backup(from);
    const unreadable = { ...outcome(false), rounds: 'one' };
    await from.batches.addOutcomes([outcome(true, { taskId: 't1' })]);
    await from.database.transact(['outcomes'], 'readwrite', (transaction) =>
      transaction.objectStore('outcomes').put(unreadable, [unreadable.batchId, unitKey(unreadable)]),
    );
    expect((await restore(from, file, 'replace')).counts.outcomes).toEqual({ removed: 1 });
    const results = await from.database.transact(['outcomes'], 'readonly', (transaction) =>
      transaction.objectStore('outcomes').getAll(),
    );
    expect(results).toEqual([unreadable]);
  });
});

describe('a restore while a batch runs', () => {
  it('fails in mode `replace`, names the batch, and changes nothing', async () => {
    const from = browser();
    await from.batches.put(storedBatch('batch', { name: 'Of the file' }));
    const { file } = await backup(from);
    const into = browser();
    await addDataset(into, 'sums', 4);
    await into.batches.put(storedBatch('batch', { name: 'Running' }));
    await into.batches.addOutcomes([outcome(true)]);
    const release = await into.locks.acquire(batchLock('batch'));
    await expect(restore(into, file, 'replace')).rejects.toMatchObject({
      fault: {
        code: 'run-busy',
        message: 'The batch “Running” is running. Stop it, then replace everything.',
      },
    });
    expect(await into.batches.get('batch')).toMatchObject({ name: 'Running' });
    expect(await into.batches.outcomes('batch')).toHaveLength(1);
    expect(await into.records()).toEqual([1, 4, 1, 0]);
    release?.();
    await restore(into, file, 'replace');
    expect(await into.batches.get('batch')).toMatchObject({ name: 'Of the file' });
    expect(await into.batches.outcomes('batch')).toEqual([]);
    expect(await into.records()).toEqual([0, 0, 0, 0]);
  });

  it('succeeds in mode `merge`', async () => {
    const from = browser();
    await from.batches.put(storedBatch('other'));
    const { file } = await backup(from);
    const into = browser();
    await into.batches.put(storedBatch('batch'));
    await into.locks.acquire(batchLock('batch'));
    expect((await restore(into, file, 'merge')).counts.batches).toEqual({ added: 1 });
  });
});

describe('a restore that replaces everything', () => {
  it('prevents a batch from starting until the restore ends', async () => {
    const from = browser();
    await from.batches.put(storedBatch('batch'));
    const { file } = await backup(from);
    const held: boolean[] = [];
    const restoring = from.archive.restore(file, { mode: 'replace', isOwn: true }, signal);
    for await (const { parts } of restoring) {
      held.push(parts.length > 0 && (await from.locks.acquire(batchLock('batch'))) === null);
    }
    expect(new Set(held)).toEqual(new Set([true]));
    expect(await from.locks.acquire(batchLock('batch'))).not.toBeNull();
  });

  it('deletes no datasets or results if a batch in the file is damaged', async () => {
    const from = browser();
    await from.batches.put(storedBatch('other'));
    await addDataset(from, 'd', 2);
    const { text } = await backup(from);
    const damaged = text.replace('"name":"Batch other"', '"name":0');
    const into = browser();
    await addDataset(into, 'sums', 4);
    await into.batches.put(storedBatch('batch'));
    await into.batches.addOutcomes([outcome(true)]);
    const { damage } = await restore(into, new Blob([damaged]), 'replace');
    expect(damage).toContain('Datasets that are not in the file were kept, because the file is damaged.');
    expect(await into.batches.outcomes('batch')).toHaveLength(1);
    expect((await into.datasets.list()).map(({ id }) => id).toSorted()).toEqual(['d', 'sums']);
  });
});

describe('batches of a backup', () => {
  it('are marked as imported, unless the backup is the user’s own or the batch is already stored', async () => {
    const from = browser();
    await from.batches.put(storedBatch('batch'));
    const { file } = await backup(from);
    const isImported = async (isOwn: boolean, into = browser()) => {
      await restore(into, file, 'replace', isOwn);
      return (await into.batches.get('batch'))?.isImported;
    };
    expect(await isImported(true)).toBe(false);
    expect(await isImported(false)).toBe(true);
    expect(await isImported(false, from)).toBe(false);
  });

  it('add results to a stored batch only if the stored batch was imported or the backup is the user’s own', async () => {
    const from = browser();
    await from.batches.put(storedBatch('batch'));
    await from.batches.addOutcomes([outcome(true), outcome(true, { taskId: 't1' })]);
    const { file } = await backup(from);
    const into = browser();
    await into.batches.put(storedBatch('batch'));
    await into.batches.addOutcomes([outcome(true)]);
    expect((await restore(into, file, 'merge', false)).counts.outcomes).toEqual({ present: 1, kept: 1 });
    expect(await into.batches.outcomes('batch')).toHaveLength(1);
    expect((await restore(into, file, 'merge', true)).counts.outcomes).toEqual({ present: 1, added: 1 });

    const other = browser();
    expect((await restore(other, file, 'merge', false)).counts.outcomes).toEqual({ added: 2 });
    await from.batches.addOutcomes([outcome(true, { taskId: 't2' })]);
    const later = await backup(from);
    expect((await restore(other, later.file, 'merge', false)).counts.outcomes).toEqual({ present: 2, added: 1 });
  });
});

describe('a restore that replaces everything', () => {
  it('replaces a dataset that differs, and deletes datasets that are not in the file, except confidential ones', async () => {
    const from = browser();
    await addDataset(from, 'd', 4);
    const { file } = await backup(from);
    await addDataset(from, 'd', 6, { revision: 'later' });
    const { file: later } = await backup(from);
    const into = browser();
    await addDataset(into, 'other', 3);
    await addDataset(into, 'gated', 1, { isConfidential: true });
    for (const [next, count] of [
      [file, 4],
      [later, 6],
      [file, 4],
    ] as const) {
      await restore(into, next, 'replace');
      expect((await into.datasets.list()).map(({ id }) => id)).toEqual(['d', 'gated']);
      expect(await into.datasets.outline('d')).toHaveLength(count);
      expect(await into.records()).toEqual([2, count + 1, 2, 0]);
    }
  });
});

describe('a restore', () => {
  it('never replaces a confidential dataset', async () => {
    const [from, into] = [browser(), browser()];
    await addDataset(from, 'gated', 4);
    await addDataset(into, 'gated', 1, { isConfidential: true });
    const { counts } = await restore(into, (await backup(from)).file, 'replace');
    expect(counts).toMatchObject({ tasks: { kept: 4 }, datasets: { kept: 1 } });
    expect(await into.datasets.get('gated')).toMatchObject({ isConfidential: true, tasks: 1 });
    expect(await into.records()).toEqual([1, 1, 1, 0]);
  });

  it('deletes the tasks that an earlier restore of a truncated file left behind', async () => {
    const [from, into] = [browser(), browser()];
    await addDataset(from, 'd', 6);
    const { text } = await backup(from);
    const lines = text.split('\n');
    const cut = lines.slice(
      0,
      lines.findIndex((line) => line.includes('"section":"tasks","end"')),
    );
    await restore(into, new Blob([cut.join('\n')]));
    expect(await into.records()).toEqual([0, 6, 0, 1]);
    await addDataset(from, 'd', 4);
    expect((await restore(into, (await backup(from)).file)).counts.datasets).toEqual({ added: 1 });
    expect(await into.records()).toEqual([1, 4, 1, 0]);
  });

  it.each([6, 1])(
    'deletes the tasks of an incomplete restore, even if the next file’s first task is damaged (%i tasks)',
    async (count) => {
      const [from, into] = [browser(), browser()];
      await addDataset(from, 'd', count);
      const { text } = await backup(from);
      const [staged = ''] = text.split('{"section":"tasks","end"');
      await restore(into, new Blob([staged]));
      expect(await into.records()).toEqual([0, count, 0, 1]);
      const damaged = text.replace('{"dataset":"d","index":0,"task":{"id"', '{"dataset":"d","index":0,"task":{"no"');
      expect((await restore(into, new Blob([damaged]))).counts.datasets).toEqual({});
      expect(await into.records()).toEqual([0, 0, 0, 0]);
    },
  );
});

describe('a restore that merges', () => {
  it('keeps the stored dataset and its tasks if the dataset in the file differs', async () => {
    const [from, into] = [browser(), browser()];
    await addDataset(from, 'd', 4, { revision: 'later' });
    await addDataset(into, 'd', 2);
    expect((await restore(into, (await backup(from)).file)).counts.datasets).toEqual({ kept: 1 });
    expect(await into.datasets.outline('d')).toHaveLength(2);
    expect(await into.records()).toEqual([1, 2, 1, 0]);
  });
});

describe('a restore of a damaged file', () => {
  it('adds no dataset that has a damaged task', async () => {
    const from = browser();
    await addDataset(from, 'd', 4);
    const { text } = await backup(from);
    const into = browser();
    for (const index of [0, 2]) {
      const damaged = text.replace(
        `{"dataset":"d","index":${index},"task":{"id"`,
        '{"dataset":"d","index":0,"task":{"no"',
      );
      const { counts, damage } = await restore(into, new Blob([damaged]));
      expect(counts.datasets).toEqual({});
      expect(damage[0]).toMatch(/^1 of 4 tasks of datasets is damaged/);
      expect(await into.records()).toEqual([0, 0, 0, 0]);
    }
  });
});
