import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pinHubModels, pinModel, pinModels } from '../../../scripts/models/pin-model';
import type { ModelManifest, ModelPin } from '../../../src/core/contract';
import { manifestSchema } from '../../../src/core/contract/model/manifest-schema';
import { modelPinSchema } from '../../../src/core/contract/model/model-pin-schema';
import { manifest } from '../../platform/engine/scripted-loader';

const REVISION = 'c'.repeat(40);
/** A newer commit. */
const NEW = 'f'.repeat(40);
const SHARD = 'd'.repeat(64);
const LIBRARIES = 'https://raw.githubusercontent.com/mlc-ai/libraries';
const LIBRARY_COMMIT = 'e'.repeat(40);
const BRANCH = 'https://api.github.com/repos/mlc-ai/libraries/commits/main';
const record = {
  model_id: 'Tiny-q4f16_1-MLC',
  model: 'https://hub.test/mlc-ai/Tiny-q4f16_1-MLC',
  model_lib: `${LIBRARIES}/main/v1/tiny.wasm`,
};
const other = { ...record, model_id: 'Other', model_lib: `${LIBRARIES}/main/v1/other.wasm` };
const LISTING = 'https://hub.test/api/models/mlc-ai/Tiny-q4f16_1-MLC?blobs=true';

interface Servers {
  /** Commit of the weights. */
  readonly revision?: string;
  readonly config?: string;
  /** Commit of the libraries. */
  readonly libraries?: string;
  readonly library?: string;
}

/** The answers of the hub and of GitHub, by address. */
function answers({
  revision = REVISION,
  config = '{}',
  libraries = LIBRARY_COMMIT,
  library = 'library',
}: Servers = {}): Readonly<Record<string, string>> {
  return {
    [LISTING]: JSON.stringify({
      sha: revision,
      siblings: [
        { rfilename: '.gitattributes', size: 9 },
        { rfilename: 'README.md', size: 9 },
        { rfilename: 'mlc-chat-config.json', size: 2 },
        { rfilename: 'params_shard_0.bin', size: 500, lfs: { size: 500, sha256: SHARD, pointerSize: 134 } },
      ],
    }),
    [`https://hub.test/mlc-ai/Tiny-q4f16_1-MLC/resolve/${revision}/mlc-chat-config.json`]: config,
    [BRANCH]: JSON.stringify({ sha: libraries, commit: { message: 'Add a library' } }),
    [`${LIBRARIES}/${libraries}/v1/tiny.wasm`]: library,
  };
}

/** @param asked receives each requested address */
const server =
  (content = answers(), asked: string[] = []) =>
  (address: string) => {
    asked.push(address);
    return Promise.resolve(address in content ? new Response(content[address]) : new Response('', { status: 404 }));
  };
const answer = server();

