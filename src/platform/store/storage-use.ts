/** @file Measures what runs, models and the app use of the browser's storage, for Settings. The page lazy-loads this file. */
import type { StorageUse } from '../../core/contract';

/** Prefix of the caches that contain the app's own files. */
const APP_CACHE = 'podium-app-';
/**
 * The cache of the app's large files. All caches that have neither this name nor the prefix `APP_CACHE`
 * contain models.
 */
const LATE_CACHE = 'podium-late';

/** An estimate in bytes. Only Chromium reports `usageDetails`. */
interface DetailedEstimate {
  readonly usage?: number;
  readonly usageDetails?: { readonly indexedDB?: number; readonly caches?: number };
}

/** `null` if the browser doesn't report its storage use. */
export async function useOfStorage(): Promise<StorageUse | null> {
  try {
    const { usage, usageDetails }: DetailedEstimate = await navigator.storage.estimate();
    if (usage === undefined) return null;
    const names = await caches.keys();
    const isApp = (name: string) => name.startsWith(APP_CACHE) || name === LATE_CACHE;
    const models = await bytesIn(names.filter((name) => !isApp(name)));
    if (usageDetails) {
      const { indexedDB = 0, caches: cached = 0 } = usageDetails;
      return { runs: indexedDB, models: Math.min(models, cached), app: Math.max(0, cached - models) };
    }
    const app = await bytesIn(names.filter(isApp));
    return { runs: Math.max(0, usage - models - app), models, app };
  } catch {
    return null;
  }
}

async function bytesIn(names: readonly string[]): Promise<number> {
  let sum = 0;
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (response) sum += await sizeOf(response);
    }
  }
  return sum;
}

/**
 * Size of a cached file in bytes. Reads the body only if no header states the size. Reads in chunks, so that a large file is
 * never in memory as a whole.
 */
async function sizeOf({ headers, body }: Response): Promise<number> {
  const stated = headers.get('content-length');
  // For a compressed file, the header states the compressed size, but the cached body is decompressed.
  if (stated !== null && !headers.has('content-encoding')) return Number(stated);
  const reader = body?.getReader();
  let size = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) size += part.value.byteLength;
  return size;
}
