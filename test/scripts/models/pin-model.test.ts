import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { pinHubModels, pinModel, pinModels } from '../../../scripts/models/pin-model';
import type { ModelManifest } from '../../../src/core/contract';
import { manifestSchema } from '../../../src/core/contract/model/manifest-schema';
import { modelPinSchema } from '../../../src/core/contract/model/model-pin-schema';
import { manifest } from '../../platform/engine/scripted-loader';

const REVISION = 'c'.repeat(40);
const SHARD = 'd'.repeat(64);
const LIBRARIES = 'https://raw.githubusercontent.com/mlc-ai/libraries';
const LIBRARY_COMMIT = 'e'.repeat(40);
const BRANCH = 'https://api.github.com/repos/mlc-ai/libraries/commits/main';
const record = {
  model_id: 'Tiny-q4f16_1-MLC',
  model: 'https://hub.test/mlc-ai/Tiny-q4f16_1-MLC',
  model_lib: `${LIBRARIES}/main/v1/tiny.wasm`,
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
  [BRANCH]: JSON.stringify({ sha: LIBRARY_COMMIT, commit: { message: 'Add a library' } }),
  [`${LIBRARIES}/${LIBRARY_COMMIT}/v1/tiny.wasm`]: 'library',
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
    library: { url: record.model_lib, revision: LIBRARY_COMMIT, bytes: 7, sha256: sha256('library') },
  });
});

it('names a server that can’t be reached or rejects the request, and pins nothing', async () => {
  const unreachable = pinModel(record, () => Promise.reject(new TypeError('fetch failed')));
  await expect(unreachable).rejects.toThrow('Couldn’t reach hub.test.');
  const refused = pinModel({ ...record, model_lib: `${LIBRARIES}/main/v1/other.wasm` }, answer);
  await expect(refused).rejects.toThrow(`${LIBRARIES}/${LIBRARY_COMMIT}/v1/other.wasm answered with status 404.`);
});

it('a library without a commit is named, and there is no pin', async () => {
  const elsewhere = pinModel({ ...record, model_lib: 'https://libraries.test/tiny.wasm' }, answer);
  await expect(elsewhere).rejects.toThrow('https://libraries.test/tiny.wasm is not on GitHub');
});

const other = { ...record, model_id: 'Other', model_lib: `${LIBRARIES}/main/v1/other.wasm` };

it('names a model if a server rejects the request for one of its files, and pins the next model', async () => {
  const kept: string[] = [];
  const keep = (id: string) => Promise.resolve(void kept.push(id));
  const asked: string[] = [];
  const counted = (address: string) => {
    asked.push(address);
    return answer(address);
  };
  expect(await pinModels([other, record], keep, counted)).toEqual({
    problems: [`Other: ${LIBRARIES}/${LIBRARY_COMMIT}/v1/other.wasm answered with status 404.`],
    isUnreachable: false,
  });
  expect(kept).toEqual([record.model_id]);
  expect(asked.filter((address) => address === BRANCH)).toHaveLength(1);
});

it('an ONNX model gets the newest commit of its repository, and other models are skipped', async () => {
  const source = { kind: 'hub', id: 'onnx-community/Tiny', revision: null } as const;
  const onnx: ModelManifest = { ...manifest('Tiny'), engine: 'transformers', source };
  const answerAbout = (address: string) =>
    Promise.resolve(
      address === 'https://huggingface.co/api/models/onnx-community/Tiny'
        ? new Response(JSON.stringify({ sha: REVISION, siblings: [] }))
        : new Response('', { status: 404 }),
    );
  const kept: ModelManifest[] = [];
  const keep = (each: ModelManifest) => Promise.resolve(void kept.push(each));
  const missing = { ...onnx, source: { ...source, id: 'onnx-community/Missing' } };
  expect(await pinHubModels([manifest('Listed'), missing, onnx], keep, answerAbout)).toEqual({
    problems: [
      'onnx-community/Missing: https://huggingface.co/api/models/onnx-community/Missing answered with status 404.',
    ],
    isUnreachable: false,
  });
  expect(kept).toEqual([{ ...onnx, source: { ...source, revision: REVISION } }]);
  expect(kept.map((each) => manifestSchema.parse(each))).toEqual(kept);
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