/** @param old the pin that each model has so far */
function store(old: ModelPin | null = null) {
  const kept: [id: string, pin: ModelPin][] = [];
  return { kept, of: () => old, keep: (id: string, pin: ModelPin) => Promise.resolve(void kept.push([id, pin])) };
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const PIN: ModelPin = {
  revision: REVISION,
  files: {
    'mlc-chat-config.json': { bytes: 2, sha256: sha256('{}') },
    'params_shard_0.bin': { bytes: 500, sha256: SHARD },
  },
  library: { url: record.model_lib, revision: LIBRARY_COMMIT, bytes: 7, sha256: sha256('library') },
};

it('a new pin has the newest commits of a model and its library, and the digests of the needed files', async () => {
  const pin = await pinModel(record, null, answer);
  expect(modelPinSchema.parse(pin)).toEqual(PIN);
});

it.each<[string, Servers, Partial<ModelPin>, readonly string[]]>([
  ['keeps the pinned commits if no file has changed', { revision: NEW, libraries: NEW }, {}, []],
  [
    'moves the pin of the weights if one of their files has changed',
    { revision: NEW, config: '{"a":1}', libraries: NEW },
    { revision: NEW, files: { ...PIN.files, 'mlc-chat-config.json': { bytes: 7, sha256: sha256('{"a":1}') } } },
    [`${record.model_id}, weights: ${REVISION} → ${NEW}`],
  ],
  [
    'moves the pin of the library if the library has changed',
    { revision: NEW, libraries: NEW, library: 'changed' },
    { library: { ...PIN.library, revision: NEW, sha256: sha256('changed') } },
    [`${record.model_id}, library: ${LIBRARY_COMMIT} → ${NEW}`],
  ],
])('%s', async (_, servers, changed, moved) => {
  const pins = store(PIN);
  const result = await pinModels([record], pins, server(answers(servers)));
  expect(result).toEqual({ moved, problems: [], isUnreachable: false });
  expect(pins.kept).toEqual([[record.model_id, { ...PIN, ...changed }]]);
});

it('downloads no files if the pinned commits are the newest', async () => {
  const asked: string[] = [];
  const pins = store(PIN);
  await pinModels([record], pins, server(answers(), asked));
  expect(asked).toEqual([BRANCH, LISTING]);
  expect(pins.kept).toEqual([[record.model_id, PIN]]);
});

it('replaces the pin of the library if WebLLM lists another address for the library', async () => {
  const old = { ...PIN, library: { ...PIN.library, url: `${LIBRARIES}/main/v0/tiny.wasm` } };
  expect(await pinModel(record, old, answer)).toEqual(PIN);
});

it('does not repeat a failed request for the newest commit, and downloads nothing', async () => {
  const asked: string[] = [];
  const result = await pinModels([record, other], store(), server({ ...answers(), [BRANCH]: 'no' }, asked));
  expect(result.problems).toHaveLength(2);
  expect(asked).toEqual([BRANCH]);
  const content = Object.fromEntries(Object.entries(answers()).filter(([address]) => address !== BRANCH));
  asked.length = 0;
  expect(await pinModels([record, other], store(), server(content, asked))).toEqual({
    moved: [],
    problems: [record, other].map(({ model_id }) => `${model_id}: ${BRANCH} answered with status 404.`),
    isUnreachable: false,
  });
  expect(asked).toEqual([BRANCH]);
});

it('the error message names the host of an unreachable server, or the address of a rejected request', async () => {
  const unreachable = pinModel(record, null, () => Promise.reject(new TypeError('fetch failed')));
  await expect(unreachable).rejects.toThrow('Couldn’t reach api.github.com.');
  const refused = pinModel({ ...record, model_lib: `${LIBRARIES}/main/v1/other.wasm` }, null, answer);
  await expect(refused).rejects.toThrow(`${LIBRARIES}/${LIBRARY_COMMIT}/v1/other.wasm answered with status 404.`);
});

it('pinning fails if a library is not on GitHub', async () => {
  const elsewhere = pinModel({ ...record, model_lib: 'https://libraries.test/tiny.wasm' }, null, answer);
  await expect(elsewhere).rejects.toThrow('https://libraries.test/tiny.wasm is not on GitHub');
});

it('reports a model whose library can’t be downloaded, and pins the next model', async () => {
  const asked: string[] = [];
  const pins = store();
  expect(await pinModels([other, record], pins, server(answers(), asked))).toEqual({
    moved: [],
    problems: [`Other: ${LIBRARIES}/${LIBRARY_COMMIT}/v1/other.wasm answered with status 404.`],
    isUnreachable: false,
  });
  expect(pins.kept).toEqual([[record.model_id, PIN]]);
  expect(asked.filter((address) => address === BRANCH)).toHaveLength(1);
});

describe('an ONNX model', () => {
  const source = { kind: 'hub', id: 'onnx-community/Tiny', revision: null } as const;
  const onnx: ModelManifest = { ...manifest('Tiny'), engine: 'transformers', source };
  const pinned: ModelManifest = { ...onnx, source: { ...source, revision: REVISION } };
  const ADDRESS = 'https://huggingface.co/api/models/onnx-community/Tiny';
  const listing = (sha: string, weights: string, readme = 'r') =>
    JSON.stringify({
      sha,
      siblings: [
        { rfilename: 'README.md', blobId: readme },
        { rfilename: 'onnx/model.onnx', blobId: weights },
      ],
    });
  const newest = `${ADDRESS}?blobs=true`;
  const before = `${ADDRESS}/revision/${REVISION}?blobs=true`;

  async function pin(manifests: readonly ModelManifest[], content: Readonly<Record<string, string>>) {
    const kept: ModelManifest[] = [];
    const asked: string[] = [];
    const keep = (each: ModelManifest) => Promise.resolve(void kept.push(each));
    return { result: await pinHubModels(manifests, keep, server(content, asked)), kept, asked };
  }

  it('is pinned to the newest commit of its repository, even if another model’s repository is missing', async () => {
    const missing = { ...onnx, source: { ...source, id: 'onnx-community/Missing' } };
    const { result, kept } = await pin([manifest('Listed'), missing, onnx], { [newest]: listing(REVISION, 'w') });
    const address = 'https://huggingface.co/api/models/onnx-community/Missing?blobs=true';
    expect(result).toEqual({
      moved: [],
      problems: [`onnx-community/Missing: ${address} answered with status 404.`],
      isUnreachable: false,
    });
    expect(kept).toEqual([pinned]);
    expect(kept.map((each) => manifestSchema.parse(each))).toEqual(kept);
  });

  it('keeps its commit if nothing but the README has changed', async () => {
    const content = { [newest]: listing(NEW, 'w', 'changed'), [before]: listing(REVISION, 'w') };
    const { result, kept } = await pin([pinned], content);
    expect(result).toEqual({ moved: [], problems: [], isUnreachable: false });
    expect(kept).toEqual([]);
    const same = await pin([pinned], { [newest]: listing(REVISION, 'w') });
    expect(same.asked).toEqual([newest]);
  });

  it.each([
    ['a file has changed', { [newest]: listing(NEW, 'changed'), [before]: listing(REVISION, 'w') }],
    ['the hub no longer has its commit', { [newest]: listing(NEW, 'w') }],
  ])('moves to the newest commit if %s', async (_, content) => {
    const { result, kept } = await pin([pinned], content);
    expect(result).toEqual({ moved: [`${source.id}: ${REVISION} → ${NEW}`], problems: [], isUnreachable: false });
    expect(kept).toEqual([{ ...onnx, source: { ...source, revision: NEW } }]);
  });

  it('keeps its commit if the hub temporarily can’t list the files of that commit', async () => {
    const get = (address: string) =>
      Promise.resolve(address === newest ? new Response(listing(NEW, 'changed')) : new Response('', { status: 503 }));
    const keep = () => Promise.reject(new Error('There is nothing to keep.'));
    expect(await pinHubModels([pinned], keep, get)).toEqual({
      moved: [],
      problems: [`${source.id}: ${before} answered with status 503.`],
      isUnreachable: false,
    });
  });
});

it.each<[string, (address: string) => Promise<Response>]>([
  ['can’t be reached', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'cuts a response off',
    () =>
      Promise.resolve(new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }))),
  ],
])('requests no further model if a server %s', async (_, get) => {
  const asked: string[] = [];
  const counted = (address: string) => {
    asked.push(address);
    return get(address);
  };
  const pins = store();
  expect(await pinModels([record, other], pins, counted)).toEqual({
    moved: [],
    problems: [`${record.model_id}: Couldn’t reach api.github.com.`],
    isUnreachable: true,
  });
  expect(asked).toHaveLength(1);
  expect(pins.kept).toEqual([]);
});
