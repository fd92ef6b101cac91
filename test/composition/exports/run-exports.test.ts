import * as fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { exportBytes, type FileExport } from '../../../src/composition/exports/run-exports';
import { createFactsOf } from '../../../src/composition/exports/task-facts';
import { EXPORT_TABLES } from '../../../src/core/analysis/exports/tables';
import type { ColumnType, ExportTableName, RunEvent } from '../../../src/core/contract';
import { batchPlan, evaluationTask, storedBatch, storedDataset } from '../../fixtures/evaluation/batches';
import { createMemoryDatasetStore } from '../../fixtures/evaluation/memory-stores';
import { MemoryStore } from '../../fixtures/memory-store';
import { endedRun } from '../../fixtures/run-arbitrary';
import { readZip } from '../../fixtures/read-zip';
import { finishedRunBodies, runStarted, stampEvents } from '../../fixtures/run-events';
import { isMarked } from '../../fixtures/only-marked';

const TABLES: readonly ExportTableName[] = ['runs', 'steps', 'events'];

async function storeOf(runs: readonly (readonly RunEvent[])[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const events of runs) for (const event of events) await store.append(event);
  return store;
}

async function exported(
  store: MemoryStore,
  what: FileExport,
  ids: readonly string[] | null = null,
  factsOf?: ReturnType<typeof createFactsOf>,
) {
  const leftOut: string[] = [];
  const progress: number[] = [];
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const listener = {
    signal: new AbortController().signal,
    leftOut: (message: string) => void leftOut.push(message),
    onprogress: (done: number) => void progress.push(done),
    isConfidential: isMarked,
    ...(factsOf ? { factsOf } : {}),
  };
  const request = { what, ids, app: '1.2.3', now: 1_770_000_000_000 };
  for await (const bytes of exportBytes(store, request, listener)) pieces.push(bytes);
  return { file: new Blob(pieces), leftOut, progress };
}

