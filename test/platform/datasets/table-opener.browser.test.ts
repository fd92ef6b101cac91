import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { inflateBase64 } from '../../../src/platform/datasets/inflate';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';

const ROWS = [
  { q: 'one, é', a: '1' },
  { q: 'two', a: '2' },
];
const JSONL = ROWS.map((row) => JSON.stringify(row)).join('\n');

async function compressed(text: string, format: 'gzip' | 'deflate') {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const FILES: Readonly<Record<string, () => Promise<BlobPart> | BlobPart>> = {
  'set.jsonl': () => JSONL,
  'set.jsonl.gz': () => compressed(JSONL, 'gzip'),
  'set.csv': () => 'q,a\r\n"one, é",1\r\ntwo,2\r\n',
  'set.parquet': () =>
    parquetWriteBuffer({
      columnData: [
        { name: 'q', data: ROWS.map(({ q }) => q), type: 'STRING' },
        { name: 'a', data: ROWS.map(({ a }) => a), type: 'STRING' },
      ],
    }),
};

it.each(Object.keys(FILES))('reads %s in a browser', async (name) => {
  const { signal } = new AbortController();
  const file = new File([(await FILES[name]?.()) ?? ''], name);
  const table = await createTableOpener(openTable, systemClock).openFile(file, signal);
  expect(table.preview).toEqual(ROWS);
  const values: unknown[] = [];
  for await (const part of table.read(signal)) values.push(...part.rows.map(({ value }) => value));
  expect(values).toEqual(ROWS);
});

it('decompresses Base64 text in a browser', async () => {
  const bytes = await compressed('tests', 'deflate');
  const base64 = btoa(String.fromCharCode(...bytes));
  expect(new TextDecoder().decode(await inflateBase64(base64, new AbortController().signal))).toBe('tests');
});
