import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Dataset, DatasetMap, DatasetTable, EvaluationTask } from '../../../src/core/contract';
import { programTests } from '../../../src/core/contract/evaluation/program-tests';
import { createDatasetImporter } from '../../../src/core/evaluation/datasets/importer';
import { privateTestsOpener } from '../../../src/core/evaluation/datasets/private-tests';
import { systemClock } from '../../../src/platform/clock';
import { inflateBase64 } from '../../../src/platform/datasets/inflate';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { COMMIT, fileOf, signal, startHub } from './harness';

let close: () => void = () => undefined;
afterEach(() => close());

function importer(host?: Parameters<typeof createTableOpener>[2]) {
  const tasks: EvaluationTask[] = [];
  const store = {
    get: async () => null,
    list: async () => [],
    async add(arriving: AsyncIterable<EvaluationTask>, finish: () => Dataset | Promise<Dataset>) {
      for await (const task of arriving) tasks.push(task);
      return finish();
    },
  };
  const tables = createTableOpener(openTable, systemClock, host);
  return { tasks, ...createDatasetImporter({ store, tables, clock: systemClock, batches: { list: async () => [] } }) };
}

function recognized(table: DatasetTable): DatasetMap {
  if (table.recognized === null) throw new Error('not recognized');
  return { kind: 'known', set: table.recognized };
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('imports GPQA as a confidential dataset, records the commit, and skips an incomplete row', async () => {
  const csv = [
    'Record ID,Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,High-level domain',
    'rec1,"Which, and\nwhy?",a,b,c,d,Physics',
    'rec2,Which?,a,,c,d,Physics',
  ].join('\r\n');
  const hub = await startHub({ 'gpqa_diamond.csv': Buffer.from(csv) });
  close = hub.close;
  const { openHub, import: start, tasks } = importer(hub.host);
  const table = await openHub({ repository: 'owner/set' }, signal());
  const events = await collected(start(table, recognized(table), { name: 'GPQA' }, signal()));
  expect(events.flatMap((event) => (event.kind === 'progress' ? event.problems : []))).toEqual([
    { row: 2, message: 'The field “Incorrect Answer 1” is missing or empty.' },
  ]);
  expect(events.at(-1)).toMatchObject({
    kind: 'finished',
    skipped: 1,
    dataset: {
      tasks: 1,
      isConfidential: true,
      groups: [{ group: 'Physics', tasks: 1 }],
      source: { kind: 'hub', repository: 'owner/set', revision: COMMIT, file: 'gpqa_diamond.csv' },
    },
  });
  expect(tasks[0]?.question).toContain('Which, and\nwhy?');
});

test('imports LiveCodeBench with compressed private tests, which can be read later', async () => {
  const hidden = [{ input: '3', output: '4', testtype: 'stdin' }];
  const json = Buffer.from(JSON.stringify(hidden));
  const pickled = Buffer.concat([Buffer.from([0x80, 4, 0x8c, json.length]), json, Buffer.from([0x94, 0x2e])]);
  const compressed = deflateSync(pickled).toString('base64');
  const row = {
    question_title: 'A',
    question_content: 'Add one.',
    question_id: 'abc350_c',
    starter_code: '',
    public_test_cases: '[{"input": "1", "output": "2", "testtype": "stdin"}]',
    private_test_cases: compressed,
    metadata: '{}',
    difficulty: 'easy',
  };
  const { openFile, import: start, tasks } = importer();
  const table = await openFile(fileOf('test6.jsonl.gz', Uint8Array.from(gzipSync(JSON.stringify(row)))), signal());
  await collected(start(table, recognized(table), { name: '' }, signal()));
  const reference = programTests.parse(JSON.parse(tasks[0]?.reference ?? ''));
  expect(reference.privateTests).toBe(compressed);
  expect(await privateTestsOpener(inflateBase64)(reference.privateTests ?? '', signal())).toEqual(hidden);
  expect(tasks[0]?.caution).toContain('The tests are wrong');
});
