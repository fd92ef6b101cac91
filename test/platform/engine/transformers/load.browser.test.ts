/**
 * @file Tests model loading with transformers.js, a real server and a real cache. The server's list of requests
 * shows which files were downloaded.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { FaultError, isAbort, type Fault, type LocalEngine } from '../../../../src/core/contract';
import { createModelCache } from '../../../../src/platform/engine/cache';
import { HOST, load, manifestOf, release, request, requestsFor, write, type Loading } from './models';

const WEIGHTS = ['onnx/model.onnx', 'onnx/model.onnx_data', 'onnx/model.onnx_data_1'];
const engines: LocalEngine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.dispose()));
});

async function loaded({ engine }: Loading): Promise<LocalEngine> {
  const ready = await engine;
  engines.push(ready);
  return ready;
}

async function failure({ engine }: Loading): Promise<Fault> {
  const thrown: unknown = await engine.then(
    () => new Error('It loaded.'),
    (because: unknown) => because,
  );
  if (thrown instanceof FaultError) return thrown.fault;
  throw thrown;
}

const downloads = (requests: readonly string[]) => requests.filter((path) => !path.endsWith('(range)'));

describe('a complete model', () => {
  it('is downloaded with progress, cached, and loaded without the network the next time', async () => {
    const manifest = manifestOf('plain');
    const first = load(manifest);
    const engine = await loaded(first);
    expect(engine.device).toBe('wasm');
    expect(engine.info).toMatchObject({ engine: expect.stringMatching(/^transformers\.js [\d.]+ fp32$/) });
    const phases = first.progress.map(({ phase }) => phase);
    expect([...new Set(phases)]).toEqual(['fetching', 'loading', 'warming']);
    const last = first.progress.at(-1);
    expect(last?.loaded).toBe(last?.total);
    expect(last?.total).toBeGreaterThan(380_000);
    expect(last?.cached).toBe(false);

    const requested = await requestsFor(manifest);
    expect(downloads(requested)).toContain('onnx/model.onnx');
    const second = load(manifest);
    const { ending } = await write(await loaded(second), request());
    expect(ending).toMatchObject({ type: 'finished' });
    expect(await requestsFor(manifest)).toEqual(requested);
    expect(second.progress.every(({ cached }) => cached)).toBe(true);
    expect(second.progress.at(-1)).toMatchObject({ loaded: last?.total, total: last?.total });
  });

  it('is listed in the cache with its size, and can be deleted completely', async () => {
    const manifest = manifestOf('plain');
    await loaded(load(manifest));
    const cache = createModelCache();
    const [listed] = await cache.list([manifest]);
    expect(listed).toMatchObject({ manifestId: manifest.id, complete: true });
    expect(listed?.bytes).toBeGreaterThan(380_000);
    const requested = (await requestsFor(manifest)).length;
    await cache.delete(manifest);
    expect(await cache.list([manifest])).toEqual([]);
    await loaded(load(manifest));
    expect((await requestsFor(manifest)).length).toBe(requested * 2);
  });

  it('is requested at the revision that the manifest pins', async () => {
    const manifest = manifestOf('plain');
    if (manifest.source.kind !== 'hub') throw new Error('The model is not on a hub.');
    const pinned = { ...manifest, source: { ...manifest.source, revision: 'abc123' } };
    const engine = await loaded(load(pinned));
    expect(engine.info.revision).toBe('abc123');
    expect(await requestsFor(pinned)).toContain('onnx/model.onnx@abc123');
  });

  it('is loaded with the page’s own runtime, and the cached runtime of an older version is deleted', async () => {
    const former = await caches.open('podium-onnx-runtime');
    await former.put('/ort-wasm-simd-threaded.asyncify.wasm', new Response('old'));
    await loaded(load(manifestOf('plain')));
    const kept = await (await caches.open('podium-late')).keys();
    expect(kept.map(({ url }) => new URL(url).origin)).toEqual([location.origin]);
    expect(await caches.has('podium-onnx-runtime')).toBe(false);
  });
});

describe('a folder on this machine', () => {
  const paths = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx'];

  async function pick(kept: readonly string[]) {
    return Promise.all(
      kept.map(async (path) => {
        const response = await fetch(`${HOST}tiny/plain-folder/resolve/main/${path}`);
        return { path: `models/tiny/${path}`, file: new File([await response.blob()], path) };
      }),
    );
  }

  it('is loaded without any request', async () => {
    const files = await pick(paths);
    const manifest = manifestOf('plain');
    const fromFolder = { ...manifest, source: { kind: 'folder', name: 'tiny' } } as const;
    const engine = await loaded(load(fromFolder, { folder: () => Promise.resolve(files) }));
    expect((await write(engine, request())).ending).toMatchObject({ type: 'finished' });
    expect(await requestsFor(manifest)).toEqual([]);
  });

  it('is rejected if a file is missing, with a message that names the file', async () => {
    const files = await pick(paths.filter((path) => path !== 'tokenizer.json'));
    const manifest = manifestOf('plain', { source: { kind: 'folder', name: 'tiny' } });
    const fault = await failure(load(manifest, { folder: () => Promise.resolve(files) }));
    expect(fault).toMatchObject({ code: 'not-found', message: expect.stringContaining('tokenizer.json') });
  });

  it('is rejected if it is no longer available, with a message to open it again', async () => {
    const manifest = manifestOf('plain', { source: { kind: 'folder', name: 'tiny' } });
    expect(await failure(load(manifest))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('again'),
    });
  });
});

describe('an incomplete download', () => {
  it('resumes with the file that was being downloaded', async () => {
    const manifest = manifestOf('slow');
    const stop = new AbortController();
    const first = load(manifest, {}, stop.signal);
    await expect.poll(() => requestsFor(manifest), { timeout: 20_000 }).toContain(WEIGHTS[2]);
    stop.abort();
    expect(isAbort(await first.engine.catch((thrown: unknown) => thrown))).toBe(true);
    expect(await createModelCache().list([manifest])).toMatchObject([{ complete: false }]);

    await release(manifest);
    const before = (await requestsFor(manifest)).length;
    const second = load(manifest);
    await loaded(second);
    expect(downloads((await requestsFor(manifest)).slice(before))).toEqual([WEIGHTS[2]]);
    expect(second.progress.find(({ total }) => total !== null)?.loaded).toBeGreaterThan(680_000);
    expect(await createModelCache().list([manifest])).toMatchObject([{ complete: true }]);
  });

  it('fetches only the unfinished file again after the connection broke', async () => {
    const manifest = manifestOf('broken');
    expect(await failure(load(manifest))).toMatchObject({ code: 'unreachable', retryable: true });
    const before = (await requestsFor(manifest)).length;
    await failure(load(manifest));
    expect(downloads((await requestsFor(manifest)).slice(before))).toEqual([WEIGHTS[2]]);
  });

  it('makes no request if the signal has already aborted', async () => {
    const manifest = manifestOf('plain');
    const { engine } = load(manifest, {}, AbortSignal.abort());
    expect(isAbort(await engine.catch((thrown: unknown) => thrown))).toBe(true);
    expect(await requestsFor(manifest)).toEqual([]);
  });
});

describe('a model that cannot be loaded', () => {
  it('is reported before any weights are downloaded if one of its weight files is missing', async () => {
    const manifest = manifestOf('lost');
    const fault = await failure(load(manifest));
    expect(fault).toMatchObject({ code: 'not-found', message: expect.stringContaining(WEIGHTS[2] ?? '') });
    expect(downloads(await requestsFor(manifest))).not.toContain(WEIGHTS[0]);
  });

  it.each([
    ['picture', 'bad-request', 'clip'],
    ['gated', 'forbidden', 'account'],
    ['nothing', 'not-found', 'config.json'],
    ['bare', 'not-found', 'tokenizer_config.json'],
    ['spoilt', 'internal', 'Couldn’t run'],
  ])('is reported with a reason (test model “%s”)', async (kind, code, words) => {
    const fault = await failure(load(manifestOf(kind)));
    expect(fault).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it('is reported while there is not enough storage, and loads afterwards', async () => {
    const manifest = manifestOf('plain');
    const override = (more: { quotaSize?: number }) =>
      cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin, ...more });
    await override({ quotaSize: 1000 });
    try {
      expect(await failure(load(manifest))).toMatchObject({
        code: 'storage-full',
        message: expect.stringContaining('enough storage'),
      });
    } finally {
      await override({});
    }
    await loaded(load(manifest));
  });

  it('is reported if the server is unreachable', async () => {
    const fault = await failure(load(manifestOf('plain'), { host: 'http://127.0.0.1:9/' }));
    expect(fault).toMatchObject({ code: 'unreachable', retryable: true });
  });

  it('is reported if it is a model for WebLLM', async () => {
    const manifest = manifestOf('plain', { source: { kind: 'prebuilt', id: 'Qwen' } });
    expect(await failure(load(manifest))).toMatchObject({ code: 'bad-request' });
  });
});
