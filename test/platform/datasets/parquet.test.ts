import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { openTable } from '../../../src/platform/datasets/open-table';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { fileOf, readAll, signal } from './harness';

const COUNT = 1000;

const compressors = {
  GZIP: (bytes: Uint8Array) => Uint8Array.from(gzipSync(bytes)),
  BROTLI: (bytes: Uint8Array) => Uint8Array.from(brotliCompressSync(bytes)),
};

function parquetBytes(codec: 'SNAPPY' | 'UNCOMPRESSED' | keyof typeof compressors = 'SNAPPY', rowGroupSize = 300) {
  const of = <Value>(make: (index: number) => Value) => Array.from({ length: COUNT }, (_, index) => make(index));
  return new Uint8Array(
    parquetWriteBuffer({
      codec,
      compressors,
      rowGroupSize,
      columnData: [
        { name: 'question', data: of((index) => `Question ${index} é`), type: 'STRING' },
        { name: 'answer', data: of((index) => BigInt(index)), type: 'INT64' },
        { name: 'big', data: of(() => 2n ** 60n), type: 'INT64' },
        { name: 'when', data: of(() => new Date(0)), type: 'TIMESTAMP' },
        { name: 'choices', data: of((index) => [`a${index}`, 'b']), type: 'JSON' },
        { name: 'unused', data: of(() => 'x'.repeat(500) + Math.random()), type: 'STRING' },
      ],
    }),
  );
}

const opener = createTableOpener(openTable, systemClock);

test('reads columns, row count and preview of a Parquet file, and converts values to JSON', async () => {
  const bytes = parquetBytes();
  const table = await opener.openFile(fileOf('set.parquet', bytes), signal());
  expect(table).toMatchObject({ format: 'parquet', rowCount: COUNT, bytes: bytes.length });
  expect(table.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ['question', 'text'],
    ['answer', 'number'],
    ['big', 'text'],
    ['when', 'text'],
    ['choices', 'list'],
    ['unused', 'text'],
  ]);
  expect(table.preview).toHaveLength(5);
  expect(table.preview[1]).toMatchObject({
    question: 'Question 1 é',
    answer: 1,
    big: '1152921504606846976',
    when: '1970-01-01T00:00:00.000Z',
    choices: ['a1', 'b'],
  });
});

test.each(['SNAPPY', 'UNCOMPRESSED', 'GZIP', 'BROTLI'] as const)(
  'reads all row groups in order with the codec %s',
  async (codec) => {
    const bytes = parquetBytes(codec);
    const { rows, read } = await readAll(await opener.openFile(fileOf('set.parquet', bytes), signal()));
    expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
    expect(rows.map(({ value }) => value['answer'])).toEqual(Array.from({ length: COUNT }, (_, index) => index));
    expect(read).toBe(bytes.length);
  },
);

// `write-parquet.mjs` created these files with the commands `zstd` and `lz4`.
test.each(['zstd', 'lz4', 'lz4_raw'])('reads columns compressed with %s', async (codec) => {
  const bytes = readFileSync(new URL(`../../fixtures/datasets/${codec}.parquet`, import.meta.url));
  const { values } = await readAll(await opener.openFile(fileOf('set.parquet', Uint8Array.from(bytes)), signal()));
  expect(values).toHaveLength(50);
  expect(values[49]).toEqual({ question: 'What is the number after the number 49?', answer: 50 });
});

test('rejects a Parquet file with an unknown codec', async () => {
  const file = fileOf('set.parquet', withCodec(3));
  await expect(opener.openFile(file, signal())).rejects.toThrow('uses a feature that Podium doesn’t know');
});

/**
 * Returns a small Parquet file with the given codec in its footer.
 * @param codec as in the Parquet format: 3 is LZO
 */
