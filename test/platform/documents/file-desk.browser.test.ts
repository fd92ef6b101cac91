import { expect, test } from 'vitest';
import { readFile, type FileDeskOptions } from '../../../src/platform/documents/file-worker/file-desk';
import { sha256Hex } from '../../../src/core/contract';

const { signal } = new AbortController();
const never = () => new Promise<void>(() => undefined);
const options = (more: Partial<FileDeskOptions> = {}): FileDeskOptions => ({ clock: { sleep: never }, ...more });
/** A Web Worker that never reports. */
const silent = () => new Worker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' })));

test('reads a file in a Web Worker, with its hash', async () => {
  const text = 'name,age\nAda,36';
  const read = await readFile(new File([text], 'people.csv'), options(), signal);
  expect(read).toEqual({ name: 'people.csv', kind: 'CSV', text, hash: sha256Hex(text) });
});

test('rejects with the sentence for the user', async () => {
  const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], 'notes.txt');
  await expect(readFile(png, options(), signal)).rejects.toThrow('This is an image');
});

test('starts no Web Worker for a file of 200 MB', async () => {
  const createWorker = () => {
    throw new Error('A Web Worker was started.');
  };
  const huge = new File([], 'huge.txt');
  Object.defineProperty(huge, 'size', { value: 200 * 2 ** 20 });
  await expect(readFile(huge, options({ createWorker }), signal)).rejects.toThrow('larger than 50 MB');
});

test('ends a Web Worker that takes too long, and one that the user stops', async () => {
  const file = new File(['x'], 'x.txt');
  const elapsed = { sleep: () => Promise.resolve() };
  await expect(readFile(file, options({ createWorker: silent, clock: elapsed }), signal)).rejects.toThrow(
    'stopped after 60 seconds',
  );
  const stop = new AbortController();
  const reading = readFile(file, options({ createWorker: silent }), stop.signal);
  stop.abort();
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
});
