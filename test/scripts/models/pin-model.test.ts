import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { pinModel, pinModels } from '../../../scripts/models/pin-model';
import { modelPinSchema } from '../../../src/core/contract/model/model-pin-schema';

const REVISION = 'c'.repeat(40);
const SHARD = 'd'.repeat(64);
const record = {
  model_id: 'Tiny-q4f16_1-MLC',
  model: 'https://hub.test/mlc-ai/Tiny-q4f16_1-MLC',
  model_lib: 'https://libraries.test/tiny.wasm',
};
const ANSWERS: Readonly<Record<string, string>> = {
  'https://hub.test/api/models/mlc-ai/Tiny-q4f16_1-MLC?blobs=true': JSON.stringify({
    sha: REVISION,
    siblings: [
      { rfilename: '.gitattributes', size: 9 },
      { rfilename: 'README.md', size: 9 },
      { rfilename: 'mlc-chat-config.json', size: 2 },
      { rfilename: 'params_shard_0.bin', size: 500, lfs: { size: 500, sha256: SHARD, pointerSize: 134 } },
    ],
  }),
  [`https://hub.test/mlc-ai/Tiny-q4f16_1-MLC/resolve/${REVISION}/mlc-chat-config.json`]: '{}',
  'https://libraries.test/tiny.wasm': 'library',
};

const answer = (address: string) =>
  Promise.resolve(address in ANSWERS ? new Response(ANSWERS[address]) : new Response('', { status: 404 }));

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

it('pins the newest commit, and the size and digest of each file and of the library', async () => {
  const pin = await pinModel(record, answer);
  expect(modelPinSchema.parse(pin)).toEqual({
    revision: REVISION,
    files: {
      'mlc-chat-config.json': { bytes: 2, sha256: sha256('{}') },
      'params_shard_0.bin': { bytes: 500, sha256: SHARD },
    },
    library: { url: record.model_lib, bytes: 7, sha256: sha256('library') },
  });
});

it('names a server that can’t be reached or rejects the request, and pins nothing', async () => {
  const unreachable = pinModel(record, () => Promise.reject(new TypeError('fetch failed')));
  await expect(unreachable).rejects.toThrow('Couldn’t reach hub.test.');
  const refused = pinModel({ ...record, model_lib: 'https://libraries.test/other.wasm' }, answer);
  await expect(refused).rejects.toThrow('https://libraries.test/other.wasm answered with status 404.');
});

const other = { ...record, model_id: 'Other', model_lib: 'https://libraries.test/other.wasm' };

it('names a model if a server rejects the request for one of its files, and pins the next model', async () => {
  const kept: string[] = [];
  const keep = (id: string) => Promise.resolve(void kept.push(id));
  expect(await pinModels([other, record], keep, answer)).toEqual({
    problems: ['Other: https://libraries.test/other.wasm answered with status 404.'],
    isUnreachable: false,
  });
  expect(kept).toEqual([record.model_id]);
});

it.each<[string, (address: string) => Promise<Response>]>([
  ['can’t be reached', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'cuts an answer off',
    () =>
      Promise.resolve(new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }))),
  ],
])('requests no further model if a server %s', async (_, get) => {
  const asked: string[] = [];
  const counted = (address: string) => {
    asked.push(address);
    return get(address);
  };
  const keep = () => Promise.reject(new Error('There is nothing to keep.'));
  expect(await pinModels([record, other], keep, counted)).toEqual({
    problems: [`${record.model_id}: Couldn’t reach hub.test.`],
    isUnreachable: true,
  });
  expect(asked).toHaveLength(1);
});
