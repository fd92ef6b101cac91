import { afterEach, expect, it, vi } from 'vitest';
import { useOfStorage } from '../../../src/platform/store/storage-use';

const CACHES = ['podium-app-test', 'podium-late', 'models-test'];

afterEach(async () => {
  await Promise.all(CACHES.map((name) => caches.delete(name)));
  vi.restoreAllMocks();
});

async function store(name: string, path: string, bytes: number, headers: HeadersInit = {}) {
  const cache = await caches.open(name);
  await cache.put(new URL(path, location.href), new Response(new Uint8Array(bytes), { headers }));
}

it('counts the full size of cached files whose headers state no size or only the compressed size', async () => {
  // In Firefox and Safari, the estimate has no `usageDetails`.
  vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ usage: 100_000, quota: 1e9 });
  await store('podium-app-test', '/app.js', 3_000, { 'content-encoding': 'gzip', 'content-length': '1000' });
  await store('podium-late', '/python.wasm', 20_000);
  await store('models-test', '/shard', 40_000, { 'content-length': '40000' });
  await store('models-test', '/receipt.json', 500);
  expect(await useOfStorage()).toEqual({ app: 23_000, models: 40_500, runs: 36_500 });
});
