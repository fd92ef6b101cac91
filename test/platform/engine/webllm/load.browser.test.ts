/**
 * @file Tests the real WebLLM in its Web Worker with meaningless weights and a compiled library that does nothing.
 * Because of this library, loading fails even after all files were downloaded.
 */
import { hasModelInCache } from '@mlc-ai/web-llm';
import { describe, expect, it } from 'vitest';
import { FaultError, type Fault, type LoadProgress, type ModelManifest } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import { createModelCache } from '../../../../src/platform/engine/cache';
import type { FolderFile } from '../../../../src/platform/engine/folder';
import { createWebLlmLoader } from '../../../../src/platform/engine/webllm/loader';
import { modelRecord } from '../../../../src/platform/engine/webllm/record';
import { folderModel, requestsFor, servedModel } from './models';

const SHARD = 100_000;
const WEIGHTS = 5 * SHARD;
const LAST = 'params_shard_4.bin';
/** The fault of a model whose files were all downloaded, but whose library does nothing. */
const IDLE_LIBRARY = { code: 'internal', message: expect.stringMatching(/Couldn’t run A test model/) as string };
const unstopped = new AbortController().signal;
const loader = createWebLlmLoader({ clock: systemClock });
const cache = createModelCache();

interface Failure {
  readonly fault: Fault;
  readonly progress: readonly LoadProgress[];
}

async function failToLoad(manifest: ModelManifest, from = loader): Promise<Failure> {
  const progress: LoadProgress[] = [];
  const thrown: unknown = await from
    .load(manifest, (each) => progress.push(each), unstopped)
    .catch((each: unknown) => each);
  if (!(thrown instanceof FaultError)) throw new Error(`It should have failed with a fault: ${String(thrown)}`);
  return { fault: thrown.fault, progress };
}

async function kept(manifest: ModelManifest) {
  return (await cache.list([manifest]))[0] ?? null;
}