function withCodec(codec: number): Uint8Array<ArrayBuffer> {
  const data = ['one', 'two'];
  const bytes = new Uint8Array(
    parquetWriteBuffer({ codec: 'SNAPPY', columnData: [{ name: 'question', data, type: 'STRING' }] }),
  );
  const length = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  const metadata = bytes.subarray(bytes.length - 8 - length);
  // In the column's metadata, the codec is field 4. It follows the column's name, which ends with “n” (0x6e). The
  // codec is stored as the header 0x15 and a zigzag varint.
  const place = metadata.findIndex(
    (byte, index) => byte === 0x15 && metadata[index + 1] === 2 && metadata[index - 1] === 0x6e,
  );
  metadata[place + 1] = codec * 2;
  return bytes;
}

test('rejects a file whose first row group is too large, without reading a row', async () => {
  const bytes = withSize(2 ** 31);
  const starts: number[] = [];
  const source = {
    name: 'set.parquet',
    size: bytes.length,
    slice: (start: number, end: number) => {
      starts.push(start);
      return Promise.resolve(bytes.buffer.slice(start, end));
    },
    stream: () => new ReadableStream<never>(),
  };
  const opening = openTable(source, 'parquet', { kind: 'file', name: source.name }, signal());
  await expect(opening).rejects.toMatchObject({
    fault: { code: 'too-large', message: expect.stringContaining('a row group of more than 1 GB') },
  });
  // The whole small file, which may be a pointer of Git LFS, and the footer.
  expect(starts).toHaveLength(2);
});

/** Returns a small Parquet file. Its footer states `size` as the decompressed size of the only column. */
function withSize(size: number): Uint8Array<ArrayBuffer> {
  const data = ['one', 'two'];
  const bytes = new Uint8Array(
    parquetWriteBuffer({ codec: 'UNCOMPRESSED', columnData: [{ name: 'question', data, type: 'STRING' }] }),
  );
  const from = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  const footer = bytes.subarray(from, -8);
  // In the column's metadata, fields 4 to 6 are the codec (0), the number of values (2) and the size. Each is stored
  // as a header (0x15 or 0x16) and a zigzag varint.
  const place = footer.findIndex((_, index) =>
    [0x15, 0, 0x16, 4, 0x16].every((byte, at) => footer[index + at] === byte),
  );
  let end = place + 5;
  while ((footer[end] ?? 0) >= 0x80) end += 1;
  const changed = [...footer.subarray(0, place + 5), ...varint(2 * size), ...footer.subarray(end + 1)];
  const result = new Uint8Array([...bytes.subarray(0, from), ...changed, 0, 0, 0, 0, ...bytes.subarray(-4)]);
  new DataView(result.buffer).setUint32(result.length - 8, changed.length, true);
  return result;
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}

test('reads only the needed columns, one row group at a time', async () => {
  const bytes = parquetBytes('UNCOMPRESSED');
  const requested: number[] = [];
  const source = {
    name: 'set.parquet',
    size: bytes.length,
    slice: (start: number, end: number) => {
      requested.push(end - start);
      return Promise.resolve(bytes.buffer.slice(start, end));
    },
    stream: () => new ReadableStream<never>(),
  };
  const table = await openTable(source, 'parquet', { kind: 'file', name: source.name }, signal());
  requested.length = 0;
  const { values } = await readAll(table, ['question', 'answer']);
  expect(Object.keys(values[0] ?? {})).toEqual(['question', 'answer']);
  expect(requested.reduce((sum, size) => sum + size, 0)).toBeLessThan(bytes.length / 5);
  expect(Math.max(...requested)).toBeLessThan(bytes.length / 10);
});

test.each([
  ['is cut off', (bytes: Uint8Array) => bytes.slice(0, -100)],
  ['is text', () => Uint8Array.from(Buffer.from('question,answer\n1,2\n'))],
  ['is damaged', (bytes: Uint8Array) => bytes.fill(255, 4, 2000)],
])('rejects a file that %s', async (_, change) => {
  const opening = opener.openFile(fileOf('set.parquet', Uint8Array.from(change(parquetBytes()))), signal());
  await expect(opening).rejects.toThrow('not a complete Parquet file');
});
