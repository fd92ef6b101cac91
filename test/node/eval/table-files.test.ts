import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { createTableFiles } from '../../../src/node/eval/table-files';
import { openTable } from '../../../src/platform/datasets/open-table';
import { testFolder } from './plans';

const ROWS = 20_000;

const FILES: [name: string, content: () => string | Buffer][] = [
  ['questions.csv.gz', () => gzipSync(`question\n${'Why?\n'.repeat(ROWS)}`)],
  ['questions.jsonl', () => `${'{"question":"Why?"}\n'.repeat(ROWS)}`],
  [
    'questions.parquet',
    () => {
      const data = Array<string>(ROWS).fill('Why?');
      return Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'question', data, type: 'STRING' }] }));
    },
  ],
];

it.each(FILES)('reads all rows of %s from disk', async (name, content) => {
  const path = join(await testFolder(), name);
  await writeFile(path, content());
  const { signal } = new AbortController();
  const table = await createTableFiles(openTable).openFile(path, signal);
  expect(table).toMatchObject({ source: { kind: 'file', name }, columns: [{ name: 'question' }] });
  let rows = 0;
  for await (const part of table.read(signal, ['question'])) {
    rows += part.rows.filter(({ value }) => value.question === 'Why?').length;
  }
  expect(rows).toBe(ROWS);
});

it.each(FILES)('reports an error if %s is truncated after it was opened', async (name, content) => {
  const path = join(await testFolder(), name);
  await writeFile(path, content());
  const { signal } = new AbortController();
  const table = await createTableFiles(openTable).openFile(path, signal);
  await truncate(path, 20);
  const read = async () => {
    for await (const part of table.read(signal)) expect(part.problems).toEqual([]);
  };
  await expect(read()).rejects.toMatchObject({
    fault: { code: 'bad-request', message: `${name} was shortened while it was read. Start again.` },
  });
});
