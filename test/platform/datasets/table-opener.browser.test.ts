import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/core/contract';
import { systemClock } from '../../../src/platform/clock';
import { inflateBase64 } from '../../../src/platform/datasets/inflate';
import { createTableOpener } from '../../../src/platform/datasets/table-opener';
import { createTableDesk } from '../../../src/platform/datasets/table-worker/table-desk';
import tableWorker from '../../../src/platform/datasets/table-worker/worker?worker&url';
import { startWorker } from '../../../src/platform/start-worker';
import endless from '../../fixtures/datasets/endless.parquet?url';

const opener = (clock: Pick<Clock, 'now' | 'sleep'> = systemClock) =>
  createTableOpener(createTableDesk({ clock, createWorker: () => startWorker(tableWorker) }), clock);

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

it.each(Object.keys(FILES))('reads %s in a Web Worker', async (name) => {
  const { signal } = new AbortController();
  const file = new File([(await FILES[name]?.()) ?? ''], name);
  const table = await opener().openFile(file, signal);
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

async function endlessFile(): Promise<File> {
  return new File([await (await fetch(endless)).arrayBuffer()], 'endless.parquet');
}

it('ends a decoder that never finishes, and says why', async () => {
  const quick = { ...systemClock, sleep: (ms: number, stop: AbortSignal) => systemClock.sleep(ms / 20, stop) };
  await expect(opener(quick).openFile(await endlessFile(), new AbortController().signal)).rejects.toMatchObject({
    fault: { code: 'stalled', message: expect.stringContaining('it made no progress for 15 seconds') },
  });
});

it('ends a decoder at once when the user cancels', async () => {
  const never = { ...systemClock, sleep: () => new Promise<void>(() => undefined) };
  const controller = new AbortController();
  const file = await endlessFile();
  const { slice } = file;
  // The decoder hangs after it has received the only part of the file.
  file.slice = (...range) => {
    setTimeout(() => controller.abort(), 300);
    return slice.apply(file, range);
  };
  await expect(opener(never).openFile(file, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
});
