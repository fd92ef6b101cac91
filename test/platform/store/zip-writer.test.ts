import { expect, test } from 'vitest';
import { ZipWriter } from '../../../src/platform/store/zip-writer';
import { readZip } from '../../fixtures/read-zip';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('writes files in pieces, with names and contents in any script', async () => {
  const zip = new ZipWriter();
  const pieces = [
    zip.begin('first.json'),
    zip.add(bytesOf('{"a":')),
    zip.add(bytesOf('"é語"}')),
    zip.end(),
    zip.begin('語.txt'),
    zip.end(),
    zip.finish(),
  ];
  expect([...(await readZip(new Blob(pieces)))]).toEqual([
    ['first.json', '{"a":"é語"}'],
    ['語.txt', ''],
  ]);
});