describe('WebLLM', () => {
  it('rejects a library compiled for another version of WebLLM, and requests no weights', async () => {
    const model = servedModel('other');
    const { fault } = await failToLoad(model.manifest);
    expect(fault).toMatchObject({ code: 'bad-request', retryable: false });
    expect(fault.message).toMatch(/library\.wasm of A test model was compiled for another version of WebLLM/);
    expect(fault.detail).toMatch(/doesn’t provide env\.missing\. \(WebLLM [\d.]+\)$/);
    const requests = await requestsFor(model);
    expect(requests).toContain('library.wasm');
    expect(requests.filter((path) => path.endsWith('.bin'))).toEqual([]);
    await failToLoad(model.manifest);
    expect((await requestsFor(model)).slice(requests.length)).toEqual(['library.wasm']);
  });

  it.each([
    ['bare', /compiled for another version of WebLLM/, /^The library has no TVM/],
    [
      'misfit',
      /compiled for other weights/,
      /100 × 250 float32 in the weights, but the library needs 100 × 250 float16/,
    ],
  ])(
    'rejects a library that can’t run the weights, and requests no weights: %s',
    async (behaviour, message, detail) => {
      const model = servedModel(behaviour);
      const { fault } = await failToLoad(model.manifest);
      expect(fault).toMatchObject({ code: 'bad-request', retryable: false });
      expect(fault.message).toMatch(message);
      expect(fault.detail).toMatch(detail);
      expect((await requestsFor(model)).filter((path) => path.endsWith('.bin'))).toEqual([]);
    },
  );

  it('reports the progress of a download, and fails if the library does nothing', async () => {
    const model = servedModel('whole');
    const { fault, progress } = await failToLoad(model.manifest);
    expect(fault).toMatchObject(IDLE_LIBRARY);
    const last = progress.filter(({ phase }) => phase === 'fetching').at(-1);
    expect(last).toMatchObject({ cached: false });
    expect(last?.loaded).toBe(last?.total);
    expect(last?.loaded).toBeGreaterThan(WEIGHTS);
    const loaded = progress.map((each) => each.loaded ?? 0);
    expect(loaded).toEqual([...loaded].sort((one, other) => one - other));
  });

  it('uses cached files, and downloads none of them again', async () => {
    const model = servedModel('whole');
    await failToLoad(model.manifest);
    const record = modelRecord(model.manifest, []);
    expect(await hasModelInCache(record.model_id, { model_list: [record] })).toBe(true);
    const before = await requestsFor(model);
    expect(new Set(before).size).toBe(before.length);
    const { progress } = await failToLoad(model.manifest);
    expect(await requestsFor(model)).toEqual(before);
    expect(progress.at(-1)).toMatchObject({ cached: true });
  });

  it('accepts a list of weights with the older name, ndarray-cache.json', async () => {
    const model = servedModel('older');
    expect((await failToLoad(model.manifest)).fault).toMatchObject(IDLE_LIBRARY);
    expect(await requestsFor(model)).toContain('ndarray-cache.json');
  });

  it('names a file that the server does not have, and lists the model as incomplete', async () => {
    const model = servedModel('lost');
    const { fault } = await failToLoad(model.manifest);
    expect(fault).toMatchObject({ code: 'not-found', status: 404 });
    expect(fault.message).toContain(LAST);
    expect(await kept(model.manifest)).toMatchObject({ complete: false });
  });

  it('reports an address that serves no model', async () => {
    const { fault } = await failToLoad(servedModel('nowhere').manifest);
    expect(fault).toMatchObject({ code: 'not-found' });
    expect(fault.message).toMatch(/mlc-chat-config\.json.*address/);
  });

  it('reports a web page served in place of a model, and caches nothing', async () => {
    const model = servedModel('shop');
    expect((await failToLoad(model.manifest)).fault).toMatchObject({ code: 'broken-reply' });
    expect(await kept(model.manifest)).toBeNull();
  });

  it('reports a web page served in place of the library, and does not cache it', async () => {
    const model = servedModel('page');
    const { fault } = await failToLoad(model.manifest);
    expect(fault).toMatchObject({ code: 'bad-request' });
    expect(fault.message).toMatch(/library\.wasm is not a compiled library/);
    expect(await kept(model.manifest)).toMatchObject({ complete: false });
  });

  it.each(['short', 'noise'])(
    'requests damaged weights three times, and does not cache them: %s',
    async (behaviour) => {
      const model = servedModel(behaviour);
      const { fault } = await failToLoad(model.manifest);
      expect(fault).toMatchObject({ code: 'broken-reply', retryable: true });
      expect(fault.message).toContain(LAST);
      const before = await requestsFor(model);
      expect(before.filter((path) => path === LAST)).toHaveLength(3);
      await failToLoad(model.manifest);
      expect(new Set((await requestsFor(model)).slice(before.length))).toEqual(new Set([LAST]));
    },
  );

  it('reports a server that cannot be reached', async () => {
    const { fault } = await failToLoad(servedModel('whole', 'http://127.0.0.1:9/').manifest);
    expect(fault).toMatchObject({ code: 'unreachable', retryable: true });
  });

  it('stops a download when the signal aborts, and later requests only files that are not cached', async () => {
    const model = servedModel('slow');
    const stop = new AbortController();
    const loading = loader.load(
      model.manifest,
      ({ loaded }) => {
        // Aborts after four of five shards. The server sends only half of the last shard.
        if ((loaded ?? 0) >= 4 * SHARD) stop.abort();
      },
      stop.signal,
    );
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
    const { bytes = 0, complete } = (await kept(model.manifest)) ?? {};
    expect(complete).toBe(false);
    expect(bytes).toBeGreaterThan(SHARD);
    const before = (await requestsFor(model)).length;

    const second = new AbortController();
    const starts: (number | null)[] = [];
    const again = loader.load(
      model.manifest,
      ({ loaded }) => {
        starts.push(loaded);
        second.abort();
      },
      second.signal,
    );
    await expect(again).rejects.toMatchObject({ name: 'AbortError' });
    expect(starts[0]).toBeGreaterThan(SHARD);
    const requested = (await requestsFor(model)).slice(before);
    expect(requested).not.toContain('params_shard_0.bin');
    expect(requested).not.toContain('mlc-chat-config.json');
  });

  it('rejects a model of another engine', async () => {
    const manifest: ModelManifest = { ...folderModel(), source: { kind: 'hub', id: 'a/b', revision: null } };
    expect((await failToLoad(manifest)).fault.message).toMatch(/transformers\.js/);
  });

  it('reports a model that is not on WebLLM’s list', async () => {
    const manifest: ModelManifest = { ...folderModel(), source: { kind: 'prebuilt', id: 'no-such-model' } };
    expect((await failToLoad(manifest)).fault).toMatchObject({ code: 'not-found' });
  });

  it('rejects a library that does not match its digest in the manifest, and requests no weights', async () => {
    const model = servedModel('whole');
    const { source } = model.manifest;
    if (source.kind !== 'mlc') throw new Error('The model should have a source of kind mlc.');
    const wrong = `sha256-${btoa('x'.repeat(32))}`;
    const { fault } = await failToLoad({ ...model.manifest, source: { ...source, integrity: { library: wrong } } });
    expect(fault.message).toMatch(/library\.wasm of A test model doesn’t match its checksum/);
    expect((await requestsFor(model)).some((path) => path.endsWith('.bin'))).toBe(false);
  });
});

describe('a library on localhost', () => {
  it('is cached, so that loading the model again requests nothing', async () => {
    const model = servedModel('whole');
    const { source } = model.manifest;
    if (source.kind !== 'mlc') throw new Error('The model should have a source of kind mlc.');
    const library = source.library.replace('127.0.0.1', 'localhost');
    const manifest: ModelManifest = { ...model.manifest, source: { ...source, library } };
    expect((await failToLoad(manifest)).fault).toMatchObject(IDLE_LIBRARY);
    expect(await kept(manifest)).toMatchObject({ complete: true });
    const before = await requestsFor(model);
    await failToLoad(manifest);
    expect(await requestsFor(model)).toEqual(before);
  });
});

