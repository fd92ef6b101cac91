/**
 * @file Tests loading of sentence models with the real library, a local server and the browser's cache. The server's log of
 * requests shows which files were downloaded.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { FaultError, isAbort, type Fault } from '../../../../src/core/contract';
import { createModelCache } from '../../../../src/platform/engine/cache';
import { systemClock } from '../../../../src/platform/clock';
import { createSentenceLoader, type SentenceEngine } from '../../../../src/platform/engine/sentence/loader';
import {
  isRuntime,
  RUNTIME_BYTES,
  RUNTIME_CACHE,
  runtimeAddress,
} from '../../../../src/platform/engine/transformers/runtime-file';
import { eventually } from '../../../fixtures/eventually';
import { addressOf, HOST, load, modelOf, release, requestsFor, WEIGHTS, type Loading } from './models';

const unstopped = new AbortController().signal;
const engines: SentenceEngine[] = [];

afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

async function loaded({ engine }: Loading): Promise<SentenceEngine> {
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

describe('a sentence model', () => {
  it('is downloaded with progress, and loaded from the cache the next time', async () => {
    const model = modelOf('plain');
    const first = load(model);
    await loaded(first);
    expect([...new Set(first.progress.map(({ phase }) => phase))]).toEqual([
      'fetching',
      'loading',
      'compiling',
      'warming',
    ]);
    const last = first.progress.at(-1);
    expect(last?.loaded).toBe(last?.total);
    expect(last?.total).toBeGreaterThan(100_000);
    const requested = await requestsFor(model);
    expect(downloads(requested).toSorted()).toEqual([
      'config.json',
      WEIGHTS,
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect(await createModelCache().list([model])).toMatchObject([{ complete: true }]);

    const second = load(model, { fetches: false });
    const engine = await loaded(second);
    expect(await engine.embed(['Solve it.'], unstopped)).toHaveLength(1);
    expect(second.progress.every(({ cached }) => cached)).toBe(true);
    expect(await requestsFor(model)).toEqual(requested);
  });

  it('is downloaded only on request', async () => {
    const model = modelOf('plain');
    expect(await failure(load(model, { fetches: false }))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('no longer on this device'),
    });
    expect(await requestsFor(model)).toEqual([]);
  });

  it('is not loaded if a file is missing from the cache and downloads are not allowed', async () => {
    const model = modelOf('plain');
    await loaded(load(model));
    for (const cache of await caches.keys()) await (await caches.open(cache)).delete(addressOf(model, WEIGHTS));
    const requested = await requestsFor(model);
    expect(await failure(load(model, { fetches: false }))).toMatchObject({ code: 'not-found' });
    expect(await requestsFor(model)).toEqual(requested);
  });
});

describe('the shared runtime', () => {
  const forget = async () => (await caches.open(RUNTIME_CACHE)).delete(runtimeAddress());

  it('is downloaded only on request', async () => {
    const model = modelOf('plain');
    await loaded(load(model));
    await forget();
    expect(await failure(load(model, { fetches: false }))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('The runtime for Tiny plain is no longer on this device'),
    });
    expect(await createModelCache().list([model])).toMatchObject([{ complete: true }]);
  });

  it.each([
    ['a web page of another size', new Uint8Array(1_000)],
    ['other bytes of the same size', new Uint8Array(RUNTIME_BYTES)],
  ])('is downloaded again if the cache has %s in its place', async (_what, wrong) => {
    const model = modelOf('plain');
    await forget();
    await (await caches.open(RUNTIME_CACHE)).put(runtimeAddress(), new Response(wrong));
    await loaded(load(model));
    const stored = await (await caches.open(RUNTIME_CACHE)).match(runtimeAddress());
    expect(await isRuntime((await stored?.arrayBuffer()) ?? new ArrayBuffer())).toBe(true);
  });

  it('is included in the size and progress of a download', async () => {
    const model = modelOf('plain');
    const loader = createSentenceLoader({ clock: systemClock, host: HOST });
    await forget();
    expect(await loader.missing()).toBe(RUNTIME_BYTES);
    const first = load(model);
    await loaded(first);
    expect(first.progress.find(({ total }) => total !== null)?.total).toBeGreaterThan(RUNTIME_BYTES);
    expect(first.progress.at(-1)?.loaded).toBeGreaterThan(RUNTIME_BYTES);
    expect(await loader.missing()).toBe(0);
  });
});

describe('a model that is deleted during its download', () => {
  it('leaves only files that can still be listed and deleted', async () => {
    const model = modelOf('slow');
    const first = load(model);
    first.engine.catch(() => undefined);
    await eventually(async () => expect(await requestsFor(model)).toContain(WEIGHTS));
    const cache = createModelCache();
    await cache.delete(model);
    await release(model);
    expect(await failure(first)).toMatchObject({ code: 'not-found' });
    const [left] = await cache.list([model]);
    expect(left?.complete).toBe(false);
    expect(left?.bytes).toBeGreaterThan(0);
    await cache.delete(model);
    const kept = await (await caches.open('transformers-cache')).keys();
    expect(kept.filter(({ url }) => url.includes(model.hub.id))).toEqual([]);
  });
});

describe('an interrupted download', () => {
  it('resumes with the file that was being downloaded', async () => {
    const model = modelOf('slow');
    const stop = new AbortController();
    const first = load(model, { signal: stop.signal });
    first.engine.catch(() => undefined);
    await eventually(async () => expect(await requestsFor(model)).toContain(WEIGHTS));
    stop.abort();
    expect(isAbort(await first.engine.catch((thrown: unknown) => thrown))).toBe(true);
    expect(await createModelCache().list([model])).toMatchObject([{ complete: false }]);
    await release(model);
    const before = (await requestsFor(model)).length;
    await loaded(load(model));
    expect(downloads((await requestsFor(model)).slice(before))).toEqual([WEIGHTS]);
  });

  it('is reported as retryable if the connection broke', async () => {
    expect(await failure(load(modelOf('broken')))).toMatchObject({ code: 'unreachable', retryable: true });
  });
});

describe('a model that cannot be loaded', () => {
  it.each([
    ['gated', 'forbidden'],
    ['unknown', 'not-found'],
    ['bare', 'not-found'],
  ])('is reported with its label and a fault code: %s', async (kind, code) => {
    const fault = await failure(load(modelOf(kind)));
    expect(fault).toMatchObject({ code, message: expect.stringContaining(`Tiny ${kind}`) });
  });

  it('is reported if its files on the hub are damaged', async () => {
    expect(await failure(load(modelOf('spoilt')))).toMatchObject({
      code: 'broken-reply',
      message: expect.stringContaining('damaged'),
    });
  });

  it('is reported if its files in the cache are damaged', async () => {
    const model = modelOf('plain');
    await loaded(load(model));
    const cache = await caches.open('transformers-cache');
    await cache.put(addressOf(model, 'tokenizer.json'), new Response('{"model": '));
    expect(await failure(load(model, { fetches: false }))).toMatchObject({ code: 'broken-reply' });
  });

  it('is reported if its Web Worker could not be started', async () => {
    const createWorker = () => new Worker('data:text/javascript,throw new Error("No.")', { type: 'module' });
    expect(await failure(load(modelOf('plain'), { createWorker }))).toMatchObject({ code: 'interrupted' });
  });
});
