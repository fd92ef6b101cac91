/** @file Tests downloads without WebLLM's Web Worker: full disks, broken connections, pinned digests and picked folders. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock, LoadProgress, PinnedFile } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import { createModelCache } from '../../../../src/platform/engine/cache';
import { readFileList, readFolder } from '../../../../src/platform/engine/folder';
import { downloadModel, type DownloadRequest } from '../../../../src/platform/engine/webllm/download';
import { serverSource } from '../../../../src/platform/engine/webllm/file-source';
import { modelRecord, weightsBase } from '../../../../src/platform/engine/webllm/record';
import { requestsFor, servedModel, type ServedModel } from './models';

const unstopped = new AbortController().signal;

function requestFor({ manifest }: ServedModel): DownloadRequest {
  if (manifest.source.kind !== 'mlc') throw new Error('The test model should come from an address.');
  const source = serverSource(weightsBase(manifest.source.weights, null), manifest.label);
  const url = manifest.source.library;
  return {
    manifestId: manifest.id,
    base: modelRecord(manifest, []).model,
    source,
    library: () => ({ url, path: url, source }),
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a disk that is too small', () => {
  it('is reported before the weights are downloaded', async () => {
    vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ usage: 900_000, quota: 1_000_000 });
    const model = servedModel('whole');
    const failed = downloadModel(requestFor(model), () => undefined, unstopped);
    await expect(failed).rejects.toMatchObject({
      fault: { code: 'storage-full', message: expect.stringMatching(/needs 1 MB more.*gives Podium 1 MB/) as string },
    });
    expect((await requestsFor(model)).some((path) => path.endsWith('.bin'))).toBe(false);
  });

  it('is reported if it fills up while the weights are downloaded', async () => {
    const put = vi.spyOn(Cache.prototype, 'put');
    put.mockImplementation(function (this: Cache, request) {
      const isWeights = String(request).endsWith('.bin');
      return isWeights ? Promise.reject(new DOMException('No room.', 'QuotaExceededError')) : Promise.resolve();
    });
    const failed = downloadModel(requestFor(servedModel('whole')), () => undefined, unstopped);
    await expect(failed).rejects.toMatchObject({ fault: { code: 'storage-full' } });
  });

  it('is not reported if the browser cannot estimate the free storage', async () => {
    vi.spyOn(navigator.storage, 'estimate').mockRejectedValue(new Error('no'));
    const request = requestFor(servedModel('whole'));
    const { library, digest } = await downloadModel(request, () => undefined, unstopped);
    expect(library).toMatch(/library\.wasm$/);
    expect(digest).toMatch(/^[\da-f]{64}$/);
  });
});

describe('weights that arrive damaged', () => {
  it('are downloaded again, with a pause only after a broken connection, and then cached', async () => {
    const model = servedModel('once');
    const request = requestFor(model);
    const pauses: number[] = [];
    const clock: Clock = { ...systemClock, sleep: (ms) => Promise.resolve(void pauses.push(ms)) };
    const progress: LoadProgress[] = [];
    await downloadModel(request, (each) => progress.push(each), unstopped, { clock });
    expect((await requestsFor(model)).filter((path) => path.endsWith('_4.bin'))).toHaveLength(3);
    expect(pauses).toEqual([2000]);
    expect(progress.at(-1)?.loaded).toBe(progress.at(-1)?.total);
    const [cached] = await createModelCache().list([model.manifest]);
    expect(cached).toMatchObject({ complete: true });
    expect(cached?.total).toBe(cached?.bytes);
  });

  it('are not cached if every download is damaged, but count toward the model’s total size', async () => {
    const model = servedModel('noise');
    await expect(downloadModel(requestFor(model), () => undefined, unstopped)).rejects.toThrow(/checksum/);
    const [cached] = await createModelCache().list([model.manifest]);
    expect(cached?.complete).toBe(false);
    expect((cached?.total ?? 0) - (cached?.bytes ?? 0)).toBeGreaterThanOrEqual(100_000);
  });
});

describe('the pinned digests of a model', () => {
  async function pinnedRequest(model: ServedModel, spoiled: string): Promise<DownloadRequest> {
    const request = requestFor(model);
    const paths = ['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'params_shard_0.bin', 'library.wasm'];
    const files: Record<string, PinnedFile> = {};
    for (const path of paths) {
      const content = await (await request.source.open(path, unstopped)).arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
      const sha256 = path === spoiled ? '0'.repeat(64) : bytesToHex(digest);
      files[path] = { bytes: content.byteLength, sha256 };
    }
    const { 'library.wasm': library = { bytes: 1, sha256: '' } } = files;
    const { url } = request.library({ tokenizer_files: [] });
    return {
      ...request,
      pin: { revision: 'a'.repeat(40), files, library: { ...library, url, revision: 'b'.repeat(40) } },
    };
  }

  it('accept files that match them', async () => {
    const request = await pinnedRequest(servedModel('whole'), 'none');
    await expect(downloadModel(request, () => undefined, unstopped)).resolves.toMatchObject({});
  });

  it.each(['mlc-chat-config.json', 'tensor-cache.json', 'tokenizer.json', 'params_shard_0.bin', 'library.wasm'])(
    'reject a changed %s and name this file',
    async (path) => {
      const request = await pinnedRequest(servedModel('whole'), path);
      const failed = downloadModel(request, () => undefined, unstopped);
      await expect(failed).rejects.toMatchObject({
        fault: { code: 'broken-reply', message: expect.stringContaining(`${path} of A test model`) as string },
      });
    },
  );
});

describe('a model whose address changed', () => {
  it('is downloaded from the new address, and its files from the old address are deleted', async () => {
    const [before, after] = [servedModel('whole'), servedModel('whole')];
    await downloadModel(requestFor(before), () => undefined, unstopped);
    const moved = { ...requestFor(after), manifestId: before.manifest.id };
    await downloadModel(moved, () => undefined, unstopped);
    const [cached] = await createModelCache().list([before.manifest]);
    expect(cached).toMatchObject({ complete: true });
    const addresses = (await (await caches.open('webllm/model')).keys()).map(({ url }) => url);
    expect(addresses.some((url) => url.includes(before.name))).toBe(false);
    expect(addresses.some((url) => url.includes(after.name))).toBe(true);
  });
});

describe('a folder that was picked', () => {
  it('is read with all its subfolders', async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(`model-${Date.now()}`, { create: true });
    const below = await folder.getDirectoryHandle('onnx', { create: true });
    for (const [place, name] of [
      [folder, 'config.json'],
      [below, 'model.onnx'],
    ] as const) {
      const writable = await (await place.getFileHandle(name, { create: true })).createWritable();
      await writable.write(name);
      await writable.close();
    }
    const files = await readFolder(folder);
    expect(files.map(({ path }) => path).sort()).toEqual(['config.json', 'onnx/model.onnx']);
    expect(await files.find(({ path }) => path === 'onnx/model.onnx')?.file.text()).toBe('model.onnx');
    await root.removeEntry(folder.name, { recursive: true });
  });

  it('can be a list of files, whose paths are then relative to the folder', () => {
    const file = new File(['x'], 'model.onnx');
    Object.defineProperty(file, 'webkitRelativePath', { value: 'my-model/onnx/model.onnx' });
    const paths = readFileList([file, new File(['y'], 'alone.json')]).map(({ path }) => path);
    expect(paths).toEqual(['onnx/model.onnx', 'alone.json']);
  });
});
