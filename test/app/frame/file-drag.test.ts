import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recognizeFiles } from '../../../src/app/frame/file-drag';

const file = (name: string, content: string | Uint8Array<ArrayBuffer> = '') => new File([content], name);
const gzipped = (text: string) => new Uint8Array(gzipSync(text));

describe('a dropped file', () => {
  it.each([
    ['podium-runs.podium.jsonl', 'runs'],
    ['podium-runs.podium.jsonl.gz', 'runs'],
    ['podium.podium-backup.jsonl.gz', 'backup'],
    ['podium-x.podium-batch.json', 'batch'],
    ['Tasks.CSV', 'dataset'],
    ['tasks.csv.gz', 'dataset'],
    ['tasks.parquet', 'dataset'],
  ])('is recognized by its name: %s', async (name, kind) => {
    expect(await recognizeFiles([file(name)])).toMatchObject({ kind });
  });

  it.each([
    ['a renamed export', '{"format":"podium-run","version":1}\n', 'runs'],
    ['a renamed backup', '{ "format": "podium-backup" }\n', 'backup'],
    ['a dataset', '{"question":"What is 2 + 2?"}\n', 'dataset'],
    ['an empty file', '', 'dataset'],
    ['rollouts', '{"format":"podium-rollout"}\n', 'refused'],
  ])('is classified by its beginning: %s', async (_, text, kind) => {
    expect(await recognizeFiles([file('some.jsonl', text)])).toMatchObject({ kind });
    const long = gzipped(text + '{"x":1}\n'.repeat(10));
    expect(await recognizeFiles([file('some.jsonl.gz', long)])).toMatchObject({ kind });
  });

  it('in UTF-16 is classified by its beginning', async () => {
    const text = Buffer.from('\ufeff{"format":"podium-run","version":1}\n', 'utf16le');
    expect(await recognizeFiles([file('some.jsonl', Uint8Array.from(text))])).toMatchObject({ kind: 'runs' });
  });

  it.each([
    ['a list', '\n[\n  {\n    "question": "What is 2 + 2?"', 'dataset'],
    ['a list of rows that have a format', '[{"format":"text","question":"Why?"}]', 'dataset'],
    ['JSONL', '{"question":"Why?"}\n{"question":"How?"}\n', 'dataset'],
    ['a renamed batch', '{"format":"podium-batch"}', 'batch'],
    ['one object (refused)', '{\n  "theme": "dark"\n}', 'refused'],
  ])('whose name ends in .json is classified by its beginning: %s', async (_, text, kind) => {
    expect(await recognizeFiles([file('some.json', text)])).toMatchObject({ kind });
  });

  it('is rejected with a list of supported kinds of file if Podium does not recognize it', async () => {
    const refused = await recognizeFiles([file('photo.heic')]);
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(refused).toHaveProperty('message', expect.stringMatching(/photo\.heic.*\.podium\.jsonl.*backup.*CSV/));
    expect(await recognizeFiles([file('settings.json', '{}')])).toMatchObject({ kind: 'refused' });
  });

  it('can be dropped together with other files only if all of them are exported runs', async () => {
    const runs = [file('a.podium.jsonl'), file('b.podium.jsonl')];
    expect(await recognizeFiles(runs)).toEqual({ kind: 'runs', files: runs });
    expect(await recognizeFiles([...runs, file('c.csv')])).toMatchObject({ kind: 'refused' });
  });
});