/** The value as a CSV cell. A leading apostrophe prevents spreadsheets from evaluating the cell as a formula. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' && /^(\s*[=+\-@]|[\t\r])/.test(value) ? `'${value}` : String(value);
}

describe.each(TABLES)('the table of %s', (table) => {
  const { columns } = EXPORT_TABLES[table];

  it('has the same values in Parquet as in CSV', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(endedRun(), { minLength: 1, maxLength: 3 }), async (runs) => {
        const store = await storeOf(
          runs.map((events, index) => events.map((event) => ({ ...event, runId: `run-${index}` }))),
        );
        const { file } = await exported(store, { format: 'csv', table });
        // The byte order mark, without which Excel does not read UTF-8. `text` removes it.
        expect([...new Uint8Array(await file.slice(0, 3).arrayBuffer())]).toEqual([0xef, 0xbb, 0xbf]);
        const csv = await file.text();
        const [header, ...lines] = Papa.parse<string[]>(csv, { skipEmptyLines: true }).data;
        const parquet = await (await exported(store, { format: 'parquet', table })).file.arrayBuffer();
        const rows = await parquetReadObjects({ file: parquet });
        expect(header).toEqual(columns.map(({ name }) => name));
        expect(rows.map((row) => columns.map(({ name }) => textOf(row[name])))).toEqual(lines);
      }),
      { numRuns: 25 },
    );
  });

  it('has the documented column types in Parquet, and stores the column descriptions in the metadata', async () => {
    const { file } = await exported(await storeOf([stampEvents(finishedRunBodies())]), { format: 'parquet', table });
    const { schema, key_value_metadata: metadata } = parquetMetadata(await file.arrayBuffer());
    const types: Record<ColumnType, string> = {
      text: 'UTF8',
      json: 'UTF8',
      integer: 'INT64',
      number: 'DOUBLE',
      boolean: 'BOOLEAN',
      time: 'TIMESTAMP_MILLIS',
    };
    expect(schema.slice(1).map(({ name, type, converted_type }) => [name, converted_type ?? type])).toEqual(
      columns.map(({ name, type }) => [name, types[type]]),
    );
    expect(JSON.parse(metadata?.find(({ key }) => key === 'podium.columns')?.value ?? '')).toEqual(columns);
  });
});

describe('an export', () => {
  const named = (runId: string, confidential = false) => {
    const batch = {
      id: 'b',
      dataset: 'd',
      task: 't',
      method: 'm',
      repeat: 0,
      ...(confidential && { isConfidential: true as const }),
    };
    const [, ...others] = finishedRunBodies();
    return stampEvents([runStarted({ batch }), ...others], { runId });
  };

  it('leaves confidential runs out of an Inspect log and out of the counts in its header', async () => {
    const store = await storeOf([named('open'), named('secret', true), named('unmarked'), named('other')]);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const listener = {
      signal: new AbortController().signal,
      leftOut: () => undefined,
      onprogress: () => undefined,
      // Simulates a check of the datasets. Only this check finds that `unmarked` is confidential.
      isConfidential: ({ runId }: { readonly runId: string }) => Promise.resolve(/secret|unmarked/.test(runId)),
    };
    const request = { what: { format: 'inspect' as const }, ids: null, app: '1.2.3', now: 1_770_000_000_000 };
    for await (const bytes of exportBytes(store, request, listener)) pieces.push(bytes);
    const [text = '', ...others] = (await readZip(new Blob(pieces))).values();
    expect(others).toEqual([]);
    const log: unknown = JSON.parse(text.replaceAll('"value":NaN', '"value":null'));
    expect(log).toMatchObject({
      eval: { dataset: { samples: 1 } },
      results: { total_samples: 2 },
      samples: [{ uuid: 'other' }, { uuid: 'open' }],
    });
  });

  it('has an Inspect log for each method and dataset, with names and right answers', async () => {
    const run = (runId: string, dataset: string, method: string) => {
      const batch = { id: 'b', dataset, task: 't', method, repeat: 0 };
      return stampEvents([runStarted({ batch }), ...finishedRunBodies().slice(1)], { runId });
    };
    const runs = [run('a', 'd', 'm'), run('b', 'd', 'n'), run('c', 'e', 'm'), stampEvents(finishedRunBodies())];
    const datasets = createMemoryDatasetStore();
    const tasks = (async function* () {
      yield* [evaluationTask('t', { reference: '42' })];
    })();
    await datasets.add(tasks, () => storedDataset('d', 1), new AbortController().signal);
    const [dataset] = storedBatch('b').plan.datasets;
    const [method] = storedBatch('b').plan.methods;
    if (!dataset || !method) throw new Error('The batch has a dataset and a method.');
    const plan = batchPlan({
      datasets: [{ ...dataset, id: 'd', name: 'Sums' }],
      methods: [{ ...method, id: 'm', label: 'First' }],
    });
    const factsOf = createFactsOf({ batches: { get: async () => storedBatch('b', { name: 'Mine', plan }) }, datasets });
    const { file, progress } = await exported(await storeOf(runs), { format: 'inspect' }, null, factsOf);
    const logs = await readZip(file);
    expect([...logs.keys()].toSorted()).toEqual([
      expect.stringContaining('_Sums_First-') as string,
      expect.stringContaining('_Sums_n-') as string,
      expect.stringContaining('_e_First-') as string,
      expect.stringContaining('_runs_') as string,
    ]);
    expect(logs.get([...logs.keys()].find((name) => name.includes('Sums_First')) ?? '')).toContain('"target":"42"');
    expect(progress).toEqual([1, 2, 3, 4]);
    const csv = await exported(await storeOf(runs.slice(0, 1)), { format: 'csv', table: 'runs' }, null, factsOf);
    const [row] = Papa.parse<Record<string, string>>(await csv.file.text(), { header: true }).data;
    expect(row).toMatchObject({
      batch_name: 'Mine',
      dataset: 'd',
      dataset_name: 'Sums',
      method: 'm',
      method_name: 'First',
    });
  });

  it('writes the same runs to a compressed and an uncompressed Podium file, without confidential runs', async () => {
    const store = await storeOf([named('open'), named('secret', true), named('other')]);
    const { file, leftOut, progress } = await exported(store, { format: 'podium', compress: false });
    const ids = (await file.text())
      .trim()
      .split('\n')
      .map((line) => /"runId":"([^"]*)"/.exec(line)?.[1]);
    expect(ids).toEqual(['other', 'open']);
    expect(leftOut).toEqual(['1 run is left out, because its task must not leave this browser.']);
    expect(progress).toEqual([1, 2]);
    const packed = await exported(store, { format: 'podium', compress: true });
    const unpacked = packed.file.stream().pipeThrough(new DecompressionStream('gzip'));
    expect(await new Response(unpacked).text()).toBe(await file.text());
  });

  it('leaves out deleted and confidential runs, and reports the number of confidential runs', async () => {
    const store = await storeOf([named('open'), named('secret', true), named('other')]);
    const csv = { format: 'csv', table: 'runs' } as const;
    const { file, leftOut, progress } = await exported(store, csv, ['open', 'secret', 'deleted', 'other']);
    const ids = Papa.parse<string[]>(await file.text(), { skipEmptyLines: true }).data.map(([id]) => id);
    expect(ids).toEqual(['run_id', 'open', 'other']);
    expect(leftOut).toEqual(['1 run is left out, because its task must not leave this browser.']);
    expect(progress).toEqual([1, 2]);
  });
});
