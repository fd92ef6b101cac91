import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256Hex } from '../../src/core/contract';
import { createEngine } from '../../src/node/engine';
import { readQuestionFiles } from '../../src/node/run/question-files';
import { createPassingStore } from '../../src/node/serve/passing-store';
import { pdfFile } from '../fixtures/documents';
import { temporaryFolder, writePool } from '../fixtures/podium-server';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function engineWith(settings: object) {
  const workers = [{ id: 'desk', baseUrl: 'http://127.0.0.1:9', model: 'm' }];
  const pool = await writePool(folder.path, workers, { settings });
  const store = createPassingStore();
  return createEngine({ pool, keys: null, environment: {}, conductor: null, usd: null, store });
}

it('a request uses its own seed, or else the seed of the pool file', async () => {
  const engine = await engineWith({ seed: 5 });
  expect(engine.request('Why?', { seed: 7 }).seed).toBe(7);
  expect(engine.request('Why?', { seed: 0 }).seed).toBe(0);
  expect(engine.request('Why?').seed).toBe(5);
});

it('a request gets a random seed if neither it nor the pool file has one', async () => {
  const engine = await engineWith({});
  expect(engine.request('Why?').seed).not.toBe(engine.request('Why?').seed);
});

it('a request has the files that were read from disk, or names the file that can’t be read', async () => {
  const engine = await engineWith({});
  const path = (name: string) => join(folder.path, name);
  await writeFile(path('people.csv'), 'name,age\nAda,36');
  await writeFile(path('report.pdf'), pdfFile([['Hello']]));
  await writeFile(path('sign.txt'), '\x89PNG\r\n\x1a\n', 'latin1');
  const files = await readQuestionFiles([path('people.csv'), path('report.pdf')]);
  expect(engine.request('Who?', { files }).files).toMatchObject([
    { name: 'people.csv', kind: 'CSV', text: 'name,age\nAda,36', hash: sha256Hex('name,age\nAda,36') },
    { name: 'report.pdf', kind: 'PDF', text: '[Page 1]\nHello\n' },
  ]);
  expect(engine.request('Who?').files).toEqual([]);
  await expect(readQuestionFiles([path('sign.txt')])).rejects.toThrow(`${path('sign.txt')}: This is an image`);
  await expect(readQuestionFiles([path('none.txt')])).rejects.toThrow('Couldn’t read');
  await expect(readQuestionFiles(Array<string>(11).fill(path('people.csv')))).rejects.toThrow('at most 10 files');
});