describe('a model folder', () => {
  async function filesOf(name: string): Promise<readonly FolderFile[]> {
    const host = servedModel('whole').manifest.source;
    if (host.kind !== 'mlc') throw new Error('The model should have a source of kind mlc.');
    const names = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json'];
    const shards = Array.from({ length: 5 }, (_, index) => `params_shard_${index}.bin`);
    return Promise.all(
      [...names, ...shards, 'library.wasm'].map(async (path) => {
        const content = await (await fetch(`${host.weights}/${path}`)).arrayBuffer();
        return { path: path === 'library.wasm' ? name : path, file: new File([content], path) };
      }),
    );
  }

  it('is copied into the cache, and is not needed afterwards', async () => {
    const manifest = folderModel();
    const files = await filesOf('Qwen2-7B-other.wasm');
    const withFolder = createWebLlmLoader({ clock: systemClock, folder: () => Promise.resolve(files) });
    expect((await failToLoad(manifest, withFolder)).fault).toMatchObject(IDLE_LIBRARY);
    expect(await kept(manifest)).toMatchObject({ complete: true });
    expect((await failToLoad(manifest)).fault).toMatchObject(IDLE_LIBRARY);
  });

  it('is rejected with a specific message if it was not picked or lacks a file', async () => {
    const { fault } = await failToLoad(folderModel());
    expect(fault).toMatchObject({ code: 'not-found' });
    expect(fault.message).toMatch(/Pick the folder that contains mlc-chat-config\.json/);
    const files = (await filesOf('library.wasm')).filter(({ path }) => path !== LAST);
    const incomplete = createWebLlmLoader({ clock: systemClock, folder: () => Promise.resolve(files) });
    expect((await failToLoad(folderModel(), incomplete)).fault.message).toContain(LAST);
  });

  it('is rejected if it has no library and Podium has none for the model', async () => {
    const files = (await filesOf('library.wasm')).filter(({ path }) => !path.endsWith('.wasm'));
    const bare = createWebLlmLoader({ clock: systemClock, folder: () => Promise.resolve(files) });
    expect((await failToLoad(folderModel(), bare)).fault.message).toMatch(/has no library/);
  });
});

describe('downloaded models', () => {
  it('are listed with their size, and deleted one by one', async () => {
    const [one, other] = [servedModel('whole'), servedModel('whole')];
    await failToLoad(one.manifest);
    await failToLoad(other.manifest);
    const manifests = [one.manifest, other.manifest];
    const listed = await cache.list(manifests);
    expect(listed.map(({ manifestId, complete }) => ({ manifestId, complete }))).toEqual(
      manifests.map(({ id }) => ({ manifestId: id, complete: true })),
    );
    for (const { bytes } of listed) expect(bytes).toBeGreaterThan(WEIGHTS);

    await cache.delete(one.manifest);
    expect(await cache.list(manifests)).toMatchObject([{ manifestId: other.manifest.id, complete: true }]);
    const before = (await requestsFor(one)).length;
    await failToLoad(one.manifest);
    expect((await requestsFor(one)).slice(before)).toContain(LAST);
  });

  it('can share a library, which is deleted with the last model that uses it', async () => {
    const [one, other] = [servedModel('whole'), servedModel('whole')];
    if (one.manifest.source.kind !== 'mlc' || other.manifest.source.kind !== 'mlc')
      throw new Error('The model should have a source of kind mlc.');
    const sharing: ModelManifest = {
      ...other.manifest,
      source: { ...other.manifest.source, library: one.manifest.source.library },
    };
    await failToLoad(one.manifest);
    await failToLoad(sharing);
    const listed = await cache.list([one.manifest, sharing]);
    const own = listed.map(({ ownBytes = 0 }) => ownBytes);
    const library = await (await fetch(one.manifest.source.library)).arrayBuffer();
    expect(own.reduce((sum, bytes) => sum + bytes)).toBe(
      listed.reduce((sum, { bytes }) => sum + bytes, 0) - library.byteLength,
    );
    await cache.delete(one.manifest);
    expect(await kept(sharing)).toMatchObject({ complete: true });
    await cache.delete(sharing);
    expect(await (await caches.open('webllm/wasm')).match(one.manifest.source.library)).toBeUndefined();
  });

  it('are incomplete when a shard has the wrong size, and only this shard is downloaded again', async () => {
    const model = servedModel('whole');
    await failToLoad(model.manifest);
    const { model: base } = modelRecord(model.manifest, []);
    await (
      await caches.open('webllm/model')
    ).put(`${base}${LAST}`, new Response('spoilt', { headers: { 'content-length': '6' } }));
    expect(await kept(model.manifest)).toMatchObject({ complete: false });
    const before = (await requestsFor(model)).length;
    await failToLoad(model.manifest);
    expect((await requestsFor(model)).slice(before)).toEqual([LAST]);
    expect(await kept(model.manifest)).toMatchObject({ complete: true });
  });

  it('are an empty list before the first download, and deleting a missing model does nothing', async () => {
    expect(await cache.list([folderModel()])).toEqual([]);
    await expect(cache.delete(folderModel())).resolves.toBeUndefined();
  });
});
